//! Prices of tokens.

use serde::Serialize;

use super::Usage;

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
    #[must_use]
    pub fn of(&self, usage: &Usage) -> f64 {
        let sent = usage.prompt_tokens.unwrap_or(0);
        let cached = usage.cached_tokens.unwrap_or(0).min(sent);
        amount(sent - cached) * self.sent
            + amount(cached) * self.cached
            + amount(usage.completion_tokens.unwrap_or(0)) * self.received
    }
}

/// A count of tokens as a number to calculate with; exact up to 2^53.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "what is lost is nothing beside so many")]
pub const fn amount(tokens: u64) -> f64 {
    tokens as f64
}

#[cfg(test)]
mod tests {
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
