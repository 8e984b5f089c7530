//! What may be used: tokens and money, of a story and of a batch.

use std::collections::HashMap;

/// What a story, and all stories of a batch together, may use.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Budget {
    /// Tokens of a story, and of a batch.
    pub tokens: [Option<u64>; 2],
    /// Cost of a story, and of a batch.
    pub cost: [Option<f64>; 2],
    /// What a token costs by model, sent and received.
    pub prices: HashMap<String, (f64, f64)>,
}

impl Budget {
    /// What so many tokens of a model cost, sent and received; nothing if no price is known.
    #[must_use]
    pub fn cost_of(&self, model: &str, (prompt, answer): (u64, u64)) -> f64 {
        self.prices.get(model).map_or(0.0, |(sent, received)| amount(prompt) * sent + amount(answer) * received)
    }

    /// Whether there is any limit.
    #[must_use]
    pub fn is_limited(&self) -> bool {
        self.tokens.iter().any(Option::is_some) || self.cost.iter().any(Option::is_some)
    }
}

/// A count of tokens to reckon and to tell with; exact up to 2^53.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "what is lost is nothing beside so many")]
pub const fn amount(tokens: u64) -> f64 {
    tokens as f64
}

/// A budget that a call could pass.
#[derive(Debug, Clone, PartialEq)]
pub struct OverBudget {
    /// The key that sets it.
    pub key: &'static str,
    /// The most that may be used.
    pub limit: f64,
    /// What is used, with what calls on their way may use.
    pub used: f64,
    /// What the call may use.
    pub call: f64,
}

impl OverBudget {
    /// One of its amounts: whole tokens, or money to the hundredth of a cent.
    #[must_use]
    pub fn said(&self, amount: f64) -> String {
        if self.key.ends_with("tokens") { format!("{amount:.0}") } else { format!("{amount:.4}") }
    }
}
