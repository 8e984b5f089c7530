//! Findings of a program that compares a draft with its sources.

use serde::{Deserialize, Serialize};

use super::ConcernType;

/// A place in one of the story's sources.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceSpan {
    /// The source's name.
    pub source: String,
    /// First byte in the source's text.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// The text between.
    pub text: String,
}

/// One finding: a span of the draft that its sources do not carry as it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// The kind of concern.
    pub concern_type: ConcernType,
    /// The rule that decided, such as `quotation.altered`.
    pub rule: String,
    /// The article's field that the span is in, by its contract name.
    pub field: String,
    /// First byte in that field.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// The span's text.
    pub text: String,
    /// The problem, in a sentence for the editor.
    pub note: String,
    /// The place in the source that bears on it, if one does.
    pub passage: Option<SourceSpan>,
    /// Whether a human must decide about it before the story can be signed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub blocks: bool,
    /// The words of the source to put instead of the span, if the sentence with them was proved again and raises nothing.
    pub replacement: Option<String>,
}
