//! What is kept: runs, calls, events, memory. Reading it back for lists and screens is [`super::Archive`].
//!
//! Contract of every method that writes: what it returns from is durable; what it fails at did not happen.

use std::sync::Arc;

use async_trait::async_trait;

use super::{
    Dealings, Going, Intent, OverBudget, Rejected, Room, RunKey, RunSummary, StoreError, StoredCall, Taken, Unfinished,
};
use crate::newsroom::{Answer, CallKey, Entry, Event, Journal, MemoryRecord, Opening, Priority, Step};

/// What one transaction adds to a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Commit {
    /// When: ISO 8601, UTC.
    pub at: String,
    /// Finished steps, in order.
    pub entries: Vec<Entry>,
    /// Calls about to be made.
    pub intents: Vec<Intent>,
    /// Calls about to be made again after an interruption.
    pub repeats: Vec<CallKey>,
    pub answers: Vec<(CallKey, Answer)>,
    pub rejected: Vec<Rejected>,
    /// Records for the institutional memory.
    pub memory: Vec<MemoryRecord>,
    /// Key hashes of records that an editor overruled: they are not offered again.
    pub withdrawn: Vec<String>,
    pub events: Vec<Event>,
    /// How the run stands now.
    pub summary: Option<RunSummary>,
    /// What becomes of the run's messages.
    pub queue: Dealings,
}

/// What a commit led to.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Committed {
    /// Whether the story goes on.
    pub going: Going,
    /// Steps that the worker has taken in the same transaction, of this run and of others.
    pub taken: Vec<Taken>,
    /// Steps of this run whose call could pass the budget: none of them is made.
    pub over_budget: Vec<(Option<Step>, OverBudget)>,
    /// Steps of this run that were the worker's and have to wait, because calls on their way may use up the budget.
    pub put_off: Vec<Option<Step>>,
    /// What the records found out and have noted in the run's log.
    pub events: Vec<Event>,
}

/// A run to be opened.
#[derive(Debug, Clone, PartialEq)]
pub struct NewRun {
    /// What it is opened with.
    pub opening: Opening,
    /// The run that it takes over from: answers of that one are found by [`Records::answer_for`].
    pub takes_over: Option<RunKey>,
    /// How urgent the story is from now on; none: as it was.
    pub priority: Option<Priority>,
    /// The batch that it is begun in.
    pub batch: Option<String>,
    /// What is committed with the opening.
    pub first: Commit,
}

/// A run as it was recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredRun {
    pub journal: Journal,
    /// Its calls, in the order in which they were written.
    pub calls: Vec<StoredCall>,
    /// The run that it took over from.
    pub took_over: Option<RunKey>,
}

/// Runs and their journals.
#[async_trait]
pub trait Records: Send + Sync {
    /// Opens a run and makes it its story's current one; earlier runs of the story that are open are superseded. If
    /// `opening.run_id` is taken, nothing is done: the caller is told by `None` and chooses another.
    ///
    /// If there is `room`, the worker takes what comes next in the same transaction; so it does at a commit.
    async fn open_run(
        &self,
        run: NewRun,
        room: Option<Arc<dyn Room>>,
    ) -> Result<Option<(RunKey, Committed)>, StoreError>;

    /// Adds to a run. Returns whether it may go on after that: any program may have paused its story.
    async fn commit(&self, run: RunKey, commit: Commit, room: Option<Arc<dyn Room>>) -> Result<Committed, StoreError>;

    /// Reads a run back.
    async fn load(&self, run: RunKey) -> Result<StoredRun, StoreError>;

    /// A usable answer that `run` has for this input, or else the nearest of those that it took over from.
    async fn answer_for(&self, run: RunKey, digest: &str) -> Result<Option<Answer>, StoreError>;

    /// Current runs that are open, or whose files are not known to be written, the most urgent first, then the
    /// oldest; paused ones too, marked.
    async fn unfinished(&self) -> Result<Vec<Unfinished>, StoreError>;

    /// Notes that all files of a finished run are written: nothing of it is left to do.
    async fn files_written(&self, run: RunKey) -> Result<(), StoreError>;
}

/// The institutional memory.
#[async_trait]
pub trait Memory: Send + Sync {
    /// The latest record under this key that may be offered: nobody overruled or struck it, and it is not older than `since`
    /// (ISO 8601, UTC, with milliseconds), if that is given.
    async fn recall(&self, cache_key_hash: &str, since: Option<&str>) -> Result<Option<MemoryRecord>, StoreError>;

    /// The records that a run has made.
    async fn records_of(&self, run: RunKey) -> Result<Vec<MemoryRecord>, StoreError>;
}
