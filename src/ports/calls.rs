//! Calls as the records keep them.

use crate::newsroom::{Agent, Answer, CallKey, Prompt, Usage};

/// A call that is about to be made, written before it is.
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
    /// Tokens that it may use at most, sent and received.
    pub reckoned: (u64, u64),
}

/// An attempt that was no use: its answer, if there was one, is kept all the same.
#[derive(Debug, Clone, PartialEq)]
pub struct Rejected {
    pub key: CallKey,
    pub error: String,
    pub answer: Option<Answer>,
}

/// A call as it is recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredCall {
    pub key: CallKey,
    /// Hex digest of its input.
    pub digest: String,
    /// A usable answer, if one came.
    pub answer: Option<Answer>,
    /// Whether the attempt is over without a usable answer.
    pub rejected: bool,
    /// Tokens of the attempt, rejected ones included.
    pub usage: Usage,
}
