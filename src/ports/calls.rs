//! Calls as they are stored.

use serde::Serialize;

use crate::newsroom::{Agent, Answer, CallKey, Cost, Prompt, Usage};

/// How long a step or an attempt at its call took, in milliseconds; none where nobody measured it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Times {
    /// From when it could begin until it did. The pause before a retry does not count.
    pub waited_ms: Option<u64>,
    /// From when it began until it ended.
    pub worked_ms: Option<u64>,
}

/// What an attempt took, beside its tokens.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CallNumbers {
    pub times: Times,
    /// None if its model has no price, or the server did not say what it used.
    pub cost: Option<Cost>,
}

/// A call that is about to be made; it is stored first.
#[derive(Debug, Clone, PartialEq)]
pub struct Intent {
    pub key: CallKey,
    pub agent: Agent,
    pub model: String,
    /// The host that sees the text.
    pub host: String,
    /// Hex digest of the whole input: model, settings, prompt, schema.
    pub digest: String,
    pub prompt: Prompt,
    /// The most tokens that it may use, sent and received.
    pub reckoned: (u64, u64),
}

/// A failed attempt. Its answer is stored as well, if there was one.
#[derive(Debug, Clone, PartialEq)]
pub struct Rejected {
    pub key: CallKey,
    pub error: String,
    pub answer: Option<Answer>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct StoredCall {
    pub key: CallKey,
    /// Hex digest of its input.
    pub digest: String,
    pub answer: Option<Answer>,
    /// Whether the attempt ended without a usable answer.
    pub rejected: bool,
    /// The tokens of the attempt, even if it was rejected.
    pub usage: Usage,
    pub times: Times,
}
