//! Feedback to the writer.

use serde::{Deserialize, Serialize};

use super::Verdict;

/// Feedback for one revision, compiled without a model (docs/reference/contract.md).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WriterFeedback {
    /// The round that this feedback closes, from 1.
    pub iteration: u32,
    /// 1 to 10.
    pub rating: u8,
    /// Always false: feedback is only sent when the round did not pass.
    pub passed: bool,
    /// The to-dos in order, in one text.
    pub reasoning: String,
    /// Up to five rationales of verdicts that keep the text.
    pub improvement_suggestions: Vec<String>,
    /// The tasks, in concern order.
    pub todo_list: Vec<String>,
    /// The verdicts that this feedback was compiled from.
    pub verdicts: Vec<Verdict>,
}
