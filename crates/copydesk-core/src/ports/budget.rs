//! Limits of tokens and cost, for a story and for a batch.

use std::collections::HashMap;

use copydesk_newsroom::{Cost, TokenPrice, Usage};

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
    #[must_use]
    pub fn cost_of(&self, model: &str, usage: &Usage) -> f64 {
        self.prices.get(model).map_or(0.0, |price| price.of(usage))
    }

    /// The cost of a call; none if the model has no price, or the server did not say what it used.
    #[must_use]
    pub fn cost_of_call(&self, model: &str, usage: &Usage) -> Option<Cost> {
        let price = self.prices.get(model).filter(|_| usage.prompt_tokens.or(usage.completion_tokens).is_some())?;
        Some(Cost { amount: price.of(usage), currency: price.currency.clone() })
    }

    #[must_use]
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
    #[must_use]
    pub fn said(&self, amount: f64) -> String {
        if self.key.ends_with("tokens") { format!("{amount:.0}") } else { format!("{amount:.4}") }
    }
}
