//! Verbs that give words to someone.

use crate::proof::words::{WordList, words};

static SAYING: WordList = words(include_str!("../../../assets/words/saying.txt"));

/// Verbs that give words to someone right beside a quotation, and mean other things elsewhere.
pub static VOICING: WordList = words(include_str!("../../../assets/words/voicing.txt"));

/// Whether a folded word gives words to someone.
pub fn says(word: &str) -> bool {
    SAYING.contains(word)
}
