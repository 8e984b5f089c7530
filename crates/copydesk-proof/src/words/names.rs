//! Words that stand in names or beside them: titles, last words of places, capitalised words of general use.

use crate::words::{LexiconEntry, WordList, lexicon::entry, short_forms::long_title, words};

/// Titles: words before a name that are not part of it.
pub static TITLES: WordList = words(include_str!("../../../../assets/words/titles.txt"));

/// Last words of names that belong to no person.
pub static NO_PERSON: WordList = words(include_str!("../../../../assets/words/no_person.txt"));

/// Capitalised words of general use that need no source.
pub static COMMON: WordList = words(include_str!("../../../../assets/words/capitalised.txt"));

pub fn is_title(word: &str) -> bool {
    TITLES.contains(word) || long_title(word).is_some()
}

pub fn names_no_person(word: &str) -> bool {
    NO_PERSON.contains(word)
}

/// Adverbs that begin a sentence right before a name.
static ADVERBS: WordList = words(
    "later earlier afterwards afterward meanwhile yesterday today tonight tomorrow soon once sometimes often again elsewhere \
     perhaps instead however still",
);

/// Whether a folded word tells how or when: `later`, `finally`. Of the words in `-ly` those that an adjective is in (`Kelly` is a name).
pub fn is_adverb(word: &str) -> bool {
    let adjective = |stem: &str| stem.len() > 3 && entry(stem).is_some_and(LexiconEntry::is_adjective);
    ADVERBS.contains(word) || word.strip_suffix("ly").is_some_and(adjective)
}

/// A folded word without its possessive.
pub fn base(word: &str) -> &str {
    word.strip_suffix("'s").or_else(|| word.strip_suffix('\'')).unwrap_or(word)
}
