//! How long a program without a screen goes on when a server is down (`desk.queue.give_up_after_minutes`) or a disk is full. No person is
//! there to mend either, and nothing is lost.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use crate::{
    desk::{Desk, DeskError},
    ports::ServerDown,
};

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

/// How long stories at work may go on once a disk is full.
const GRACE: Duration = Duration::from_secs(5);

/// Whether a disk is full. Nothing new is begun then.
#[derive(Debug, Default)]
pub(crate) struct NoRoom {
    /// Since when, and what is said of it.
    since: Option<(Instant, String)>,
}

impl NoRoom {
    pub(crate) fn notice(&mut self, error: &DeskError) {
        if error.has_no_room() {
            self.since.get_or_insert_with(|| (Instant::now(), error.to_string()));
        }
    }

    pub(crate) fn is_noticed(&self) -> bool {
        self.since.is_some()
    }

    /// Why to end now: no story is at work any more, or those that are had their time.
    pub(crate) fn ends(&self, nothing_at_work: bool) -> Option<&str> {
        let (since, why) = self.since.as_ref()?;
        (nothing_at_work || since.elapsed() >= GRACE).then_some(why)
    }
}
