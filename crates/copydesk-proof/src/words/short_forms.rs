//! Short forms of titles: a `Gov.` is a governor.
//!
//! Why: a report writes `Gen. Howe` for the transcript's `General Howe`. The short form is no name, and it gives him the same office.

use crate::words::list::WordGroups;

static SHORT: WordGroups = WordGroups::new(include_str!("../../../../assets/words/short_titles.txt"));

/// The title that a folded word is the short form of.
pub fn long_title(word: &str) -> Option<&'static str> {
    let mut group = SHORT.beside(word);
    group.next().filter(|short| *short == word)?;
    group.next()
}
