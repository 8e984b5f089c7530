//! Reads the desk's data: lists, journals, calls, the audit log. It writes nothing.

use std::collections::HashMap;

use async_trait::async_trait;

use super::{Audit, CallNumbers, RunKey, SignedOff, StoreError, Times, WorkProgress};
use copydesk_newsroom::{Answer, Entry, EventRecord, ListedRun, Prompt, SharingStory, Step, Usage};

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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

/// Whether the chain of the audit log is intact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chain {
    Whole {
        events: u64,
    },
    /// An event was changed or is missing.
    Broken {
        /// The position of the first event that does not fit.
        seq: i64,
    },
}

/// Reads the desk's data. Every method sees the commits of every program.
#[async_trait]
pub trait Archive: Send + Sync {
    /// The tokens that a run used, by model, as far as the servers reported them. Failed attempts count.
    async fn spent(&self, run: RunKey) -> Result<Vec<(String, Usage)>, StoreError>;

    /// Runs, latest first; only the current run of each story unless `all`.
    async fn list(&self, all: bool) -> Result<Vec<ListedRun>, StoreError>;

    /// The current run of each story, latest first.
    async fn desk(&self) -> Result<Vec<(RunKey, ListedRun)>, StoreError>;

    /// Those of `runs` that exist, in that order.
    async fn listed(&self, runs: &[RunKey]) -> Result<Vec<(RunKey, ListedRun)>, StoreError>;

    /// All runs of the story `channel/slug` (case does not count), latest first.
    async fn runs_of(&self, story: &str) -> Result<Vec<(RunKey, ListedRun)>, StoreError>;

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

    /// Recomputes the audit log's chain, and the digest of each payload that still exists.
    async fn verify_chain(&self) -> Result<Chain, StoreError>;

    /// Checks the whole database: SQLite's own check, then the audit log from its first to its last event. Each text is compared with its
    /// digest, and each run with its journal and its events. Each sign-off is compared with the log and with `signed`, which lies outside
    /// the database.
    async fn audit(&self, signed: Vec<SignedOff>) -> Result<Audit, StoreError> {
        self.audit_with(signed, WorkProgress::default()).await
    }

    /// The same, telling how far it is: events and texts.
    async fn audit_with(&self, signed: Vec<SignedOff>, progress: WorkProgress) -> Result<Audit, StoreError>;
}
