//! Reading the desk back: lists, journals, calls, the audit log. Writes nothing.

use async_trait::async_trait;

use super::{RunKey, StoreError};
use crate::newsroom::{Answer, Entry, EventRecord, ListedRun, Prompt, Step};

/// What happened since somebody looked last.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tail {
    /// The last event's place in the log; 0 if there is none.
    pub last: i64,
    /// The runs that it and those before it tell of, each once, in the order of their keys. One that [`Archive::listed`]
    /// does not know any more was deleted with its story.
    pub runs: Vec<RunKey>,
}

/// An event with its place in the log.
#[derive(Debug, Clone, PartialEq)]
pub struct Logged {
    pub seq: i64,
    /// The run that it tells of.
    pub run: RunKey,
    /// The event; the names of story and run are empty if the story was deleted since.
    pub record: EventRecord,
}

/// How an attempt stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallState {
    /// On its way, or lost with the program that made it.
    Asked,
    /// A usable answer came.
    Answered,
    /// It is over without a usable answer.
    Rejected,
}

/// An attempt at a call, without its texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallRow {
    /// The run that made it: the one that was asked for, or one that it took the step over from.
    pub run: RunKey,
    /// The step that asked.
    pub step: Step,
    /// 1 for the first attempt.
    pub attempt: u32,
    pub agent: String,
    /// The model that was asked.
    pub model: String,
    /// The host that saw the text.
    pub host: String,
    pub state: CallState,
    /// Why it was no use.
    pub error: Option<String>,
    /// Tokens sent, as the server counted them.
    pub prompt_tokens: Option<u64>,
    pub completion_tokens: Option<u64>,
    /// When it was asked: ISO 8601, UTC.
    pub asked_at: String,
    /// When it was over.
    pub ended_at: Option<String>,
    /// How often it was made again after an interruption, and may have been billed again.
    pub repeats: u32,
    /// When retention took its texts away: ISO 8601, UTC.
    pub removed_at: Option<String>,
}

/// The texts of an attempt.
#[derive(Debug, Clone, PartialEq)]
pub struct CallText {
    /// The prompt, as it was sent.
    pub prompt: Prompt,
    /// The answer as it came, a useless one too.
    pub answer: Option<Answer>,
    /// Why it was no use.
    pub error: Option<String>,
    /// When retention took both away, ISO 8601, UTC: then the prompt is empty and there is no answer.
    pub removed_at: Option<String>,
}

/// How the chain of the audit log stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chain {
    Whole {
        /// How many events it has.
        events: u64,
    },
    /// Something was changed or left out.
    Broken {
        /// The place of the first event that does not fit.
        seq: i64,
    },
}

/// Reading the desk back. Every method sees what any program has committed.
#[async_trait]
pub trait Archive: Send + Sync {
    /// What a run used, by model: its name, tokens sent and tokens received as far as its server said, of attempts without use as well.
    async fn spent(&self, run: RunKey) -> Result<Vec<(String, u64, u64)>, StoreError>;

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

    /// What happened after the event `after`. Cheap if nothing did: a screen asks several times a second.
    async fn tail(&self, after: i64) -> Result<Tail, StoreError>;

    /// The entries of a run's journal after its `seq`th, each with its place, which counts from 1.
    async fn entries_after(&self, run: RunKey, seq: i64) -> Result<Vec<(i64, Entry)>, StoreError>;

    /// The calls behind a run's journal, in the order in which they were asked: its own, and for steps that it has in its
    /// journal but made no call for, those of the nearest run that it took over from.
    async fn call_log(&self, run: RunKey) -> Result<Vec<CallRow>, StoreError>;

    /// The texts of an attempt; none if there is no such attempt.
    async fn call_text(&self, run: RunKey, step: Step, attempt: u32) -> Result<Option<CallText>, StoreError>;

    /// A run's events, in order.
    async fn events(&self, run: RunKey) -> Result<Vec<EventRecord>, StoreError>;

    /// The events of all runs after the event `after`, in the log's order, without those whose content was deleted; at most a
    /// thousand.
    async fn events_after(&self, after: i64) -> Result<Vec<Logged>, StoreError>;

    /// The last link of the audit log's chain, hex; empty if nothing has happened yet.
    async fn chain_head(&self) -> Result<String, StoreError>;

    /// Reckons the audit log's chain anew, and the digest of each payload that is still there.
    async fn verify_chain(&self) -> Result<Chain, StoreError>;
}
