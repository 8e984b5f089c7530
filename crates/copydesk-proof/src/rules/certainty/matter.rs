//! The topic of a sentence, and how much of it a passage must share.

use crate::{rules::prelude::*, sources::content};

/// A hedged sentence with this share of a sentence's weight is a paraphrase of it.
pub const COVER: f64 = 0.42;

/// A passage without a hedge and with this share has the same topic.
pub const PLAIN: f64 = 0.3;

/// The topic of a sentence: its content words without the names and titles of those who speak.
pub fn matter(tokens: &[Token]) -> Vec<&str> {
    let says = tokens.iter().any(|token| token.class.has(Class::SAYS) || token.word == "according");
    let named = |at: usize, token: &Token| token.class.has(Class::SAYS) || says && at > 0 && token.capital;
    let mut stems = content(tokens);
    stems.retain(|stem| !tokens.iter().enumerate().any(|(at, token)| token.stem == *stem && named(at, token)));
    stems
}
