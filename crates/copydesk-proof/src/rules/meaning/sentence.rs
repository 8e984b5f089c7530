//! What the sources have of the words of a draft's sentence and of those around them.

use crate::{
    rules::prelude::*,
    sources::known::known,
    words::{LexiconEntry, entries},
};
use copydesk_text::{inflection::bases, words::is_stop_word};

/// The company of a word in the draft: the content words up to so many words away.
const COMPANY: usize = 6;

/// The company is looked for up to so many words from a word of a source.
const WINDOW: usize = 8;

/// A function word is looked for in so many passages.
const NEAREST: usize = 8;

/// A denial stands at most so many words before what it denies.
const BESIDE: usize = 4;

/// A word of a source, and its surroundings.
pub struct SourceWord {
    pub place: SourceLine,
    /// The word as the source has it, folded.
    pub word: String,
    /// How many words of its company in the draft stand around it.
    pub company: usize,
    /// Whether a denial stands beside it.
    pub denied: bool,
}

impl<'c> DraftSentence<'c> {
    /// Whether a word is a name: it has a capital letter and is not the sentence's first.
    pub fn names(&self, token: &Token) -> bool {
        token.capital && self.reading.lines.get(self.line).is_some_and(|line| token.start > line.start)
    }

    /// The content words around a place, up to `reach` words away, each stem once.
    pub fn around(&self, at: usize, reach: usize) -> Vec<&'c str> {
        let mut stems: Vec<&str> = Vec::new();
        for token in self.before(at, reach).iter().chain(self.behind(at).iter().take(reach)) {
            if !token.stop && !denies(token) && !stems.contains(&token.stem.as_str()) {
                stems.push(&token.stem);
            }
        }
        stems
    }

    /// Whether the draft denies the word itself: `not difficult`, `non-negligible`, `yet to be counted`.
    pub fn denied(&self, at: usize) -> bool {
        let before = self.before(at, BESIDE);
        // "Failed to cover"
        let fails = matches!(before, [.., fails, to] if to.word == "to" && fails.class.has(Class::TURNS));
        fails || before.iter().any(|token| denies(token) || matches!(&*token.word, "non" | "yet"))
    }

    /// The dictionary's words that a word is a form of, and those like them, as far as the sources have them.
    pub fn alike(&self, token: &Token) -> Vec<String> {
        let like = entries(&token.word).into_iter().flat_map(LexiconEntry::like).map(str::to_owned);
        bases(&token.word).into_iter().chain(like).filter(|word| self.archive.has(word)).collect()
    }

    /// Whether the sources have a word in any form, or one like it.
    pub fn known(&self, token: &Token) -> bool {
        known(self.archive, &token.word, &token.stem)
    }

    /// The place of any of some words in the sources that has the most company of the word at `at`.
    pub fn best<'w>(&self, at: usize, words: impl Iterator<Item = &'w str>) -> Option<SourceWord> {
        self.best_with(&self.around(at, COMPANY), words)
    }

    /// The same for the company of the word's own stretch, from mark to mark.
    pub fn best_in_stretch<'w>(&self, at: usize, words: impl Iterator<Item = &'w str>) -> Option<SourceWord> {
        let stretch = self.reading.tokens.get(self.reading.grammar(self.line).stretch(at)).unwrap_or_default();
        let mut company = self.around(at, COMPANY);
        company.retain(|stem| stretch.iter().any(|token| token.stem == *stem));
        self.best_with(&company, words)
    }

    fn best_with<'w>(&self, company: &[&str], words: impl Iterator<Item = &'w str>) -> Option<SourceWord> {
        // Function words are not in the index, so they are looked for near their company.
        let near = || self.archive.passages(company, NEAREST).into_iter().map(|hit| hit.place).collect::<Vec<_>>();
        let all = words.flat_map(|word| self.archive.forms_in(word)).flat_map(|form| {
            let places = if is_stop_word(&form) { near() } else { self.archive.places_of(&form).collect() };
            places.into_iter().filter_map(move |place| self.there(place, &form, company))
        });
        all.reduce(|best, there| if there.company > best.company { there } else { best })
    }

    fn there(&self, place: SourceLine, form: &str, company: &[&str]) -> Option<SourceWord> {
        let reading = self.archive.reading(place)?;
        let range = reading.lines.get(place.line)?.tokens.clone();
        let word = self.archive.forms.word(form)?;
        let at = range.into_iter().find(|&at| reading.tokens.get(at).is_some_and(|token| token.id == word))?;
        let near = |reach: usize| {
            reading.tokens.get(at.saturating_sub(reach)..(at + reach + 1).min(reading.tokens.len())).unwrap_or_default()
        };
        let window = near(WINDOW);
        let company = company.iter().filter(|stem| window.iter().any(|token| token.stem == **stem)).count();
        Some(SourceWord { place, word: form.to_owned(), company, denied: near(BESIDE).iter().any(denies) })
    }
}
