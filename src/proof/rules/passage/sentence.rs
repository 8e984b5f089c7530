//! A sentence of the draft beside the passages from which it is made.

use std::{ops::Range, rc::Rc};

use crate::{
    newsroom::SourceSpan,
    proof::{
        binding::{Alignment, alike},
        rules::prelude::*,
    },
};

pub struct AlignedSentence<'d, 'a> {
    pub archive: &'d SourceArchive<'a>,
    pub field: &'d DraftField<'a>,
    pub alignment: Rc<Alignment>,
    /// Its words, by their indexes in the text.
    pub range: Range<usize>,
    /// The words of its best passage: a sentence with those beside it.
    pub theirs: Vec<&'d Token>,
}

impl<'d, 'a> AlignedSentence<'d, 'a> {
    pub fn new(
        archive: &'d SourceArchive<'a>,
        field: &'d DraftField<'a>,
        line: usize,
        alignment: Rc<Alignment>,
    ) -> Self {
        let range = field.reading.lines.get(line).map_or(0..0, |line| line.tokens.clone());
        let theirs = alignment.windows.first().map_or(Vec::new(), |window| {
            let place = |line| SourceLine { line, ..window.place };
            window.lines.clone().flat_map(|line| archive.tokens(place(line))).filter(|token| !token.aside()).collect()
        });
        Self { archive, field, alignment, range, theirs }
    }

    /// The share of the sentence that its best passage has.
    pub fn share(&self) -> f64 {
        self.alignment.windows.first().map_or(0.0, |window| window.share)
    }

    pub fn passage(&self) -> Option<SourceSpan> {
        self.archive.sentence(self.alignment.windows.first()?.place)
    }

    pub fn token(&self, at: usize) -> Option<&'d Token> {
        self.field.reading.tokens.get(at)
    }

    /// The words that the draft does not quote.
    pub fn own(&self) -> impl Iterator<Item = (usize, &'d Token)> {
        let tokens = self.range.clone().filter_map(|at| Some((at, self.token(at)?)));
        tokens.filter(|(_, token)| !token.quoted() && !token.aside())
    }

    /// Whether any passage of the sentence has a word, in any form or in another word for the same.
    pub fn has(&self, token: &Token) -> bool {
        let stem = self.archive.forms.stem(&token.stem);
        let like = alike(self.archive, token);
        self.passages().any(|other| Some(other.stem_id) == stem || like.contains(&other.stem_id))
    }

    /// The words of all its passages.
    pub fn passages(&self) -> impl Iterator<Item = &'d Token> {
        let archive = self.archive;
        let windows = self.alignment.windows.iter().flat_map(|window| {
            let source = window.place;
            window.lines.clone().map(move |line| SourceLine { line, ..source })
        });
        windows.collect::<Vec<_>>().into_iter().flat_map(|place| archive.tokens(place))
    }

    /// A finding at some of its words.
    pub fn found(&self, rule: &'static Rule, words: Range<usize>, note: String) -> Option<Fault> {
        let (first, last) = (self.token(words.start)?, self.token(words.end.checked_sub(1)?)?);
        Some(Fault::new(rule, self.field, first.start..last.end).note(note).passage(self.passage()))
    }
}
