//! What a sentence speaks of, and how much of it a passage must share.

use crate::proof::{reading::token::Token, sources::archive::content, words::class::Class};

/// Share of a sentence's weight that a hedged sentence must carry by itself to be the same told otherwise.
pub const COVER: f64 = 0.42;

/// Share from which an unhedged passage counts as speaking of the same.
pub const PLAIN: f64 = 0.3;

/// What a sentence speaks of: its content without the names and titles of those who say it.
pub fn matter(tokens: &[Token]) -> Vec<&str> {
    let says = tokens.iter().any(|token| token.class.has(Class::SAYS) || token.word == "according");
    let named = |at: usize, token: &Token| token.class.has(Class::SAYS) || says && at > 0 && token.capital;
    let mut stems = content(tokens);
    let speakers: Vec<&str> = tokens
        .iter()
        .enumerate()
        .filter(|(at, token)| named(*at, token))
        .map(|(_, token)| token.stem.as_str())
        .collect();
    stems.retain(|stem| !speakers.contains(stem));
    stems
}
