//! Runs as the records know them.

use crate::newsroom::RunState;
use crate::newsroom::{Priority, StoryKey};

/// A run's key in the records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RunKey(pub i64);

impl RunKey {
    /// Stands in the log for what belongs to no run, such as an import into the memory. No run has this key.
    pub const HOUSE: Self = Self(0);
}

/// A run as lists show it; kept beside the journal so that a list need not read journals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunSummary {
    pub state: RunState,
    /// Where it waits for its editor, such as `r1.gate`.
    pub waits: Option<String>,
    /// Who signed it off.
    pub signed_by: Option<String>,
    /// Rounds with a parsed review.
    pub rounds: u32,
    /// Rounds that it may take.
    pub max_rounds: u32,
    /// Open concerns of the latest review.
    pub open_concerns: u32,
    /// Why a human should look.
    pub flags: Vec<String>,
    pub prompt_tokens: u64,
    pub completion_tokens: u64,
    pub error: Option<String>,
}

/// Whether a story goes on after what is under way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Going {
    /// It does.
    #[default]
    On,
    /// An editor has paused it.
    Paused,
}

/// A run that is not over, or whose files may not all be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfinished {
    pub key: RunKey,
    pub run_id: String,
    pub story: StoryKey,
    pub pins: String,
    /// How urgent its story is.
    pub priority: Priority,
    /// Whether an editor paused its story: then nobody resumes it.
    pub paused: bool,
    /// Whether it waits for its editor.
    pub waits: bool,
    /// How it stands in the queue.
    pub queued: Queued,
}

/// How a run stands in the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Queued {
    /// It does not: somebody works on it, or nobody is to.
    No,
    /// It waits for its turn, or its time.
    Waits,
    /// A person stopped it: it waits until somebody lets it go on.
    Held,
}
