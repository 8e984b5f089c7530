//! A word as the rules see it.

use crate::text::words::{NumberWord, fold, is_stop_word, number_word, stem};

use super::thesaurus::canonical;

/// A word as the rules see it; a hyphenated word is its parts.
#[derive(Debug, Clone)]
pub(super) struct Token {
    pub start: usize,
    pub end: usize,
    /// Folded.
    pub word: String,
    /// What it is compared by: stem and thesaurus; a number as its digits.
    pub stem: String,
    /// Begins with a capital letter.
    pub capital: bool,
    /// Carries no content.
    pub stop: bool,
    /// In whose voice it stands.
    pub manner: Manner,
    /// The sentence that it belongs to.
    pub line: usize,
}

/// In whose voice a word stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    /// The text's own.
    Plain,
    /// Inside quotation marks.
    Quoted,
    /// Nobody's: a time code or a speaker's label.
    Aside,
}

impl Token {
    pub fn quoted(&self) -> bool {
        self.manner == Manner::Quoted
    }

    pub fn aside(&self) -> bool {
        self.manner == Manner::Aside
    }
}

pub(super) fn token(part: &str, start: usize, manner: Manner, line: usize) -> Token {
    let word = fold(part);
    let stem = match number_word(&word) {
        Some(NumberWord::Unit(value)) => value.to_string(),
        _ if word.starts_with(|c: char| c.is_ascii_digit()) => word.replace(',', ""),
        _ => canonical(stem(&word)),
    };
    Token {
        start,
        end: start + part.len(),
        stop: is_stop_word(&word) || word.chars().count() < 2 && !word.starts_with(|c: char| c.is_ascii_digit()),
        capital: part.starts_with(char::is_uppercase),
        word,
        stem,
        manner,
        line,
    }
}
