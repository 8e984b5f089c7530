//! A sentence of the draft as these rules look at it: its own words, without what it quotes.

use std::ops::Range;

use crate::{
    newsroom::SourceSpan,
    proof::{
        ledger::Fault,
        reading::{hedges::denies, text::ParsedText, token::Token},
        rule::Rule,
        sources::{
            archive::{SourceArchive, SourceLine},
            known::known,
        },
    },
    text::words::is_stop_word,
};

/// How far, in words, the company of a word reaches in the draft.
const COMPANY: usize = 6;

/// How far around a word of a source its company is looked for.
const WINDOW: usize = 8;

/// Passages in which a function word is looked for.
const NEAREST: usize = 8;

/// How near a denial stands to what it denies.
const BESIDE: usize = 4;

/// A sentence of the draft, and the sources.
pub struct DraftSentence<'d, 'a> {
    pub archive: &'d SourceArchive<'a>,
    pub tokens: &'d [Token],
    field: usize,
    /// Its bytes.
    range: Range<usize>,
}

/// Where a source has a word, and what stands around it.
pub struct There {
    pub place: SourceLine,
    /// The word as the source has it, folded.
    pub word: String,
    /// How many words of the draft's sentence stand around it.
    pub company: usize,
    /// Whether a denial stands beside it.
    pub denied: bool,
}

impl<'d, 'a> DraftSentence<'d, 'a> {
    pub fn new(archive: &'d SourceArchive<'a>, reading: &'d ParsedText<'_>, line: usize, field: usize) -> Self {
        let range = reading.lines.get(line).map_or(0..0, |line| line.start..line.end);
        Self { archive, tokens: reading.line_tokens(line), field, range }
    }

    /// The words that the draft says itself, with their places.
    pub fn own(&self) -> impl Iterator<Item = (usize, &'d Token)> {
        self.tokens.iter().enumerate().filter(|(_, token)| !token.quoted() && !token.aside())
    }

    /// Whether a word names somebody or something: a capital letter that is not the sentence's first.
    pub fn names(&self, token: &Token) -> bool {
        token.capital && token.start > self.range.start
    }

    /// The content words around a place, up to `reach` words away, each stem once.
    pub fn around(&self, at: usize, reach: usize) -> Vec<&'d str> {
        let mut stems: Vec<&str> = Vec::new();
        let range = at.saturating_sub(reach)..(at + reach + 1).min(self.tokens.len());
        for (index, token) in range.clone().zip(self.tokens.get(range).unwrap_or_default()) {
            if index != at && !token.stop && !denies(token) && !stems.contains(&token.stem.as_str()) {
                stems.push(&token.stem);
            }
        }
        stems
    }

    /// Whether the draft denies the word itself: `not difficult`, `non-negligible`.
    pub fn denied(&self, at: usize) -> bool {
        let before = self.tokens.get(at.saturating_sub(BESIDE)..at).unwrap_or_default();
        before.iter().any(|token| denies(token) || token.word == "non")
    }

    /// Whether the sources have the word of a token in any form, or one like it.
    pub fn known(&self, token: &Token) -> bool {
        known(self.archive, &token.word, &token.stem)
    }

    /// Where the sources have one of some words (dictionary's words) in the best company of what stands around `at`.
    pub fn best<'w>(&self, at: usize, words: impl Iterator<Item = &'w str>) -> Option<There> {
        let company = self.around(at, COMPANY);
        // Function words are in no index: they are looked for where their company is.
        let near = || self.archive.passages(&company, NEAREST).into_iter().map(|hit| hit.place).collect::<Vec<_>>();
        let mut best: Option<There> = None;
        for form in words.flat_map(|word| self.archive.forms_in(word)) {
            let places = if is_stop_word(&form) { near() } else { self.archive.places_of(&form).collect() };
            for place in places {
                let Some(there) = self.there(place, &form, &company) else { continue };
                if best.as_ref().is_none_or(|best| there.company > best.company) {
                    best = Some(there);
                }
            }
        }
        best
    }

    fn there(&self, place: SourceLine, form: &str, company: &[&str]) -> Option<There> {
        let reading = self.archive.reading(place)?;
        let range = reading.lines.get(place.line)?.tokens.clone();
        let at = range.into_iter().find(|&at| reading.tokens.get(at).is_some_and(|token| token.word == form))?;
        let near = |reach: usize| {
            reading.tokens.get(at.saturating_sub(reach)..(at + reach + 1).min(reading.tokens.len())).unwrap_or_default()
        };
        let window = near(WINDOW);
        let company = company.iter().filter(|stem| window.iter().any(|token| token.stem == **stem)).count();
        Some(There { place, word: form.to_owned(), company, denied: near(BESIDE).iter().any(denies) })
    }

    /// A finding of the whole sentence.
    pub fn whole(&self, rule: &'static Rule, note: String, passage: Option<SourceSpan>) -> Fault {
        let Range { start, end } = self.range.clone();
        Fault::new(rule, self.field, start..end).note(note).passage(passage)
    }

    /// A finding at a word.
    pub fn found(&self, rule: &'static Rule, token: &Token, note: String, passage: Option<SourceSpan>) -> Fault {
        Fault::new(rule, self.field, token.start..token.end).note(note).passage(passage)
    }
}
