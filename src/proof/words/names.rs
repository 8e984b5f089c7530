//! Words that stand in names or beside them: titles, last words of places, capitalised words of general use.

use crate::proof::words::{WordList, short_forms::long_title, words};

/// Titles: words before a name that are not part of it.
pub static TITLES: WordList = words(include_str!("../../../assets/words/titles.txt"));

/// Last words of names that belong to no person.
pub static NO_PERSON: WordList = words(include_str!("../../../assets/words/no_person.txt"));

/// Capitalised words of general use that need no source.
pub static COMMON: WordList = words(include_str!("../../../assets/words/capitalised.txt"));

pub fn is_title(word: &str) -> bool {
    TITLES.contains(word) || long_title(word).is_some()
}

pub fn names_no_person(word: &str) -> bool {
    NO_PERSON.contains(word)
}

/// A folded word without its possessive.
pub fn base(word: &str) -> &str {
    word.strip_suffix("'s").or_else(|| word.strip_suffix('\'')).unwrap_or(word)
}
