//! The parts of a story that are on the screen, and since when. Plain data.

use std::collections::HashSet;

use jiff::Timestamp;

use copydesk_core::ports::RunKey;
use copydesk_newsroom::{ExaminedObject, Wait};

/// How long something has to be on the screen before it counts: a key that is held passes over it. In milliseconds.
const LONG_ENOUGH: i64 = 1_000;

/// A part of a run, and where the run waits.
pub type SeenPart = (RunKey, Option<Wait>, ExaminedObject);

#[derive(Debug, Clone, Default)]
pub struct OnScreen {
    shown: Vec<SeenPart>,
    since: Option<Timestamp>,
    noted: HashSet<SeenPart>,
}

impl OnScreen {
    /// Takes in what is on the screen now. Returns what was there long enough for the first time.
    pub fn show(&mut self, shown: Vec<SeenPart>, now: Timestamp) -> Vec<SeenPart> {
        let seen = self.since.is_some_and(|since| now.duration_since(since).as_millis() >= i128::from(LONG_ENOUGH));
        let is_new = |part: &&SeenPart| seen && self.noted.insert((*part).clone());
        let new = self.shown.iter().filter(is_new).cloned().collect();
        if shown != self.shown {
            (self.shown, self.since) = (shown, Some(now));
        }
        new
    }

    /// Whether something is on the screen that has not been there for long.
    pub fn waits(&self) -> bool {
        self.shown.iter().any(|part| !self.noted.contains(part))
    }
}
