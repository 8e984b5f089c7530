//! The state of a story in the words that every list uses: `copydesk list`, the desk, a story's runs.

use super::{ListedRun, RunState, Wait};

/// Who works on a story now, as far as this program knows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum StoryHolder {
    #[default]
    Nobody,
    Ours,
    /// This program, once it has a free slot.
    OursSoon,
    /// It waits in the queue for any worker.
    Queued,
    Others,
}

/// The state of a story. Their order is that of urgency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StoryState {
    /// It waits for the editor at a gate.
    AtGate,
    /// It waits for sign-off.
    AtSignOff,
    /// It ended, and an editor should look at it.
    Flagged,
    /// It could not be finished.
    Failed,
    /// This program works on it.
    AtWork,
    /// It waits for its turn.
    Queued,
    /// Another program works on it.
    Elsewhere,
    /// It was interrupted and can be resumed.
    Stopped,
    Paused,
    /// It passed and is not signed off.
    Passed,
    /// The same, of an extract: nobody has written an article.
    Extracted,
    Signed,
    /// It was out, and was taken back.
    Withdrawn,
    /// A later run took over.
    Replaced,
}

impl StoryState {
    #[must_use]
    pub fn of(run: &ListedRun, hands: StoryHolder) -> Self {
        match run.state {
            _ if run.is_flagged() => Self::Flagged,
            RunState::Superseded if !run.current => Self::Replaced,
            RunState::Succeeded if run.withdrawn.is_some() => Self::Withdrawn,
            RunState::Succeeded if run.signed_by.is_some() => Self::Signed,
            RunState::Succeeded if run.extract => Self::Extracted,
            RunState::Succeeded => Self::Passed,
            RunState::Failed => Self::Failed,
            RunState::Open | RunState::Superseded => match (run.waits_at(), hands) {
                (Some(Wait::SignOff { .. }), _) => Self::AtSignOff,
                (Some(_), _) => Self::AtGate,
                (None, StoryHolder::Ours) => Self::AtWork,
                (None, StoryHolder::Others) => Self::Elsewhere,
                (None, _) if run.paused => Self::Paused,
                (None, StoryHolder::OursSoon | StoryHolder::Queued) => Self::Queued,
                (None, StoryHolder::Nobody) => Self::Stopped,
            },
        }
    }

    /// Its mark, which says the same without colour, and its name.
    #[must_use]
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::AtGate => ("?", "waits for you"),
            Self::AtSignOff => ("?", "to be signed"),
            Self::Flagged => ("!", "flagged"),
            Self::Failed => ("x", "failed"),
            Self::AtWork => (">", "at work"),
            Self::Queued => (".", "in the queue"),
            Self::Elsewhere => (">", "at work elsewhere"),
            Self::Stopped => ("-", "interrupted"),
            Self::Paused => ("=", "paused"),
            Self::Passed => ("+", "passed"),
            Self::Extracted => ("+", "extract made"),
            Self::Signed => ("*", "signed off"),
            Self::Withdrawn => ("x", "withdrawn"),
            Self::Replaced => ("-", "replaced"),
        }
    }

    /// Whether nothing more is to be done.
    #[must_use]
    pub fn is_settled(self) -> bool {
        matches!(self, Self::Passed | Self::Extracted | Self::Signed | Self::Withdrawn | Self::Replaced)
    }
}
