//! When a program without a screen ends because a disk is full: no person is there to free space, and what it has is safe.

use std::time::{Duration, Instant};

use crate::desk::DeskError;

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
