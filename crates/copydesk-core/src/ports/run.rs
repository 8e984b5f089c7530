//! Runs as the records know them.

use copydesk_newsroom::{Priority, RunState, StoryKey};

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
    /// The headline, once it is not that of the first draft any more. Lists have the working title before.
    pub headline: Option<String>,
    /// The step at which it waits for its editor, such as `r1.gate`.
    pub waits: Option<String>,
    /// Who signed it off.
    pub signed_by: Option<String>,
    /// Rounds with a parsed review.
    pub rounds: u32,
    /// Rounds that it may take.
    pub max_rounds: u32,
    /// Open concerns of the latest review.
    pub open_concerns: u32,
    /// The reasons why a person should look.
    pub flags: Vec<String>,
    pub prompt_tokens: u64,
    pub completion_tokens: u64,
    pub error: Option<String>,
    /// Whether its latest draft is an extract: rules chose sentences of the sources, and nobody wrote in it.
    pub extract: bool,
}

/// Whether a story continues after the steps under way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PauseState {
    #[default]
    On,
    /// An editor has paused it.
    Paused,
}

/// A run that has not ended, or whose files may not all be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfinished {
    pub key: RunKey,
    pub run_id: String,
    pub story: StoryKey,
    pub pins: String,
    /// The priority of its story.
    pub priority: Priority,
    /// Whether an editor paused its story. No program resumes it then.
    pub paused: bool,
    /// Whether it waits for its editor.
    pub waits: bool,
    /// Its state in the queue.
    pub queued: QueueState,
}

/// A run's state in the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueueState {
    /// It is not in the queue: a worker has it, or it needs no work.
    No,
    /// It waits for a worker or for its time.
    Waits,
    /// A person stopped it; it waits until a person resumes it.
    Held,
}
