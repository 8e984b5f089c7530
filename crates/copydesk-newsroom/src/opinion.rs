//! A model's opinion on a sentence that the proof could not bind to its sources. It is no proof: it counts nowhere, and no row, score or
//! flag depends on it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::SourceSpan;

/// A sentence of the draft that the proof does not call matching, beside the passages that it is made from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Doubt {
    /// The article's field that the sentence is in, by its contract name.
    pub field: String,
    /// First byte in that field.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    pub text: String,
    /// The passages, the closest first; at least one.
    pub passages: Vec<SourceSpan>,
}

/// Whether passages carry a sentence, as a model sees it. It is stored by its [`name`](Self::name).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Thought {
    Carried,
    NotCarried,
    Contradicts,
}

named!(Thought);

impl Thought {
    /// The words for it, after "a model thinks:".
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Carried => "the passages carry it",
            Self::NotCarried => "the passages do not carry it",
            Self::Contradicts => "the passages contradict it",
        }
    }
}

/// A model's opinion on one sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opinion {
    /// The article's field that the sentence is in.
    pub field: String,
    /// First byte in that field.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    pub thought: Thought,
    /// Words of the passages that the model quoted for it and that stand there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quoted: Vec<SourceSpan>,
    /// How many other quotations it gave, which stand in none of the passages and were thrown away.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub thrown_away: usize,
}

impl Opinion {
    /// Whether a span of a draft's field is in its sentence, or its sentence in the span.
    pub fn is_about(&self, field: &str, start: usize, end: usize) -> bool {
        self.field == field && self.start < end && start < self.end
    }

    /// The opinion in words, such as `the passages carry it`.
    pub fn in_words(&self) -> String {
        let thrown_away = match self.thrown_away {
            0 => String::new(),
            1 => "; 1 quotation that no passage has was thrown away".to_owned(),
            more => format!("; {more} quotations that no passage has were thrown away"),
        };
        format!("{}{thrown_away}", self.thought.in_words())
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// The opinions of one model.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opinions {
    /// The model.
    pub by: String,
    /// In the order of the draft. Sentences that the model said nothing of are missing.
    pub given: Vec<Opinion>,
    /// Why there are none, or not all, in a sentence; then the proof stands as it was.
    pub problem: Option<String>,
}

impl Opinions {
    /// How many there are, or why there are none.
    pub fn in_words(&self) -> String {
        match (&self.problem, self.given.len()) {
            (Some(problem), _) => format!("no opinion: {problem}"),
            (None, 1) => "1 opinion".to_owned(),
            (None, some) => format!("{some} opinions"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thoughts_are_stored_by_their_names() {
        for thought in [Thought::Carried, Thought::NotCarried, Thought::Contradicts] {
            assert_eq!(serde_json::json!(thought), thought.name());
        }
    }
}
