//! How many requests each model server has at once, of everything in this program: calls of agents, a trial on the settings page,
//! embeddings, transcriptions.
//!
//! The queue holds calls of all programs to the same limit before they begin (`store/queue`). The other requests wait here. A waiting
//! request has not begun: its time-out does not run.

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use tokio::sync::Notify;

use copydesk_config::{Endpoint, ServerSettings};

/// The servers that were asked, by host and port.
static SERVERS: LazyLock<Mutex<HashMap<String, Arc<Asked>>>> = LazyLock::new(Mutex::default);

#[derive(Default)]
struct Asked {
    requests: Mutex<u32>,
    ended: Notify,
}

impl Asked {
    /// Whether a slot was free. Limits may change while the program runs.
    fn begin(&self, at_once: u32) -> bool {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        let is_free = *requests < at_once;
        *requests += u32::from(is_free);
        is_free
    }
}

/// A request's slot, until it is dropped.
pub(super) struct ServerSlot(Arc<Asked>);

impl Drop for ServerSlot {
    fn drop(&mut self) {
        let mut requests = self.0.requests.lock().unwrap_or_else(PoisonError::into_inner);
        *requests = requests.saturating_sub(1);
        drop(requests);
        self.0.ended.notify_one();
    }
}

/// Waits for a free slot of a server.
pub(super) async fn take(endpoint: &Endpoint, settings: &ServerSettings) -> ServerSlot {
    let server = endpoint.server();
    let at_once = settings.limits(&server).at_once;
    let asked = Arc::clone(SERVERS.lock().unwrap_or_else(PoisonError::into_inner).entry(server).or_default());
    while !asked.begin(at_once) {
        asked.ended.notified().await;
    }
    ServerSlot(asked)
}

#[cfg(test)]
mod tests {
    use std::{path::Path, time::Duration};

    use super::*;
    use copydesk_config::{TEMPLATE, load};

    fn servers(at_once: u32) -> ServerSettings {
        let own = format!(
            "own:\n      - {{host: \"localhost:9999\", requests_at_once: {at_once}, requests_per_minute: null, tokens_per_minute: null}}\n"
        );
        let yaml = TEMPLATE.replacen("own: null\n", &own, 1);
        load(Path::new("c.yaml"), &yaml, Path::new("/desk")).unwrap().desk.servers
    }

    fn at(address: &str) -> Endpoint {
        Endpoint { base: address.parse().unwrap(), setting: String::new() }
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_waits_until_a_slot_of_its_server_is_free_whatever_the_server_is_called() {
        let two = servers(2);
        let first = take(&at("http://localhost:9999/v1"), &two).await;
        let second = take(&at("http://127.0.0.1:9999/v1"), &two).await;
        let [home, six] = [at("http://localhost:9999/v1"), at("http://[::1]:9999/v1")];
        let mut waits = [Box::pin(take(&home, &two)), Box::pin(take(&six, &two))];
        let brief = Duration::from_mins(1);
        for wait in &mut waits {
            assert!(tokio::time::timeout(brief, wait).await.is_err());
        }
        let other = at("http://127.0.0.1:9998/v1");
        assert!(tokio::time::timeout(brief, take(&other, &two)).await.is_ok(), "another server");
        drop(first);
        let [one, rest] = waits;
        let third = tokio::time::timeout(brief, one).await;
        assert!(third.is_ok());
        drop(rest);
        drop(second);
        assert!(tokio::time::timeout(brief, take(&home, &two)).await.is_ok(), "who gave up waiting keeps no slot");
        assert!(tokio::time::timeout(brief, take(&home, &servers(1))).await.is_err(), "a lower limit counts at once");
    }
}
