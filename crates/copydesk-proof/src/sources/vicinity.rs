//! The words near those of a kind in any source. It is read once and only if a rule asks, so that each question is
//! one look-up.

use crate::{reading::Forms, sources::SourceArchive, words::Class};

/// The subject of such a word is at most so many words from it.
const REACH: usize = 8;

/// The stems near the words of a kind.
pub struct Vicinity<'a> {
    forms: &'a Forms,
    /// Whether a stem stands there, by its number.
    near: Vec<bool>,
    /// Whether there are such words at all.
    pub any: bool,
}

impl<'a> Vicinity<'a> {
    /// Reads the stems near the words of `kind`.
    pub fn of(archive: &'a SourceArchive<'_>, kind: Class) -> Self {
        let mut read = Self { forms: &archive.forms, near: vec![false; archive.forms.stems()], any: false };
        for (source, reading) in archive.readings.iter().enumerate() {
            // Words up to here are entered already, so that words close together are not read twice.
            let mut entered = 0;
            for at in archive.of_class(source, kind) {
                read.any = true;
                let end = (at + REACH + 1).min(reading.tokens.len());
                for token in reading.tokens.get(at.saturating_sub(REACH).max(entered)..end).unwrap_or_default() {
                    if let Some(near) = read.near.get_mut(token.stem_id as usize) {
                        *near = true;
                    }
                }
                entered = end;
            }
        }
        read
    }

    /// Whether a word of this stem stands near one of the kind.
    pub fn has(&self, stem: &str) -> bool {
        self.forms.stem(stem).is_some_and(|id| self.near.get(id as usize) == Some(&true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use copydesk_newsroom::Source;

    #[test]
    fn what_stands_near_a_word() {
        let text = "The ferry does not sail on Mondays when the harbour is full of fishing boats. The mill on the old quay is to be a hotel. Nobody swims.";
        let sources = [Source { name: "s".to_owned(), text: text.to_owned() }];
        let archive = SourceArchive::new(&sources);
        let denied = Vicinity::of(&archive, Class::DENIES);
        assert!(denied.any && denied.has("ferri") && denied.has("sail") && denied.has("swim"));
        assert!(!denied.has("boat") && !denied.has("zebra"));
        assert!(!Vicinity::of(&archive, Class::CORRECTS).any);
    }
}
