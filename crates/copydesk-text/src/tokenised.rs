//! A text as numbered tokens in paragraphs, the form in which two texts are compared.

use std::{collections::HashMap, ops::Range};

use unicode_segmentation::UnicodeSegmentation;

use super::words;

/// A word, or a mark between words, with its bytes up to the white space and up to the next token.
pub(super) struct NumberedToken {
    pub name: u32,
    pub start: usize,
    pub end: usize,
    pub next: usize,
}

/// A text as tokens and as paragraphs of tokens.
pub(super) struct Tokenised {
    tokens: Vec<NumberedToken>,
    /// Paragraphs, parted by blank lines, as ranges of the tokens.
    pub paragraphs: Vec<Range<usize>>,
}

impl Tokenised {
    pub fn read<'a>(text: &'a str, names: &mut HashMap<&'a str, u32>) -> Self {
        let mut tokens: Vec<NumberedToken> = Vec::new();
        let mut paragraphs = Vec::new();
        let mut first = 0;
        for (start, end) in tokens_of(text) {
            let count = u32::try_from(names.len()).unwrap_or(u32::MAX);
            let name = *names.entry(text.get(start..end).unwrap_or_default()).or_insert(count);
            if let Some(last) = tokens.last_mut() {
                let gap = text.get(last.end..start).unwrap_or_default();
                last.next = start;
                if gap.bytes().filter(|byte| *byte == b'\n').count() > 1 {
                    paragraphs.push(first..tokens.len());
                    first = tokens.len();
                }
            }
            tokens.push(NumberedToken { name, start, end, next: end });
        }
        if first < tokens.len() {
            paragraphs.push(first..tokens.len());
        }
        Self { tokens, paragraphs }
    }

    /// The tokens of neighbouring paragraphs.
    pub fn tokens(&self, paragraphs: &Range<usize>) -> &[NumberedToken] {
        let mut found = self.paragraphs.get(paragraphs.clone()).unwrap_or_default().iter();
        let Some(first) = found.next() else { return &[] };
        let last = found.next_back().unwrap_or(first);
        self.tokens.get(first.start..last.end).unwrap_or_default()
    }

    pub fn names(&self, paragraphs: &Range<usize>) -> Vec<u32> {
        self.tokens(paragraphs).iter().map(|token| token.name).collect()
    }

    /// The words of each paragraph of a range, sorted.
    pub fn bags(&self, paragraphs: &Range<usize>) -> Vec<Vec<u32>> {
        let sorted = |index: usize| {
            let mut names = self.names(&(index..index + 1));
            names.sort_unstable();
            names
        };
        paragraphs.clone().map(sorted).collect()
    }

    /// The bytes of neighbouring paragraphs; if there are none, the place at which they would begin.
    pub fn bytes(&self, paragraphs: &Range<usize>) -> Range<usize> {
        let tokens = self.tokens(paragraphs);
        if let (Some(first), Some(last)) = (tokens.first(), tokens.last()) {
            return first.start..last.end;
        }
        let place = self.tokens(&(0..paragraphs.start)).last().map_or(0, |token| token.end);
        place..place
    }
}

/// Words, and each mark between them by itself; a script without spaces is taken character by character.
fn tokens_of(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let singly = |from: usize, to: usize, found: &mut Vec<(usize, usize)>| {
        let graphemes = text.get(from..to).unwrap_or_default().grapheme_indices(true);
        let seen = graphemes.filter(|(_, grapheme)| !grapheme.trim().is_empty());
        found.extend(seen.map(|(at, grapheme)| (from + at, from + at + grapheme.len())));
    };
    let mut past = 0;
    for word in words::words(text) {
        singly(past, word.start, &mut found);
        if word.text.chars().any(|c| matches!(c, '\u{2E80}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..)) {
            singly(word.start, word.end, &mut found);
        } else {
            found.push((word.start, word.end));
        }
        past = word.end;
    }
    singly(past, text.len(), &mut found);
    found
}
