//! What the sources deny: the words that stand near a denial.
//!
//! Why: a draft that denies what nobody denied is as wrong as one that makes a thing up, and no word in it is foreign to
//! the sources. Read once and only where a rule asks, so that each question costs a look-up.

use crate::proof::words::{WordList, words};

/// Words that turn round what they stand with, beyond `not` and `no`.
static TURNS: WordList = words(include_str!("../../../assets/words/turning.txt"));

/// Words of a source that can tell what is not so: denials as they are typed in haste, and what went wrong.
static PLAIN: WordList = words(include_str!("../../../assets/words/plain_denials.txt"));

/// First letters of words that only look as if `un-` turned them round.
const NO_PREFIX: [&str; 7] = ["under", "uni", "until", "unless", "uncle", "upon", "nonethe"];

/// Whether a word turns a statement round, though no denial by itself.
pub fn turns(word: &str) -> bool {
    TURNS.contains(word)
}

/// Whether a word of a source denies, turns round, or says `un-`, `non-`, `-less`: the widest sense, in favour of a draft.
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
