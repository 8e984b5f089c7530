//! A sentence of the draft in the form that the rules read, beside the passages from which it is made.

use std::{ops::Range, rc::Rc};

use crate::{
    binding::Alignment,
    ledger::{Fault, LedgerWriter},
    reading::{Figure, ParsedText, TextLine, Token},
    rule::Rule,
    sources::{DraftField, SourceArchive, SourceLine, Spot, siblings},
};

/// A sentence of the draft.
pub struct DraftSentence<'c> {
    pub ledger: &'c LedgerWriter<'c, 'c>,
    pub archive: &'c SourceArchive<'c>,
    pub field: &'c DraftField<'c>,
    pub reading: &'c ParsedText<'c>,
    /// Its index in the text.
    pub line: usize,
    /// Its words, by their indexes in the text.
    pub range: Range<usize>,
}

impl<'c> DraftSentence<'c> {
    pub fn new(ledger: &'c LedgerWriter<'c, 'c>, field: &'c DraftField<'c>, line: usize) -> Self {
        let reading = &field.reading;
        let range = reading.lines.get(line).map_or(0..0, |line| line.tokens.clone());
        Self { ledger, archive: &ledger.texts.archive, field, reading, line, range }
    }

    /// Its words.
    pub fn tokens(&self) -> &'c [Token] {
        self.reading.line_tokens(self.line)
    }

    /// The word of an index in the text; empty if it is not its own.
    pub fn word(&self, at: usize) -> &'c str {
        if self.range.contains(&at) { self.reading.word(at) } else { "" }
    }

    /// The words that the draft does not quote, with their indexes in the text.
    pub fn own(&self) -> impl Iterator<Item = (usize, &'c Token)> {
        self.range.clone().zip(self.tokens()).filter(|(_, token)| !token.quoted() && !token.aside())
    }

    /// Its words behind one of them.
    pub fn behind(&self, at: usize) -> &'c [Token] {
        self.reading.tokens.get(at + 1..self.range.end).unwrap_or_default()
    }

    /// Up to so many of its words before one of them.
    pub fn before(&self, at: usize, most: usize) -> &'c [Token] {
        self.reading.tokens.get(at.saturating_sub(most).max(self.range.start)..at).unwrap_or_default()
    }

    /// Its figures.
    pub fn figures(&self) -> &'c [Figure] {
        siblings(self.reading, self.line)
    }

    /// Whether it quotes a figure.
    pub fn quotes(&self, figure: &Figure) -> bool {
        self.reading.tokens.get(figure.tokens.start).is_none_or(Token::quoted)
    }

    /// The passages from which it is made.
    pub fn alignment(&self) -> Rc<Alignment> {
        self.ledger.aligned(self.field, self.line)
    }

    /// The sentences of its passages.
    pub fn places(&self) -> Vec<SourceLine> {
        self.alignment().places().collect()
    }

    /// A finding at some of its bytes.
    pub fn found(&self, rule: &'static Rule, span: Range<usize>, note: String, place: Option<SourceLine>) -> Fault {
        Fault::new(rule, self.field, span).note(note).passage(place.and_then(|place| self.archive.sentence(place)))
    }
}

/// Enters the findings of a rule on each sentence of the draft. Headings are left out.
pub fn enter_each(ledger: &mut LedgerWriter<'_, '_>, judge: impl Fn(&DraftSentence<'_>) -> Vec<Fault>) {
    enter_where(ledger, |line| !line.heading, judge);
}

/// Enters what rules find in each sentence of the draft that they read.
pub fn enter_where(
    ledger: &mut LedgerWriter<'_, '_>,
    reads: impl Fn(&TextLine) -> bool,
    judge: impl Fn(&DraftSentence<'_>) -> Vec<Fault>,
) {
    let texts = ledger.texts;
    for Spot { field, index, .. } in texts.sentences().filter(|spot| reads(spot.item)) {
        let found = judge(&DraftSentence::new(ledger, field, index));
        for fault in found {
            ledger.enter(fault);
        }
    }
}
