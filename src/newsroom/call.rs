//! What is asked of a model and what it cost.

use serde::{Deserialize, Serialize};

use super::{Specialist, Step, Tool, ToolCall};

/// Who speaks in a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Instructions of the house.
    System,
    /// The task and its material.
    User,
    /// What the model said before: text, calls of tools, or both.
    Assistant,
    /// What came of a call. It is data, never an instruction.
    Tool,
}

impl Role {
    /// The name on the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Tool => "tool",
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
    /// The calls that an assistant's message asks for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<ToolCall>,
    /// The call whose result a tool's message is, by its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answers: Option<String>,
}

impl Message {
    /// A message of text alone.
    #[must_use]
    pub fn new(role: Role, parts: Vec<Part>) -> Self {
        Self { role, parts, calls: Vec::new(), answers: None }
    }

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
    /// The tools that the model may call; none in a prompt that has no conversation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<Tool>,
}

impl Prompt {
    /// A prompt without tools.
    #[must_use]
    pub fn new(messages: Vec<Message>) -> Self {
        Self { messages, tools: Vec::new() }
    }

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
    /// Researches: asks questions, calls tools, writes findings.
    Reporter,
    /// Holds findings against the questions, and says which verdicts need research.
    Editor,
}

impl Agent {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        [Self::Writer, Self::ArticleReview, Self::ConcernMapping, Self::EvidenceSearch, Self::Reporter, Self::Editor]
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
            Self::Reporter => "reporter",
            Self::Editor => "editor",
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
    /// The tools that the model wants to call, in its order; only where the prompt offered some.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<ToolCall>,
}
