//! What is asked of a model and what it cost.

use serde::{Deserialize, Serialize};

use super::{Specialist, Step};

/// Who speaks in a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Instructions of the house.
    System,
    /// The task and its material.
    User,
}

impl Role {
    /// The name on the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
        }
    }
}

/// A named piece of a prompt, so that a prompt that is too long can say which piece is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// What it is, such as `SOURCE_TEXT` or the template's file.
    pub name: String,
    pub text: String,
}

/// One message of a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// The pieces, in order; joined without anything between them.
    pub parts: Vec<Part>,
}

impl Message {
    /// The message's text.
    #[must_use]
    pub fn text(&self) -> String {
        self.parts.iter().map(|part| part.text.as_str()).collect()
    }
}

/// A whole prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prompt {
    /// The messages, in order.
    pub messages: Vec<Message>,
}

impl Prompt {
    /// Length of all texts, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.messages.iter().flat_map(|message| &message.parts).map(|part| part.text.len()).sum()
    }

    /// All messages as one text, for a record that keeps the prompt whole.
    #[must_use]
    pub fn text(&self) -> String {
        let texts: Vec<String> =
            self.messages.iter().map(|message| format!("[{}]\n{}", message.role.name(), message.text())).collect();
        texts.join("\n\n")
    }
}

/// Which call of which run this is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CallKey {
    /// The step that asks.
    pub step: Step,
    /// 1 for the first attempt.
    pub attempt: u32,
}

/// Tokens as the server counted them; null where it did not say.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Usage {
    pub prompt_tokens: Option<u64>,
    /// Tokens of the answer.
    pub completion_tokens: Option<u64>,
    /// Tokens of the prompt that the server had in its cache.
    pub cached_tokens: Option<u64>,
}

/// Who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Agent {
    /// Drafts and revises.
    Writer,
    /// Reviews a draft.
    ArticleReview,
    /// Routes concerns.
    ConcernMapping,
    /// Decides a concern.
    Specialist(Specialist),
    /// Searches outside the house.
    EvidenceSearch,
}

impl Agent {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        [Self::Writer, Self::ArticleReview, Self::ConcernMapping, Self::EvidenceSearch]
            .into_iter()
            .chain(Specialist::ALL.map(Self::Specialist))
    }

    /// The agent's name in calls, events and memory keys.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Writer => "writer",
            Self::ArticleReview => "article_review",
            Self::ConcernMapping => "concern_mapping",
            Self::Specialist(specialist) => specialist.name(),
            Self::EvidenceSearch => "evidence_search",
        }
    }
}

/// A whole answer of a model or a search service.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The text as it came, without secrets.
    pub text: String,
    /// Citations that came beside the text; only a search service sends any.
    pub citations: Vec<String>,
    /// Tokens as the server counted them.
    pub usage: Usage,
}
