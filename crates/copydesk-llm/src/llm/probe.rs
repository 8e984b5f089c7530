//! Lists a server's models, for `init`, `doctor` and the settings page.

use std::time::{Duration, Instant};

use serde_json::Value;

use super::service::HttpService;
use copydesk_config::{Endpoint, Secret};
use copydesk_core::ports::CallError;
use copydesk_text::sanitise;

/// How long the list may take.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long a server may load its model, and how often it is asked meanwhile.
const LOADING: (Duration, Duration) = (Duration::from_mins(3), Duration::from_millis(500));

/// The answer of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Probe {
    /// The names of its models.
    Models(Vec<String>),
    /// It is there and loads its model.
    Loading,
    /// The server did not answer, or not as a model server does; the reason.
    Nothing(String),
}

/// Asks `GET /models`. Gives up after five seconds: a server that writes on every core is slow to list.
pub async fn probe(endpoint: &Endpoint, api_key: Option<&Secret>, local_only: bool) -> Probe {
    let service = HttpService::with_key(local_only, api_key);
    let page = match tokio::time::timeout(PATIENCE, service.json(endpoint, "/models", api_key, None)).await {
        Ok(Ok(page)) => page,
        Ok(Err(error)) if is_loading(&error) => return Probe::Loading,
        Ok(Err(CallError::Status { status, .. })) => return Probe::Nothing(format!("it answered {status}")),
        Ok(Err(CallError::Unreadable { detail, .. })) => return Probe::Nothing(detail),
        Ok(Err(error)) => return Probe::Nothing(error.to_string()),
        Err(_) => return Probe::Nothing(format!("it did not answer within {} s", PATIENCE.as_secs())),
    };
    let Some(models) = page.get("data").and_then(Value::as_array) else {
        return Probe::Nothing("its answer lists no models".into());
    };
    let ids = models.iter().filter_map(|model| model.get("id").and_then(Value::as_str));
    Probe::Models(ids.map(|id| sanitise::excerpt(id, 200)).collect())
}

/// The same, but waits up to three minutes for a server that loads its model. `told` is called once, before the wait.
pub async fn probe_loaded(
    endpoint: &Endpoint,
    api_key: Option<&Secret>,
    local_only: bool,
    told: impl FnOnce(),
) -> Probe {
    let begun = Instant::now();
    let mut told = Some(told);
    loop {
        match probe(endpoint, api_key, local_only).await {
            Probe::Loading if begun.elapsed() < LOADING.0 => {
                if let Some(told) = told.take() {
                    told();
                }
                tokio::time::sleep(LOADING.1).await;
            }
            Probe::Loading => {
                return Probe::Nothing(format!("it still loads its model after {} s", LOADING.0.as_secs()));
            }
            answer => return answer,
        }
    }
}

/// Whether a server answered 503 "Loading model", as llama.cpp does until its model is loaded (`tools/server/README.md`, "GET /health").
pub(super) fn is_loading(error: &CallError) -> bool {
    matches!(error, CallError::Status { status: 503, message, .. } if message.to_ascii_lowercase().contains("loading model"))
}
