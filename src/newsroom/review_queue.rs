//! The stories that a human is asked about, and in which order.

use std::cmp::Reverse;

use super::{ListedRun, Priority};

impl ListedRun {
    /// Whether it ended flagged and no human has decided about that: nobody signed it, nobody let the flags stand.
    #[must_use]
    pub fn is_flagged(&self) -> bool {
        let ended = matches!(self.state.as_str(), "success" | "failed");
        ended && !self.flags.is_empty() && self.signed_by.is_none() && self.settled_by.is_none()
    }

    /// Whether a human is asked about it: it waits for its editor, or is flagged. Only a story's current run can be decided.
    #[must_use]
    pub fn is_in_review(&self) -> bool {
        self.current && (self.waits.is_some() && self.state == "open" || self.is_flagged())
    }

    /// Its place in the review queue: the most urgent first, then what has stood longest.
    #[must_use]
    pub fn review_order(&self) -> (Reverse<Priority>, &str, &str) {
        (Reverse(self.priority), &self.stands_since, &self.story)
    }
}
