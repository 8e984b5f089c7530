//! The order in which a person should look at claims: how far a reader would be misled if one were wrong.
//!
//! A rule of words, as fact-checkers choose (claims that accuse, count, rank, cost or concern health come first). It decides nothing and only
//! sorts. How well it sorts was not measured.

use std::cmp::Reverse;

use crate::editorial::accusations::accuses;
use copydesk_newsroom::Claim;
use copydesk_text::words::{fold, words};

/// Words of firsts and mosts.
const RANKS: [&str; 22] = [
    "all",
    "always",
    "best",
    "biggest",
    "cheapest",
    "every",
    "fewest",
    "first",
    "highest",
    "largest",
    "last",
    "least",
    "lowest",
    "most",
    "never",
    "none",
    "oldest",
    "only",
    "record",
    "smallest",
    "unprecedented",
    "worst",
];

/// Words of health and harm.
const HEALTH: [&str; 22] = [
    "cancer",
    "cure",
    "dead",
    "deadly",
    "death",
    "deaths",
    "die",
    "died",
    "disease",
    "dose",
    "drug",
    "hospital",
    "infected",
    "injured",
    "killed",
    "medicine",
    "overdose",
    "poison",
    "toxic",
    "treatment",
    "vaccine",
    "virus",
];

/// Words of money beside its signs.
const MONEY: [&str; 9] = ["billion", "cents", "dollars", "euros", "million", "pence", "percent", "pounds", "trillion"];

/// How much a claim is worth a look, from 0.
#[must_use]
pub fn worth(text: &str) -> u32 {
    let said: Vec<String> = words(text).into_iter().map(|word| fold(word.text)).collect();
    let has = |list: &[&str]| said.iter().any(|word| list.contains(&word.as_str()));
    let signs = text.contains(['$', '€', '£', '%']) || text.contains("per cent");
    [
        (accuses(text), 4),
        (signs || has(&MONEY), 2),
        (has(&RANKS), 2),
        (has(&HEALTH), 2),
        (text.contains(|c: char| c.is_ascii_digit()), 1),
    ]
    .into_iter()
    .map(|(counts, points)| if counts { points } else { 0 })
    .sum()
}

/// Sorts claims for a person: those that no source carries first, and of these the worst first.
pub fn sort(claims: &mut [Claim]) {
    claims.sort_by_key(|claim| (claim.verified, Reverse(worth(&claim.text))));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_accusation_comes_before_a_sum_and_a_sum_before_the_weather() {
        let order = [
            "The mayor embezzled $2 million of the fund.",
            "The vaccine killed the most patients in 2021.",
            "The bridge cost $2 million.",
            "It was the first bridge.",
            "It opened in 1958.",
            "The sun shone.",
        ];
        let worths: Vec<u32> = order.iter().map(|text| worth(text)).collect();
        assert!(worths.is_sorted_by(|one, next| one >= next) && worths[0] > worths[5], "{worths:?}");
    }
}
