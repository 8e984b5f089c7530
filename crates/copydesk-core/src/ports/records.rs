//! Stores runs, calls, events and memory. [`super::Archive`] reads them for lists and screens.
//!
//! If a method that writes returns, its change is durable; if it fails, nothing was changed.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use async_trait::async_trait;

use super::{
    CallNumbers, Intent, OverBudget, PauseState, QueueChanges, Rejected, RunKey, RunSummary, Slots, StoreError,
    StoredCall, Taken, Times, ToolTried, Unfinished,
};
use copydesk_newsroom::{Answer, CallKey, Entry, Event, Journal, MemoryRecord, Opening, PassageUse, Priority, Step};

/// The additions of one transaction to a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Commit {
    /// The generation of the story's lease on which this builds: the commit is refused once another program has taken the story over. None
    /// for a caller without a lease.
    pub generation: Option<i64>,
    /// When: ISO 8601, UTC.
    pub at: String,
    /// Finished steps, in order.
    pub entries: Vec<Entry>,
    /// How long these steps took. It is stored beside the entries, because no later step may depend on it.
    pub times: HashMap<Step, Times>,
    /// Calls about to be made.
    pub intents: Vec<Intent>,
    /// Calls about to be made again after an interruption.
    pub repeats: Vec<CallKey>,
    pub answers: Vec<(CallKey, Answer)>,
    pub rejected: Vec<Rejected>,
    /// The times and the costs of these attempts.
    pub numbers: HashMap<CallKey, CallNumbers>,
    /// Calls of tools that ended.
    pub tools: Vec<ToolTried>,
    /// Records for the institutional memory.
    pub memory: Vec<MemoryRecord>,
    /// Key hashes of records that an editor overruled: they are not offered again.
    pub withdrawn: Vec<String>,
    /// The passages that the run rests on now, in place of what was noted; none: as noted.
    pub passages: Option<Vec<PassageUse>>,
    /// The persons whom the run's draft accuses, in place of what was noted; none: as noted.
    pub accused: Option<Vec<String>>,
    pub events: Vec<Event>,
    /// The run's state after the commit.
    pub summary: Option<RunSummary>,
    /// The changes to the run's messages.
    pub queue: QueueChanges,
}

/// The result of a commit.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Committed {
    /// Whether the story continues.
    pub going: PauseState,
    /// Steps that the worker has taken in the same transaction, of this run and of others.
    pub taken: Vec<Taken>,
    /// Steps of this run whose call could exceed the budget. None of these calls is made.
    pub over_budget: Vec<(Option<Step>, OverBudget)>,
    /// Steps of this run that were the worker's and have to wait, because calls on their way may use up the budget.
    pub put_off: Vec<Option<Step>>,
    /// Events that the store itself has logged for the run.
    pub events: Vec<Event>,
    /// The generation of the story's lease.
    pub generation: i64,
}

/// A run to be opened.
#[derive(Debug, Clone, PartialEq)]
pub struct NewRun {
    pub opening: Opening,
    /// The run that it takes over from: answers of that one are found by [`Records::answer_for`].
    pub takes_over: Option<RunKey>,
    /// The story's priority from now on; none: unchanged.
    pub priority: Option<Priority>,
    /// The batch that it is begun in.
    pub batch: Option<String>,
    /// The commit that is written with the opening.
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
    /// Steps for which a tool that acts was called, or was about to be.
    pub acts: HashSet<Step>,
    /// The generation of its story's lease.
    pub generation: i64,
}

/// Runs and their journals.
#[async_trait]
pub trait Records: Send + Sync {
    /// Opens a run and makes it its story's current one; earlier runs of the story that are open are superseded. If
    /// `opening.run_id` is taken, nothing is done: the caller is told by `None` and chooses another.
    ///
    /// If there is `slots`, the worker takes what comes next in the same transaction; so it does at a commit.
    async fn open_run(
        &self,
        run: NewRun,
        slots: Option<Arc<dyn Slots>>,
    ) -> Result<Option<(RunKey, Committed)>, StoreError>;

    /// Adds to a run. The result says whether the run may continue: any program may have paused its story. Fails with
    /// [`StoreError::TakenOver`] if the commit builds on an earlier generation.
    async fn commit(&self, run: RunKey, commit: Commit, slots: Option<Arc<dyn Slots>>)
    -> Result<Committed, StoreError>;

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
