//! Which way a story takes. Newsrooms work in one way; an evaluation compares it with the others.

use serde::{Deserialize, Serialize};

/// The course of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "kebab-case")]
pub enum Workflow {
    /// Drafts are reviewed and revised until one passes, or the rounds are used up.
    #[default]
    #[strum(serialize = "four-layer")]
    Full,
    /// Each agent works once, in order: a draft, a review with its verdicts, a revision that nobody reviews.
    Sequential,
    /// The writer alone, with the same sources and passages: one draft.
    SingleAgent,
}

named!(Workflow);

impl Workflow {
    pub const ALL: [Self; 3] = [Self::Full, Self::Sequential, Self::SingleAgent];

    /// Whether anybody reviews the draft of a round.
    pub fn reviews(self, round: u32) -> bool {
        match self {
            Self::Full => true,
            Self::Sequential => round == 1,
            Self::SingleAgent => false,
        }
    }

    /// Its rounds, if `configured` are allowed.
    pub fn max_rounds(self, configured: u32) -> u32 {
        match self {
            Self::Full => configured,
            Self::Sequential => 2,
            Self::SingleAgent => 1,
        }
    }
}
