//! Asking a model.

use std::time::Duration;

use async_trait::async_trait;

use crate::newsroom::{Agent, Answer, Prompt};

/// The JSON schema that an answer should keep, with the name that servers want for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Schema {
    /// Such as `verdict`.
    pub name: &'static str,
    /// The schema, without references.
    pub schema: serde_json::Value,
}

/// What is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    /// Who asks; decides model, server and limits.
    pub agent: Agent,
    pub prompt: Prompt,
    /// The form of the answer, if it is JSON.
    pub schema: Option<Schema>,
}

/// What is known about an agent's model before it is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Card {
    pub model: String,
    /// The host that will see the text, with its port.
    pub host: String,
    /// Attempts after the first.
    pub max_retries: u32,
    pub retry_delay: Duration,
    /// Most tokens of an answer.
    pub max_tokens: u64,
    /// Everything else that shapes an answer (temperature, limits, form), for the digest of a call's input.
    pub shape: String,
}

/// Bytes of a text that make a token at least, reckoned without a tokenizer: English has four or more.
const BYTES_A_TOKEN: usize = 4;

impl Card {
    /// Tokens that a call may use at most, as far as that can be said without counting: its prompt's and the longest answer's.
    #[must_use]
    pub fn tokens_of(&self, prompt: &Prompt) -> u64 {
        self.prompt_tokens(prompt).saturating_add(self.max_tokens)
    }

    /// Tokens of a prompt, reckoned.
    #[must_use]
    pub fn prompt_tokens(&self, prompt: &Prompt) -> u64 {
        u64::try_from(prompt.bytes().div_ceil(BYTES_A_TOKEN)).unwrap_or(u64::MAX)
    }
}

/// Why a call gave no usable answer. The message of each says what a person can do about it.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CallError {
    /// The host is not allowed.
    #[error("{host} is not this machine and privacy.local_only is true; {setting} names it")]
    NotLocal { host: String, setting: String },
    /// The prompt does not fit.
    #[error("the prompt is too large for {model}: {size} of at most {limit} tokens (context_window × context_window_threshold); its parts: {}", .parts.join(", "))]
    PromptTooLarge {
        model: String,
        /// Tokens, or a lower bound in words.
        size: String,
        limit: u64,
        /// Name and size of each part, largest first.
        parts: Vec<String>,
    },
    /// Nobody listens, or the connection broke before an answer began.
    #[error("no connection to {host}: {detail}; is the model server running there?")]
    Unreachable { host: String, detail: String },
    /// No whole answer in time.
    #[error("{host} gave no whole answer within {seconds} s (timeout_seconds)")]
    TimedOut { host: String, seconds: f64 },
    /// An answer that is an error.
    #[error("{host} answered {status}: {message}{}", .retry_after.map_or_else(String::new, |wait| format!(" (it asks to wait {} s)", wait.as_secs())))]
    Status {
        host: String,
        status: u16,
        /// What the server said, shortened and without secrets.
        message: String,
        /// How long the server asks to wait.
        retry_after: Option<Duration>,
    },
    /// The stream or body ended before the answer did.
    #[error("{host} broke off in the middle of its answer")]
    CutOff { host: String },
    /// The answer used up `max_tokens`.
    #[error("the answer was cut at max_tokens ({max_tokens}), finish_reason length; raise max_tokens or ask for less")]
    EndedEarly { max_tokens: u64 },
    /// The server ended the answer for a reason of its own.
    #[error("{host} stopped the answer with finish_reason {reason:?}")]
    Stopped {
        host: String,
        /// What the server gave as the reason.
        reason: String,
    },
    /// More than is read.
    #[error("the answer of {host} is larger than {limit_mb} MB and was not read to its end")]
    AnswerTooLarge { host: String, limit_mb: usize },
    /// Not an answer of an OpenAI-compatible server.
    #[error("{host} did not answer as an OpenAI-compatible server does: {detail}")]
    Unreadable { host: String, detail: String },
}

impl CallError {
    /// Whether another attempt may help: time-outs, connections, 408, 425, 429, 5xx, and answers that broke off or make
    /// no sense. Refusals (other 4xx), prompts that do not fit and hosts that are not allowed stay what they are.
    #[must_use]
    pub fn may_retry(&self) -> bool {
        match self {
            Self::NotLocal { .. } | Self::PromptTooLarge { .. } => false,
            Self::Status { status, .. } => matches!(status, 408 | 425 | 429 | 500..=599),
            Self::Unreachable { .. }
            | Self::TimedOut { .. }
            | Self::CutOff { .. }
            | Self::EndedEarly { .. }
            | Self::Stopped { .. }
            | Self::AnswerTooLarge { .. }
            | Self::Unreadable { .. } => true,
        }
    }

    /// Whether it may go better later without anything being changed: then the step is delivered again. An answer
    /// that makes no sense is none of these: whoever gives it will give it again.
    #[must_use]
    pub fn passes(&self) -> bool {
        match self {
            Self::Unreachable { .. } | Self::TimedOut { .. } | Self::CutOff { .. } => true,
            Self::Status { .. } => self.may_retry(),
            Self::NotLocal { .. }
            | Self::PromptTooLarge { .. }
            | Self::EndedEarly { .. }
            | Self::Stopped { .. }
            | Self::AnswerTooLarge { .. }
            | Self::Unreadable { .. } => false,
        }
    }

    /// Whether it says that the server is down or cannot keep up.
    #[must_use]
    pub fn is_the_servers(&self) -> bool {
        match self {
            Self::Unreachable { .. } | Self::TimedOut { .. } => true,
            Self::Status { status, .. } => (500..=599).contains(status),
            _ => false,
        }
    }

    /// Of those that are the server's: whether what was asked may have brought it about, as a prompt does that takes too long or that a
    /// server breaks over. One that is not there, or says that it is overloaded, says nothing of the prompt.
    #[must_use]
    pub fn may_be_the_prompts(&self) -> bool {
        matches!(self, Self::TimedOut { .. } | Self::CutOff { .. } | Self::Status { status: 500, .. })
    }

    /// How long the server asks to wait, if it does.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Status { retry_after, .. } => *retry_after,
            _ => None,
        }
    }
}

/// Is given each piece of an answer's text as it arrives.
pub type Heard<'a> = &'a (dyn Fn(&str) + Send + Sync);

/// Asks models. One request a call: whether to try again is the caller's to decide, because each attempt is recorded.
#[async_trait]
pub trait ModelClient: Send + Sync {
    /// Which model answers for `agent`.
    fn card(&self, agent: Agent) -> Card;

    /// Asks once. `heard` is given each piece of the answer's text as it arrives.
    ///
    /// Dropping the future gives the request up.
    async fn ask(&self, ask: &Ask, heard: Heard<'_>) -> Result<Answer, CallError>;
}
