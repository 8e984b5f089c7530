//! Calls as they are stored, and limits of tokens and cost, for a story and for a batch.

use std::collections::HashMap;

use serde::Serialize;

use copydesk_newsroom::{Agent, Answer, CallKey, Cost, Prompt, Step, TokenPrice, ToolResult, Usage, named};

/// The times of a step or of an attempt at its call, in milliseconds; none if they were not measured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Times {
    /// From the time when it could begin until it did. The pause before a retry does not count.
    pub waited_ms: Option<u64>,
    /// From its beginning until its end.
    pub worked_ms: Option<u64>,
}

/// The times and the cost of an attempt, beside its tokens.
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

/// How a call of a tool ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr, strum::EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum ToolEnd {
    Done,
    /// The tool said that it could not do it.
    Failed,
    /// It may have done it, but that is unknown.
    Unknown,
    /// Nothing came back.
    Lost,
}

named!(ToolEnd);

impl ToolEnd {
    /// How a call that came back ended.
    pub fn of(result: &ToolResult) -> Self {
        match (result.unknown, result.failed) {
            (true, _) => Self::Unknown,
            (false, true) => Self::Failed,
            (false, false) => Self::Done,
        }
    }
}

/// A call of a tool that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolTried {
    pub step: Step,
    /// The tool's name, as the model wrote it: there may be no such tool.
    pub tool: String,
    pub end: ToolEnd,
    pub times: Times,
}

#[derive(Debug, Clone, PartialEq)]
pub struct StoredCall {
    pub key: CallKey,
    /// Hex digest of its input.
    pub digest: String,
    /// Its answer, also one that could not be used.
    pub answer: Option<Answer>,
    /// Whether the attempt ended without a usable answer.
    pub rejected: bool,
    /// Why.
    pub error: Option<String>,
    /// The tokens of the attempt, even if it was rejected.
    pub usage: Usage,
    pub times: Times,
}

/// The limits of one story, and of all stories of a batch together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Budget {
    /// Most tokens of a story, and of a batch.
    pub tokens: [Option<u64>; 2],
    /// Highest cost of a story, and of a batch.
    pub cost: [Option<f64>; 2],
    /// The prices of models, by name.
    pub prices: HashMap<String, TokenPrice>,
}

impl Budget {
    /// The cost of tokens; 0 if the model has no price.
    pub fn cost_of(&self, model: &str, usage: &Usage) -> f64 {
        self.prices.get(model).map_or(0.0, |price| price.of(usage))
    }

    /// The cost of a call; none if the model has no price, or the server did not say what it used.
    pub fn cost_of_call(&self, model: &str, usage: &Usage) -> Option<Cost> {
        let price = self.prices.get(model).filter(|_| usage.prompt_tokens.or(usage.completion_tokens).is_some())?;
        Some(Cost { amount: price.of(usage), currency: price.currency.clone() })
    }

    pub fn is_limited(&self) -> bool {
        self.tokens.iter().any(Option::is_some) || self.cost.iter().any(Option::is_some)
    }
}

/// A budget that a call could exceed.
#[derive(Debug, Clone, PartialEq)]
pub struct OverBudget {
    /// The configuration key of the limit.
    pub key: &'static str,
    pub limit: f64,
    /// The amount used, including the most that calls under way may use.
    pub used: f64,
    /// The most that the call may use.
    pub call: f64,
}

impl OverBudget {
    /// Formats one of its amounts: whole tokens, or money to the hundredth of a cent.
    pub fn said(&self, amount: f64) -> String {
        if self.key.ends_with("tokens") { format!("{amount:.0}") } else { format!("{amount:.4}") }
    }
}
