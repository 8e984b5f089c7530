//! What happened, in a form of its own: the audit log, the progress line and `--json` all read this.

use serde::{Deserialize, Serialize};

use super::{Status, Step};

/// One thing that happened to a run. The JSON form is stable; fields are only ever added.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// A run was opened.
    RunOpened {
        /// The story's working title.
        title: String,
        /// `offline` or `llm`.
        engine: String,
        /// How many rounds it may take.
        max_rounds: u32,
    },
    /// The run goes on after an interruption.
    RunResumed {
        /// How many steps were already done.
        steps_done: usize,
    },
    /// The run takes over from one that was opened under other prompts or settings.
    RunForked {
        /// The run id of the one that it takes over from.
        from: String,
    },
    /// A call is about to be made.
    CallStarted {
        /// The step that asks.
        step: Step,
        /// 1 for the first attempt.
        attempt: u32,
        /// The agent that asks.
        agent: String,
        /// The model that is asked.
        model: String,
        /// The host that sees the text.
        host: String,
    },
    /// A call that was in flight at an interruption is made again and may have been billed twice.
    CallRepeated {
        /// The step that asks.
        step: Step,
        /// Which attempt.
        attempt: u32,
    },
    /// An attempt was no use.
    CallFailed {
        /// The step that asked.
        step: Step,
        /// Which attempt.
        attempt: u32,
        /// What was wrong.
        message: String,
        /// Seconds until the next attempt; null where there is none.
        again_in_seconds: Option<f64>,
    },
    /// A step is done and committed.
    StepDone {
        /// The step.
        step: Step,
        /// What came out, in a few words.
        summary: String,
    },
    /// A verdict was given.
    VerdictGiven {
        /// The step.
        step: Step,
        /// The concern's excerpt.
        excerpt: String,
        /// What the specialist decided.
        status: Status,
    },
    /// Something that an editor should know about a step.
    Noted {
        /// The step.
        step: Step,
        /// What it is.
        message: String,
    },
    /// The run ended.
    RunClosed {
        /// Whether a round passed.
        success: bool,
        /// How many rounds were reviewed.
        rounds: u32,
        /// How many concerns of the kept draft are open.
        open_concerns: u32,
        /// Why a human should look.
        flags: Vec<String>,
        /// What went wrong, where something did.
        error: Option<String>,
    },
}

/// An event with its place in the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EventRecord {
    /// When: ISO 8601, UTC.
    pub at: String,
    /// `channel/slug`.
    pub story: String,
    /// The run's id.
    pub run: String,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
}

/// A run as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ListedRun {
    /// `channel/slug`.
    pub story: String,
    /// The working title.
    pub title: String,
    /// The newsroom desk, where one was named.
    pub desk: Option<String>,
    /// The run's id.
    pub run: String,
    /// `open`, `success` or `failed`.
    pub state: String,
    /// Whether this is the story's current run.
    pub current: bool,
    /// Rounds reviewed so far.
    pub rounds: u32,
    /// Open concerns of the latest review.
    pub open_concerns: u32,
    /// Why a human should look.
    pub flags: Vec<String>,
    /// Tokens sent.
    pub prompt_tokens: u64,
    /// Tokens received.
    pub completion_tokens: u64,
    /// When it was opened: ISO 8601, UTC.
    pub opened_at: String,
    /// When it was last changed: ISO 8601, UTC.
    pub updated_at: String,
    /// What went wrong, where something did.
    pub error: Option<String>,
}
