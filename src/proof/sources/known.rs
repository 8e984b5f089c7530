//! Whether the sources know a word of the draft, in this form or another.

use crate::{
    proof::{
        sources::archive::SourceArchive,
        words::{
            demonyms,
            lexicon::{LexiconEntry, entries},
            nicknames,
        },
    },
    text::inflection::bases,
};

/// Whether a source has the word in any form, or one that the dictionary or the thesaurus puts beside it.
pub fn known(archive: &SourceArchive<'_>, word: &str, stem: &str) -> bool {
    archive.knows(stem)
        || archive.seen(word).is_some()
        || bases(word).iter().any(|base| archive.seen(base).is_some())
        || entries(word).into_iter().flat_map(LexiconEntry::like).any(|other| archive.has(other))
}

/// Whether the sources name the people of a place, or the place of a people. A source that is a chat may have no capitals.
pub fn of_a_place(archive: &SourceArchive<'_>, word: &str) -> bool {
    demonyms::related(word, |other| archive.seen(other).is_some())
}

/// Whether the sources have another form of a first name.
pub fn by_another_form(archive: &SourceArchive<'_>, word: &str) -> bool {
    nicknames::other_forms(word).any(|form| archive.seen(form).is_some_and(|seen| seen.capital))
}
