//! A sentence of the draft beside the passages from which it is made.

use std::{ops::Range, rc::Rc};

use crate::{binding::Alignment, rules::prelude::*};

/// A sentence of a source, and its words with those of the sentences beside it.
pub struct AlignedPassage<'d> {
    pub place: SourceLine,
    pub words: Vec<&'d Token>,
}

impl<'d> AlignedPassage<'d> {
    fn new(place: SourceLine, words: Vec<&'d Token>) -> Self {
        Self { place, words }
    }
}

pub struct AlignedSentence<'d, 'a> {
    pub archive: &'d SourceArchive<'a>,
    pub field: &'d DraftField<'a>,
    pub alignment: Rc<Alignment>,
    /// Its words, by their indexes in the text.
    pub range: Range<usize>,
    /// Its passages, the best first.
    pub passages: Vec<AlignedPassage<'d>>,
}

impl<'d, 'a> AlignedSentence<'d, 'a> {
    pub fn new(
        archive: &'d SourceArchive<'a>,
        field: &'d DraftField<'a>,
        line: usize,
        alignment: Rc<Alignment>,
    ) -> Self {
        let range = field.reading.lines.get(line).map_or(0..0, |line| line.tokens.clone());
        let passages = alignment.windows.iter().map(|window| {
            let place = |line| SourceLine { line, ..window.place };
            let words = window.lines.clone().flat_map(|line| archive.tokens(place(line)));
            AlignedPassage::new(window.place, words.filter(|token| !token.aside()).collect())
        });
        let passages = passages.collect();
        Self { archive, field, alignment, range, passages }
    }

    pub fn token(&self, at: usize) -> Option<&'d Token> {
        self.field.reading.tokens.get(at)
    }

    /// The words that the draft does not quote.
    pub fn own(&self) -> impl Iterator<Item = (usize, &'d Token)> {
        let tokens = self.range.clone().filter_map(|at| Some((at, self.token(at)?)));
        tokens.filter(|(_, token)| !token.quoted() && !token.aside())
    }

    /// A finding at some of its words.
    pub fn found(
        &self,
        rule: &'static Rule,
        words: Range<usize>,
        note: String,
        place: Option<SourceLine>,
    ) -> Option<Fault> {
        let (first, last) = (self.token(words.start)?, self.token(words.end.checked_sub(1)?)?);
        let passage = place.and_then(|place| self.archive.sentence(place));
        Some(Fault::new(rule, self.field, first.start..last.end).note(note).passage(passage))
    }
}
