//! Whether the sources know a word of the draft, in this form or another.

use crate::{
    sources::SourceArchive,
    words::{LexiconEntry, across_the_atlantic, demonyms, entries, list::WordGroups, nicknames},
};
use copydesk_text::inflection::bases;

/// Whether a source has the word in any form, or a related word of the dictionary or the thesaurus.
pub fn known(archive: &SourceArchive<'_>, word: &str, stem: &str) -> bool {
    archive.knows(stem)
        || archive.seen(word).is_some()
        || bases(word).iter().any(|base| archive.seen(base).is_some())
        || entries(word).into_iter().flat_map(LexiconEntry::like).any(|other| archive.has(other))
}

/// Whether the sources name the people of a place, or the place of a people. A chat may have no capitals.
pub fn of_a_place(archive: &SourceArchive<'_>, word: &str) -> bool {
    demonyms::related(word, |other| archive.seen(other).is_some())
}

/// Words of names, and their short forms: `Highway` and `Hwy`, `Sweden` and `SWE`.
static SHORT: WordGroups = WordGroups::new(include_str!("../../../../assets/words/short_names.txt"));

/// Whether the sources have another form of a first name, a short form of the word, or the word as it is spelt across the Atlantic.
pub fn by_another_form(archive: &SourceArchive<'_>, word: &str) -> bool {
    across_the_atlantic(word).any(|other| archive.seen(&other).is_some())
        || nicknames::other_forms(word)
            .chain(SHORT.beside(word))
            .any(|form| archive.seen(form).is_some_and(|seen| seen.capital))
}
