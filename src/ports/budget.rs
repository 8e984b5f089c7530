//! Limits of tokens and cost, for a story and for a batch.

use std::collections::HashMap;

/// The limits of one story, and of all stories of a batch together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Budget {
    /// Most tokens of a story, and of a batch.
    pub tokens: [Option<u64>; 2],
    /// Highest cost of a story, and of a batch.
    pub cost: [Option<f64>; 2],
    /// The price of a token sent and of one received, by model.
    pub prices: HashMap<String, (f64, f64)>,
}

impl Budget {
    /// The cost of tokens sent and received; 0 if the model has no price.
    #[must_use]
    pub fn cost_of(&self, model: &str, (prompt, answer): (u64, u64)) -> f64 {
        self.prices.get(model).map_or(0.0, |(sent, received)| amount(prompt) * sent + amount(answer) * received)
    }

    #[must_use]
    pub fn is_limited(&self) -> bool {
        self.tokens.iter().any(Option::is_some) || self.cost.iter().any(Option::is_some)
    }
}

/// A count of tokens as a number to calculate with; exact up to 2^53.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "what is lost is nothing beside so many")]
pub const fn amount(tokens: u64) -> f64 {
    tokens as f64
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
    #[must_use]
    pub fn said(&self, amount: f64) -> String {
        if self.key.ends_with("tokens") { format!("{amount:.0}") } else { format!("{amount:.4}") }
    }
}
