//! The reader of a text's figures, at one word after the other.

use std::ops::Range;

use crate::reading::{Figure, FigureKind, Token, numerals::Habit};

pub(super) struct FigureReader<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: &'a [Token],
    pub(super) habit: Habit,
}

impl FigureReader<'_> {
    pub(super) fn word(&self, index: usize) -> &str {
        self.tokens.get(index).map_or("", |token| token.word.as_str())
    }

    /// The word so many steps before one.
    pub(super) fn word_before(&self, index: usize, steps: usize) -> &str {
        index.checked_sub(steps).map_or("", |at| self.word(at))
    }

    /// Whether two words are so close that they can be one number.
    pub(super) fn adjacent(&self, index: usize) -> bool {
        let (Some(a), Some(b)) = (self.tokens.get(index), self.tokens.get(index + 1)) else { return false };
        // "**55** crowns"
        let gap = self.text.get(a.end..b.start).map(|gap| gap.trim_start_matches('*'));
        // The next line of a text may be set in.
        let wrapped = |gap: &str| gap.trim_matches([' ', '\t', '\r']) == "\n";
        gap.is_some_and(|gap| matches!(gap, " " | "-" | "‑" | "\u{A0}" | "\u{202F}") || wrapped(gap))
    }

    pub(super) fn take(&self, figure: &mut Figure, tokens_end: usize) {
        figure.tokens.end = tokens_end;
        figure.end = self.tokens.get(tokens_end - 1).map_or(figure.end, |token| token.end);
    }

    pub(super) fn figure(&self, tokens: Range<usize>, value: f64, kind: FigureKind, spelled: bool) -> Figure {
        let start = self.tokens.get(tokens.start).map_or(0, |token| token.start);
        let end = self.tokens.get(tokens.end - 1).map_or(start, |token| token.end);
        Figure { spelled, ..Figure::new(kind, value, tokens, start..end) }
    }
}
