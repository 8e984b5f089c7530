//! Reads the desk's data: lists, journals, calls, figures, traces, the audit log and the findings of its check. It writes nothing.

use std::collections::{BTreeMap, HashMap};

use async_trait::async_trait;
use serde::Serialize;

use super::{CallNumbers, MessageState, RunKey, ServerDown, StoreError, Times, ToolEnd, WorkProgress};
use copydesk_newsroom::{
    Answer, AttemptEnd, Entry, EventRecord, Facts, ListedRun, Pool, Prompt, RunState, Secrecy, SharingStory, Step,
    StoryKey, Usage,
};

/// The events since the last look.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tail {
    /// The last event's position in the log; 0 if there is none.
    pub last: i64,
    /// The runs of these events, each once, in the order of their keys. A run that [`Archive::listed`] no longer knows was deleted with its
    /// story.
    pub runs: Vec<RunKey>,
}

/// An event with its position in the log.
#[derive(Debug, Clone, PartialEq)]
pub struct Logged {
    pub seq: i64,
    pub run: RunKey,
    /// The names of story and run are empty if the story was deleted since.
    pub record: EventRecord,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, strum::IntoStaticStr, strum::EnumString)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum CallState {
    /// It was sent; there is no answer yet, or the program ended before one came.
    Asked,
    /// A usable answer came.
    Answered,
    /// It ended without a usable answer.
    Rejected,
}

/// An attempt at a call, without its texts.
#[derive(Debug, Clone, PartialEq)]
pub struct CallRow {
    /// The run that made it: the requested run, or an earlier one that it took the step over from.
    pub run: RunKey,
    pub step: Step,
    /// 1 for the first attempt.
    pub attempt: u32,
    pub agent: String,
    pub model: String,
    /// The host that saw the text.
    pub host: String,
    pub state: CallState,
    /// Why it could not be used.
    pub error: Option<String>,
    pub usage: Usage,
    pub numbers: CallNumbers,
    pub prompt_bytes: Option<u64>,
    pub answer_bytes: Option<u64>,
    /// When it was asked: ISO 8601, UTC.
    pub asked_at: String,
    /// When it ended.
    pub ended_at: Option<String>,
    /// How often it was sent again after an interruption. Each time may have been billed.
    pub repeats: u32,
    /// When retention deleted its texts: ISO 8601, UTC.
    pub removed_at: Option<String>,
}

/// The texts of an attempt.
#[derive(Debug, Clone, PartialEq)]
pub struct CallText {
    pub prompt: Prompt,
    /// The answer as it came, even if it could not be used.
    pub answer: Option<Answer>,
    /// Why it could not be used.
    pub error: Option<String>,
    /// When retention deleted both, ISO 8601, UTC. The prompt is then empty and there is no answer.
    pub removed_at: Option<String>,
}

/// Reads the desk's data. Every method sees the commits of every program.
#[async_trait]
pub trait Archive: Send + Sync {
    /// The tokens that a run used, by model, as far as the servers reported them. Failed attempts count.
    async fn spent(&self, run: RunKey) -> Result<Vec<(String, Usage)>, StoreError>;

    /// Runs, latest first; only the current run of each story unless `all`.
    async fn list(&self, all: bool) -> Result<Vec<(RunKey, ListedRun)>, StoreError>;

    /// Those of `runs` that exist, in that order.
    async fn listed(&self, runs: &[RunKey]) -> Result<Vec<(RunKey, ListedRun)>, StoreError>;

    /// All runs of the story `channel/slug` (case does not count), latest first.
    async fn runs_of(&self, story: &str) -> Result<Vec<(RunKey, ListedRun)>, StoreError>;

    /// The current run of the story, as in [`runs_of`](Self::runs_of).
    async fn current_run(&self, story: &str) -> Result<Option<(RunKey, ListedRun)>, StoreError> {
        Ok(self.runs_of(story).await?.into_iter().find(|(_, run)| run.current))
    }

    /// Runs whose run id is `name`, or of the story `name` (`channel/slug`, or the slug alone), latest first.
    async fn find(&self, name: &str) -> Result<Vec<(RunKey, ListedRun)>, StoreError>;

    /// The events after `after`. It is cheap if there are none, because a screen asks several times a second.
    async fn tail(&self, after: i64) -> Result<Tail, StoreError>;

    /// The entries of a run's journal after its `seq`th, each with its position, counted from 1.
    async fn entries_after(&self, run: RunKey, seq: i64) -> Result<Vec<(i64, Entry)>, StoreError>;

    /// The calls behind a run's journal, in the order in which they were made: its own, and for steps that it took over, those of the nearest
    /// earlier run.
    async fn call_log(&self, run: RunKey) -> Result<Vec<CallRow>, StoreError>;

    /// How long each step of a run's journal took.
    async fn times(&self, run: RunKey) -> Result<HashMap<Step, Times>, StoreError>;

    /// The texts of an attempt; none if there is no such attempt.
    async fn call_text(&self, run: RunKey, step: Step, attempt: u32) -> Result<Option<CallText>, StoreError>;

    /// A run's events, in order.
    async fn events(&self, run: RunKey) -> Result<Vec<EventRecord>, StoreError>;

    /// The events of all runs after the event `after`, in the log's order, without those whose content was deleted; at most a
    /// thousand.
    async fn events_after(&self, after: i64) -> Result<Vec<Logged>, StoreError>;

    /// The other stories that rest on passages of a run, by their current run or one that was signed off; those with the most first.
    async fn sharing(&self, run: RunKey) -> Result<Vec<SharingStory>, StoreError>;

    /// The last link of the audit log's chain, hex; empty if nothing has happened yet.
    async fn chain_head(&self) -> Result<String, StoreError>;

    /// Checks the whole database: SQLite's own check, then the audit log from its first to its last event. Each text is compared with its
    /// digest, and each run with its journal and its events. Each sign-off is compared with the log and with `signed`, which lies outside
    /// the database.
    async fn audit(&self, signed: Vec<SignedOff>) -> Result<Audit, StoreError> {
        self.audit_with(signed, WorkProgress::default()).await
    }

    /// The same, telling how far it is: events and texts.
    async fn audit_with(&self, signed: Vec<SignedOff>, progress: WorkProgress) -> Result<Audit, StoreError>;
}

/// A sign-off as a file outside the database has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedOff {
    /// The run's id.
    pub run: String,
    /// The editor.
    pub by: String,
    /// The last link of the audit log before it, hex.
    pub chain: String,
}

/// The result of a check.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Audit {
    pub stories: u64,
    /// Events of the audit log.
    pub events: u64,
    /// Those of stories that the database hides from its user: their places in the chain are checked, their texts cannot be.
    pub hidden: u64,
    /// Everything that is not as it was written; empty if all is.
    pub flaws: Vec<Flaw>,
}

/// Something that is not as it was written. Each says what, for a person.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    #[error("it is damaged: {0}")]
    Damaged(String),
    #[error("it has {0}, which Copydesk did not make")]
    Foreign(String),
    #[error("it lacks {0}, or somebody changed it")]
    Lacking(String),
    /// With the event's number.
    #[error("the chain of its audit log is broken at event {0}")]
    Broken(i64),
    #[error("its audit log ends at event {last}, and event {once} was written: somebody cut off its end")]
    CutOff { last: u64, once: u64 },
    #[error("its audit log was written anew: {0} has another event at its place")]
    Rewritten(String),
    #[error("the file {0}, which holds the end of its audit log, is missing or was changed")]
    HeadGone(String),
    #[error("the text of event {0} is gone, and nobody deleted its story")]
    Emptied(i64),
    #[error("stories are missing, and no event says who deleted them")]
    StoriesGone,
    #[error("{count} of its texts are not as they were stored; they belong to {of}")]
    Texts { count: usize, of: String },
    /// With the run's id.
    #[error("the row of the run {run} was changed: its {what} is not what its journal and the audit log say")]
    Run { run: String, what: &'static str },
    #[error("the run {run} is listed as signed off by {by}, and the audit log has no such sign-off")]
    Signature { run: String, by: String },
    #[error("the run {run} was signed off by {by}, as its artifacts say, and the database does not have that")]
    SignatureGone { run: String, by: String },
    /// With what is wrong.
    #[error("its outbox was changed: {0}")]
    Outbox(String),
    /// With the story.
    #[error("the embargo of {0} was changed")]
    Embargo(String),
    /// With the story.
    #[error("the list of those whom {0} asked for a reply was changed")]
    Replies(String),
    /// With the request's number.
    #[error("the ledger of its requests is not as it was written at request {0}")]
    Ledger(i64),
    /// With the story.
    #[error("somebody changed that {0} is confidential, or whose names it hides")]
    Secrecy(String),
    #[error("{0} records of the memory were changed")]
    Memory(usize),
}

/// The waiting messages and stories, and the servers that are down, at this moment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QueueBacklog {
    /// Messages of each pool in each state.
    pub messages: Vec<(Pool, MessageState, u64)>,
    /// Since when the message that has waited longest could be taken, by pool; milliseconds since 1970.
    pub longest: Vec<(Pool, i64)>,
    /// The current runs of stories, by state and by whether they wait for an editor.
    pub stories: BTreeMap<(&'static str, bool), u64>,
    /// The servers that get no requests now.
    pub down: Vec<ServerDown>,
}

impl QueueBacklog {
    /// How many stories are in a state.
    pub fn count_story(&mut self, state: RunState, waits: bool, number: u64) {
        *self.stories.entry((state.as_str(), waits)).or_default() += number;
    }
}

/// A period, in parts that follow each other.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PeriodFacts {
    /// As many as there are pairs of bounds.
    pub parts: Vec<Facts>,
    /// The calls that took longest, the slowest first.
    pub slowest: Vec<SlowCall>,
}

/// A call that took long. Calls that no model was asked for are not among them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlowCall {
    pub run: RunKey,
    pub story: StoryKey,
    pub step: Step,
    pub attempt: u32,
    pub agent: String,
    pub model: String,
    pub end: AttemptEnd,
    /// Milliseconds from sent to ended.
    pub worked_ms: u64,
}

/// Numbers of the record. Every method sees the commits of every program.
#[async_trait]
pub trait FactBook: Send + Sync {
    /// The work from `from` until before `until`; both ISO 8601, UTC, to the millisecond. Deleted stories are not counted.
    async fn facts(&self, from: &str, until: &str) -> Result<Facts, StoreError> {
        let bounds = vec![from.to_owned(), until.to_owned()];
        Ok(self.period(bounds, 0).await?.parts.pop().unwrap_or_default())
    }

    /// The same for each two bounds that follow each other, read together; and the `slowest` calls between the first bound and the last.
    async fn period(&self, bounds: Vec<String>, slowest: usize) -> Result<PeriodFacts, StoreError>;

    /// The backlog at `now`, in milliseconds since 1970.
    async fn backlog(&self, now: i64) -> Result<QueueBacklog, StoreError>;
}

/// A run, as its trace shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct TracedRun {
    pub key: RunKey,
    /// The secrecy of its story.
    pub secrecy: Secrecy,
    /// ISO 8601, UTC.
    pub opened_at: String,
    /// Those that were asked for, without any that has nothing to show.
    pub steps: Vec<TracedStep>,
}

/// A step that has ended, with all attempts at it.
#[derive(Debug, Clone, PartialEq)]
pub struct TracedStep {
    pub step: Step,
    /// When it ended; none if only its calls are known.
    pub ended_at: Option<String>,
    /// Whether it was given up.
    pub failed: bool,
    pub times: Times,
    pub calls: Vec<CallRow>,
    pub tools: Vec<TracedTool>,
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TracedTool {
    /// 1 for the first.
    pub attempt: u32,
    /// Its name, as the model wrote it.
    pub tool: String,
    pub end: ToolEnd,
    pub ended_at: String,
    pub worked_ms: Option<u64>,
}

/// Why spans were not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TraceFault {
    /// It may take them later.
    NotNow(String),
    /// It will never take them.
    Refused(String),
}
