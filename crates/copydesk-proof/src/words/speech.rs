//! Verbs that say who spoke.

use crate::words::{WordList, words};

static SAYING: WordList = words(include_str!("../../../../assets/words/saying.txt"));

/// Verbs that say who spoke if they stand right beside a quotation, and mean other things elsewhere.
pub static VOICING: WordList = words(include_str!("../../../../assets/words/voicing.txt"));

pub fn says(word: &str) -> bool {
    SAYING.contains(word)
}
