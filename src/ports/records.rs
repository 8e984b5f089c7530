//! What is kept: runs, calls, events, memory. Reading it back for lists and screens is [`super::Archive`].
//!
//! Contract of every method that writes: what it returns from is durable; what it fails at did not happen.

use std::sync::Arc;

use async_trait::async_trait;

use super::{Dealings, OverBudget, Room, Taken};
use crate::newsroom::{
    Agent, Answer, CallKey, Entry, Event, Journal, MemoryRecord, Opening, Priority, Prompt, RunState, Step, StoryKey,
};

/// A run's key in the records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RunKey(pub i64);

impl RunKey {
    /// Stands in the log for what belongs to no run, such as an import into the memory. No run has this key.
    pub const HOUSE: Self = Self(0);
}

/// Why something could not be kept or read. Each message says what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// Another program writes for longer than we wait.
    #[error("the database {file} is locked by another program for more than {seconds} s; close it there, or try again")]
    Busy {
        /// The file.
        file: String,
        /// How long was waited.
        seconds: u64,
    },
    /// No room.
    #[error("the disk that holds {file} is full; free some space, then `copydesk resume` goes on where this stopped")]
    Full {
        /// The file.
        file: String,
    },
    /// The disk does not take what is written.
    #[error(
        "the disk that holds {file} does not take what is written ({detail}); perhaps it is full; free some space, then `copydesk resume` goes on where this stopped"
    )]
    Refused {
        /// The file.
        file: String,
        /// What SQLite said.
        detail: String,
    },
    /// Written by a later version.
    #[error("the database {file} was written by a newer version of copydesk; update this one (nothing was changed)")]
    Newer {
        /// The file.
        file: String,
    },
    /// Cannot be opened.
    #[error("the database {file} cannot be opened: {detail}; check the folder's permissions and the key `database`")]
    CannotOpen {
        /// The file.
        file: String,
        /// What the system said.
        detail: String,
    },
    /// A backup is never written over another file.
    #[error("there is a file {file} already, and a backup replaces nothing; name another")]
    Exists {
        /// The file.
        file: String,
    },
    /// A backup that could not be written.
    #[error("the backup {file} cannot be written: {detail}; the desk itself is as it was")]
    Backup {
        /// The file.
        file: String,
        /// What the system said.
        detail: String,
    },
    /// Anything else.
    #[error("the database {file} failed: {detail}")]
    Failed {
        /// The file.
        file: String,
        /// What SQLite said.
        detail: String,
    },
    /// Vectors of a length that cannot be kept.
    #[error(
        "vectors of {identity} have {length} numbers, and only whole multiples of 8 can be kept: name another model in knowledge_base.embedding"
    )]
    Length {
        /// The embedder's.
        identity: String,
        /// Numbers of a vector.
        length: usize,
    },
    /// A row that this version cannot read.
    #[error("the record {what} cannot be read: {detail}")]
    Unreadable {
        /// Which record.
        what: String,
        /// What is wrong with it.
        detail: String,
    },
}

/// A run as lists show it; kept beside the journal so that a list need not read journals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunSummary {
    /// How it stands.
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
    /// Tokens sent.
    pub prompt_tokens: u64,
    /// Tokens received.
    pub completion_tokens: u64,
    /// What went wrong.
    pub error: Option<String>,
}

/// A call that is about to be made, written before it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Intent {
    /// Which call.
    pub key: CallKey,
    /// Who asks.
    pub agent: Agent,
    /// Which model.
    pub model: String,
    /// The host that sees the text.
    pub host: String,
    /// Hex digest of the whole input: model, settings, prompt, schema.
    pub digest: String,
    /// The prompt.
    pub prompt: Prompt,
    /// Tokens that it may use at most, sent and received.
    pub reckoned: (u64, u64),
}

/// An attempt that was no use: its answer, where there was one, is kept all the same.
#[derive(Debug, Clone, PartialEq)]
pub struct Rejected {
    /// Which call.
    pub key: CallKey,
    /// Why.
    pub error: String,
    /// What had come.
    pub answer: Option<Answer>,
}

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
    /// Usable answers.
    pub answers: Vec<(CallKey, Answer)>,
    /// Useless attempts.
    pub rejected: Vec<Rejected>,
    /// Records for the institutional memory.
    pub memory: Vec<MemoryRecord>,
    /// Key hashes of records that an editor overruled: they are not offered again.
    pub withdrawn: Vec<String>,
    /// What happened.
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

/// Whether a story goes on after what is under way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Going {
    /// It does.
    #[default]
    On,
    /// An editor has paused it.
    Paused,
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

/// A call as it is recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredCall {
    /// Which call.
    pub key: CallKey,
    /// Hex digest of its input.
    pub digest: String,
    /// A usable answer, where one came.
    pub answer: Option<Answer>,
    /// Whether the attempt is over without a usable answer.
    pub rejected: bool,
    /// Tokens of the attempt, rejected ones included.
    pub usage: crate::newsroom::Usage,
}

/// A run as it was recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredRun {
    /// Its journal.
    pub journal: Journal,
    /// Its calls, in the order in which they were written.
    pub calls: Vec<StoredCall>,
    /// The run that it took over from.
    pub took_over: Option<RunKey>,
}

/// A run that is not over, or whose files may not all be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfinished {
    /// Its key.
    pub key: RunKey,
    /// Its name.
    pub run_id: String,
    /// Its story.
    pub story: StoryKey,
    /// Its pins.
    pub pins: String,
    /// How urgent its story is.
    pub priority: Priority,
    /// Whether an editor paused its story: then nobody goes on with it.
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

/// Runs and their journals.
#[async_trait]
pub trait Records: Send + Sync {
    /// Opens a run and makes it its story's current one; earlier runs of the story that are open are superseded. Where
    /// `opening.run_id` is taken, nothing is done: the caller is told by `None` and chooses another.
    ///
    /// Where there is `room`, the worker takes what comes next in the same transaction; so it does at a commit.
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
    /// (ISO 8601, UTC, with milliseconds), where that is given.
    async fn recall(&self, cache_key_hash: &str, since: Option<&str>) -> Result<Option<MemoryRecord>, StoreError>;

    /// The records that a run has made.
    async fn records_of(&self, run: RunKey) -> Result<Vec<MemoryRecord>, StoreError>;
}
