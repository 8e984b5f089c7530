//! Parts of a whole in words: `a third`, `half a point`, `nine out of ten`.

use super::reader::FigureReader;
use crate::{
    reading::{Figure, FigureKind, near, numerals::value_of},
    words::list::{WordList, words},
};
use copydesk_text::words::{NumberWord, number_word};

/// Words behind `two in five` that make it no share: `twice in five years`.
static NO_SHARE: WordList = words(
    "second seconds minute minutes hour hours day days week weeks month months year years games matches attempts places cities countries",
);

impl FigureReader<'_> {
    /// `a third`, `two-thirds`, `three quarters`, `half`.
    pub(super) fn fraction(&self, index: usize) -> Option<Figure> {
        let word = self.word(index);
        let part = |word: &str| match word {
            "half" | "halves" => Some(2.0),
            "third" | "thirds" => Some(3.0),
            "quarter" | "quarters" => Some(4.0),
            "fifth" | "fifths" => Some(5.0),
            "sixth" | "sixths" => Some(6.0),
            "seventh" | "sevenths" => Some(7.0),
            "eighth" | "eighths" => Some(8.0),
            "ninth" | "ninths" => Some(9.0),
            "tenth" | "tenths" => Some(10.0),
            _ => None,
        };
        let compared = |at: usize| {
            matches!(self.word(at), "more" | "less" | "fewer" | "higher" | "lower" | "larger" | "smaller")
                || self.word(at) == "as"
                    && matches!(self.word(at + 1), "much" | "many" | "large" | "high" | "big" | "long")
        };
        if word == "half"
            && let Some(end) = self.of_a_point(index + 1)
        {
            return Some(self.figure(index..end, 0.5, FigureKind::Points, true));
        }
        if word == "half" && (self.word(index + 1) == "of" || self.word(index + 1) == "as" && compared(index + 1)) {
            return Some(self.figure(index..index + 1, 0.5, FigureKind::Fraction, true));
        }
        let count = match (word, number_word(word)) {
            ("a", _) => 1.0,
            (_, Some(NumberWord::Unit(count @ 1..=9))) => f64::from(count),
            _ => return None,
        };
        let whole = part(self.word(index + 1)).filter(|_| self.adjacent(index))?;
        if let Some(end) = self.of_a_point(index + 2) {
            return Some(self.figure(index..end, count / whole, FigureKind::Points, true));
        }
        let plural = self.word(index + 1).ends_with('s');
        let before = self.word_before(index, 1);
        let measured =
            matches!(before, "by" | "about" | "nearly" | "almost" | "roughly" | "than" | "around" | "to" | "over");
        (self.word(index + 2) == "of" && count / whole < 1.0 || plural || measured || compared(index + 2))
            .then(|| self.figure(index..index + 2, count / whole, FigureKind::Fraction, true))
    }

    /// The index behind `of a percentage point`, `a point`.
    pub(super) fn of_a_point(&self, index: usize) -> Option<usize> {
        let of = index + usize::from(self.word(index) == "of");
        let point = of + 1 + usize::from(matches!(self.word(of + 1), "percentage" | "percent"));
        (matches!(self.word(of), "a" | "one") && self.word(point) == "point").then_some(point + 1)
    }

    /// `one in five`, `nine out of ten`.
    pub(super) fn one_in(&self, index: usize) -> Option<Figure> {
        let small = |at: usize| value_of(self.word(at)).filter(|value| value.fract() == 0.0);
        let part = small(index)?;
        let at = match (self.word(index + 1), self.word(index + 2)) {
            ("in", _) => index + 2,
            ("out", "of") => index + 3,
            _ => return None,
        };
        let whole = small(at).filter(|whole| part < *whole && part >= 1.0)?;
        // "1 in 400" is a risk.
        if whole > 100.0 && !(near(part, 1.0) && (whole / 100.0).fract() == 0.0) {
            return None;
        }
        let behind = self.word(at + 1);
        let line = |at: usize| self.tokens.get(at).map(|token| token.line);
        let apart =
            self.text.get(self.tokens.get(index)?.end..self.tokens.get(at)?.start)?.contains([',', '(', ';', ':']);
        let counts = !apart && line(index) == line(at) && !NO_SHARE.contains(behind);
        // "Two in 40 ships" counts both; a share is told in small round numbers.
        let round = part <= 10.0 && (whole <= 10.0 || whole % 5.0 == 0.0 && part < 4.0);
        (counts && round).then(|| self.figure(index..at + 1, part / whole, FigureKind::Fraction, true))
    }
}
