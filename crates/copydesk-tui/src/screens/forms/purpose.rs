//! The decision that a form makes, and its use of words that are found.

use strum::VariantArray;

use copydesk_core::editorial::choices::GateSeen;
use copydesk_core::ports::RunKey;
use copydesk_newsroom::StoryKey;

/// The gate or sign-off that a decision is for. If the story moves on, the form decides nothing elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecisionPoint {
    pub run: RunKey,
    pub story: StoryKey,
    /// The state that the editor saw when the form was opened: the wait, and how many decisions there were.
    pub seen: GateSeen,
}

impl DecisionPoint {
    pub fn round(&self) -> u32 {
        self.seen.at.round()
    }
}

/// The action on the words that are found in a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq, VariantArray)]
pub enum FindWay {
    Find,
    Replace,
    ReplaceAll,
}

impl FindWay {
    pub fn words(self) -> &'static str {
        match self {
            Self::Find => "find the next",
            Self::Replace => "replace one",
            Self::ReplaceAll => "replace all",
        }
    }
}
