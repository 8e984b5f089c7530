//! Words that deny, or reverse what they stand with.
//!
//! Why: a draft with a denial that no source has is as wrong as one that invents something, although the sources have all its words.

use crate::words::{WordList, words};

/// Words that reverse what they stand with, besides `not` and `no`.
static TURNS: WordList = words(include_str!("../../../../assets/words/turning.txt"));

/// Words with which a source can say that something is not so: denials without an apostrophe, and things that went
/// wrong.
static PLAIN: WordList = words(include_str!("../../../../assets/words/plain_denials.txt"));

/// First letters of words that only seem to begin with `un-` or `non-`.
const NO_PREFIX: [&str; 7] = ["under", "uni", "until", "unless", "uncle", "upon", "nonethe"];

/// Whether a word of a source denies or reverses, or has `un-`, `non-` or `-less`. The sense is wide, in favour of
/// the draft.
pub fn turns_in_a_source(word: &str) -> bool {
    let without = |prefix: &str| word.starts_with(prefix) && word.len() > 5;
    denies(word)
        || TURNS.contains(word)
        || PLAIN.contains(word)
        || (without("un") || without("non") || word.ends_with("less"))
            && !NO_PREFIX.iter().any(|start| word.starts_with(start))
}

/// Whether a folded word denies.
pub fn denies(word: &str) -> bool {
    word.ends_with("n't")
        || matches!(
            word,
            "not" | "no" | "never" | "none" | "nobody" | "nothing" | "neither" | "nor" | "cannot" | "without"
        )
}
