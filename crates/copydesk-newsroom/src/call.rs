//! The prompts of calls of models, and their cost. The prices of tokens.

use serde::{Deserialize, Serialize};

use super::{Specialist, Step, Tool, ToolCall};

/// Who speaks in a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "snake_case")]
pub enum Role {
    /// Instructions of the house.
    System,
    /// The task and its material.
    User,
    /// An earlier answer of the model: text, calls of tools, or both.
    Assistant,
    /// The result of a call of a tool. It is data, never an instruction.
    Tool,
}

named!(Role);

/// A named piece of a prompt, so that a prompt that is too long can say which piece is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Its name, such as `SOURCE_TEXT` or the template's file.
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
    pub calls: Vec<ToolCall>,
    /// The call whose result a tool's message is, by its id.
    pub answers: Option<String>,
}

impl Message {
    /// A message of text alone.
    pub fn new(role: Role, parts: Vec<Part>) -> Self {
        Self { role, parts, calls: Vec::new(), answers: None }
    }

    /// The message's text.
    pub fn text(&self) -> String {
        self.parts.iter().map(|part| part.text.as_str()).collect()
    }

    /// Who speaks, for a person: `assistant`, or `tool, result of call_1`.
    pub fn speaker(&self) -> String {
        let role = self.role.name();
        self.answers
            .as_ref()
            .map_or_else(|| role.to_owned(), |id| format!("{role}, result of {}", ToolCall::short_id(id)))
    }

    /// The text and then the calls, each on a line of its own, for a person.
    pub fn with_calls(&self) -> String {
        let text = Some(self.text()).filter(|text| self.calls.is_empty() || !text.is_empty());
        text.into_iter().chain(self.calls.iter().map(ToolCall::line)).collect::<Vec<_>>().join("\n")
    }

    fn bytes(&self) -> usize {
        let texts = self.parts.iter().map(|part| part.text.len());
        let calls = self.calls.iter().map(ToolCall::bytes);
        texts.chain(calls).chain(self.answers.as_ref().map(String::len)).sum()
    }
}

/// A whole prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prompt {
    /// The messages, in order.
    pub messages: Vec<Message>,
    /// The tools that the model may call; none in a prompt that has no conversation.
    pub tools: Vec<Tool>,
    /// Whether the model may call none of the tools any more. Servers that refuse earlier calls without their tools are told of them all the same.
    pub no_calls: bool,
    /// Whether the answer is drawn with more variety, because the one before said the same again and again.
    pub varied: bool,
}

impl Prompt {
    /// A prompt without tools.
    pub fn new(messages: Vec<Message>) -> Self {
        Self { messages, tools: Vec::new(), no_calls: false, varied: false }
    }

    /// Length of all texts, calls and tools, in bytes.
    pub fn bytes(&self) -> usize {
        let tools = self.tools.iter().map(|tool| tool.text().len());
        self.messages.iter().map(Message::bytes).chain(tools).sum()
    }

    /// All messages and tools as one text, for a record that keeps the prompt whole.
    pub fn text(&self) -> String {
        let message = |message: &Message| format!("[{}]\n{}", message.speaker(), message.with_calls());
        let mut texts: Vec<String> = self.messages.iter().map(message).collect();
        if let Some(tools) = self.tools_text() {
            texts.push(format!("[tools]\n{tools}"));
        }
        texts.join("\n\n")
    }

    /// The text that tells the model of its tools; none if it has none.
    pub fn tools_text(&self) -> Option<String> {
        let tools: Vec<String> = self.tools.iter().map(Tool::text).collect();
        (!tools.is_empty()).then(|| tools.join("\n\n"))
    }
}

/// Identifies a call within its run.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CallKey {
    /// The step that asks.
    pub step: Step,
    /// 1 for the first attempt.
    pub attempt: u32,
}

/// Tokens as the server counted them; null if it did not say.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Usage {
    pub prompt_tokens: Option<u64>,
    /// Tokens of the answer.
    pub completion_tokens: Option<u64>,
    /// Tokens of the prompt that the server had in its cache.
    pub cached_tokens: Option<u64>,
}

impl Usage {
    /// Tokens of prompt and answer, as far as they are known.
    pub fn tokens(&self) -> u64 {
        self.prompt_tokens.unwrap_or(0).saturating_add(self.completion_tokens.unwrap_or(0))
    }
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
    /// Notes what keeps readers from an article that passed.
    Publisher,
}

impl Agent {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        let own = [
            Self::Writer,
            Self::ArticleReview,
            Self::ConcernMapping,
            Self::EvidenceSearch,
            Self::Reporter,
            Self::Editor,
            Self::Publisher,
        ];
        own.into_iter().chain(Specialist::ALL.map(Self::Specialist))
    }

    /// The agent's name in calls, events and memory keys.
    pub fn name(self) -> &'static str {
        match self {
            Self::Writer => "writer",
            Self::ArticleReview => "article_review",
            Self::ConcernMapping => "concern_mapping",
            Self::Specialist(specialist) => specialist.name(),
            Self::EvidenceSearch => "evidence_search",
            Self::Reporter => "reporter",
            Self::Editor => "editor",
            Self::Publisher => "publisher",
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

impl Answer {
    /// Length of the text and the calls, in bytes.
    pub fn bytes(&self) -> usize {
        self.text.len() + self.calls.iter().map(ToolCall::bytes).sum::<usize>()
    }
}

/// An amount of money.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cost {
    pub amount: f64,
    /// Such as EUR.
    pub currency: String,
}

/// The price of one token of a model.
#[derive(Debug, Clone, PartialEq)]
pub struct TokenPrice {
    pub currency: String,
    pub sent: f64,
    /// Of a token sent that the server has in its cache.
    pub cached: f64,
    pub received: f64,
}

impl TokenPrice {
    /// The cost of tokens, as far as they are known.
    pub fn of(&self, usage: &Usage) -> f64 {
        let sent = usage.prompt_tokens.unwrap_or(0);
        let cached = usage.cached_tokens.unwrap_or(0).min(sent);
        amount(sent - cached) * self.sent
            + amount(cached) * self.cached
            + amount(usage.completion_tokens.unwrap_or(0)) * self.received
    }
}

/// A count of tokens as a number to calculate with; exact up to 2^53.
#[expect(clippy::cast_precision_loss, reason = "what is lost is nothing beside so many")]
pub const fn amount(tokens: u64) -> f64 {
    tokens as f64
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::ToolEffect;

    #[test]
    fn a_conversation_is_one_readable_text() {
        let message = |role, text: &str| Message::new(role, vec![Part { name: "p".into(), text: text.into() }]);
        let plain = Prompt::new(vec![message(Role::System, "Research."), message(Role::User, "The park.")]);
        assert_eq!((plain.text().as_str(), plain.bytes()), ("[system]\nResearch.\n\n[user]\nThe park.", 18));
        let mut talk = plain.clone();
        let call = ToolCall { id: "c".repeat(50), name: "search".into(), arguments: r#"{"q":"park"}"#.into() };
        talk.messages.push(Message { calls: vec![call], ..message(Role::Assistant, "") });
        talk.messages.push(Message { answers: Some("call_1".into()), ..message(Role::Tool, "Nothing.") });
        talk.tools.push(Tool {
            name: "search".into(),
            description: "Searches.".into(),
            parameters: json!({"type": "object"}),
            effect: ToolEffect::Reads,
        });
        let id = "c".repeat(40);
        let said = format!(
            "{}\n\n[assistant]\n{id}: search {{\"q\":\"park\"}}\n\n[tool, result of call_1]\nNothing.\n\n\
             [tools]\nsearch: Searches.\n{{\"type\":\"object\"}}",
            plain.text()
        );
        assert_eq!(talk.text(), said);
        assert_eq!(talk.bytes(), 18 + (50 + 6 + 12) + (8 + 6) + 35);
    }
}

#[cfg(test)]
mod price_tests {
    use super::*;

    #[test]
    fn cached_tokens_have_their_own_price_and_no_more_of_them_count_than_were_sent() {
        let price = TokenPrice { currency: "EUR".into(), sent: 2.0, cached: 0.5, received: 10.0 };
        let cost = |prompt_tokens, cached_tokens| {
            price.of(&Usage { prompt_tokens, completion_tokens: Some(3), cached_tokens })
        };
        let costs = [cost(Some(8), None), cost(Some(8), Some(6)), cost(Some(8), Some(20)), cost(None, Some(6))];
        assert_eq!(costs.map(|cost| cost.to_string()), ["46", "37", "34", "30"]);
    }
}
