//! How long a program without a screen waits for a server that is down (`desk.queue.give_up_after_minutes`).

use std::{sync::Arc, time::Duration};

use crate::{desk::Desk, ports::ServerDown};

/// How often it is looked whether the servers are back.
const LOOK: Duration = Duration::from_secs(1);

/// Waits for servers that are down, so long and no longer.
pub(crate) struct ServerPatience {
    desk: Arc<Desk>,
    /// Milliseconds since 1970: what was down before counts from here on.
    began: i64,
}

impl ServerPatience {
    pub(crate) fn new(desk: &Arc<Desk>) -> Self {
        Self { desk: Arc::clone(desk), began: desk.clock.now().as_millisecond() }
    }

    /// Returns once a server has been down for so long that waiting is pointless. The caller may drop the future at any time.
    pub(crate) async fn is_lost(&self) {
        loop {
            let now = self.desk.clock.now().as_millisecond();
            // One that has rested is about to be asked again.
            if let Some(down) = self.down().await
                && down.until > now
                && now - down.since.unwrap_or(now).max(self.began) >= self.most()
            {
                return;
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    fn most(&self) -> i64 {
        i64::try_from(self.desk.queue_rules.give_up_after.as_millis()).unwrap_or(i64::MAX)
    }

    /// The server that has been down for the longest time.
    async fn down(&self) -> Option<ServerDown> {
        let servers = self.desk.queue.servers_down(self.desk.clock.now().as_millisecond()).await.ok()?;
        // A server that this program does not ask may have been down for ever.
        let ours = |server: &str| self.desk.queue_rules.servers.values().any(|limits| limits.server == server);
        servers.into_iter().filter(|down| down.since.is_some() && ours(&down.server)).min_by_key(|down| down.since)
    }

    /// The message about a story that waits for a server.
    pub(crate) async fn why(&self) -> String {
        match self.down().await {
            Some(down) => format!(
                "{} is down ({}). The story is queued; `copydesk resume` resumes it",
                down.server,
                down.error.unwrap_or_default()
            ),
            None => "Queued: `copydesk resume` resumes it".to_owned(),
        }
    }
}
