//! Numbers with their scale, in digits or in words.

use super::reader::FigureReader;
use crate::reading::{
    Figure, FigureKind, currencies,
    numerals::{Suffix, digits},
};
use copydesk_text::words::{NumberWord, number_word};

impl FigureReader<'_> {
    pub(super) fn number(&self, index: usize) -> Option<Figure> {
        let token = self.tokens.get(index)?;
        // "Several hundred" is a vague size, and "in million euros" a scale.
        let before = self.word_before(index, 1);
        let scale = matches!(number_word(&token.word), Some(NumberWord::Scale(_)));
        // The initial K in a name does not mean a thousand.
        if scale && (&*token.word == "k" || matches!(before, "several" | "few" | "many" | "in" | "couple")) {
            return None;
        }
        // "Below zero" is the sign of the figure before it.
        if self.values_money(index) || token.word == "zero" && matches!(before, "below" | "above" | "under") {
            return None;
        }
        let glued = self.glued(index);
        let digit = token.word.starts_with(|c: char| c.is_ascii_digit()).then_some(token.word.as_str());
        let written = glued.map(|(number, _)| number).or(digit);
        let (mut value, mut other, decimals, mut end, spelled, plain) = if let Some(written) = written {
            let (value, other, decimals, suffix) = digits(written, self.habit)?;
            (value, other, decimals, index + 1, false, suffix)
        } else {
            let (value, end) = self.spelled(index)?;
            (value, None, 0, end, true, Suffix::None)
        };
        let mut slack = 0.0;
        let place = 10f64.powi(-i32::try_from(decimals).unwrap_or(0));
        if let Suffix::Scale(scale) = plain {
            value *= scale;
            other = other.map(|other| other * scale);
            slack = place * scale / 2.0;
        }
        while !spelled && self.adjacent(end - 1) {
            let Some(scale) = scale_behind(self.word(end)) else { break };
            value *= scale;
            other = other.map(|other| other * scale);
            slack = place * scale / 2.0;
            end += 1;
        }
        if self.word(end) == "and"
            && let Some((part, words)) = match (self.word(end + 1), self.word(end + 2)) {
                ("a", "half") => Some((0.5, 3)),
                ("a", "quarter") => Some((0.25, 3)),
                ("three", "quarters") => Some((0.75, 3)),
                _ => None,
            }
        {
            value += part;
            end += words;
        }
        let mut figure = self.figure(index..end, value, FigureKind::Count, spelled);
        figure.slack = slack;
        figure.written.other = other;
        if matches!(plain, Suffix::Pence) {
            figure.value /= 100.0;
            figure.kind = FigureKind::Money('£');
            return Some(figure);
        }
        if let Some((_, currency)) = glued {
            figure.kind = FigureKind::Money(currency);
            return Some(figure);
        }
        self.unit(&mut figure, matches!(plain, Suffix::Decade));
        self.scaled_before(&mut figure);
        Some(figure)
    }

    /// The number and the currency of `R1.25 million`, `R84` and `EUR31m`. "R1" alone may be a road.
    pub(super) fn glued(&self, index: usize) -> Option<(&str, char)> {
        let token = self.tokens.get(index)?;
        let written = self.text.get(token.start..token.end)?;
        let letters = written.find(|c: char| c.is_ascii_digit()).filter(|letters| *letters > 0)?;
        let (letters, number) = (written.get(..letters)?, token.word.get(letters..)?);
        let scaled = || matches!(number_word(self.word(index + 1)), Some(NumberWord::Scale(1_000..)));
        let currency = match letters {
            "R" => currencies::named("rand").filter(|_| scaled() || number.len() > 2),
            code => currencies::code(code),
        };
        currency.filter(|_| digits(number, self.habit).is_some()).map(|currency| (number, currency))
    }

    /// Reads `two hundred and six`, `a dozen`, `fourteen hundred and sixty`: the value, and the index after the last
    /// word. `one` and `a` alone count nothing. `half a dozen` is a half of it, `two and a half million` is
    /// that of a million.
    pub(super) fn spelled(&self, index: usize) -> Option<(f64, usize)> {
        if self.word(index) == "half" && self.adjacent(index) && matches!(self.word(index + 1), "a" | "an") {
            let (whole, end) = self.spelled(index + 1)?;
            return (end == index + 3).then_some((whole / 2.0, end));
        }
        if let Some(NumberWord::Unit(unit)) = number_word(self.word(index))
            && [1, 2, 3].map(|next| self.word(index + next)) == ["and", "a", "half"]
            && let Some(NumberWord::Scale(scale @ 1_000..)) = number_word(self.word(index + 4))
            && (index..index + 4).all(|at| self.adjacent(at))
        {
            #[expect(clippy::cast_precision_loss, reason = "scales are powers of ten far below 2^53")]
            return Some(((f64::from(unit) + 0.5) * scale as f64, index + 5));
        }
        let (mut total, mut current, mut end) = (0u64, 0u64, index);
        let mut any = false;
        if matches!(self.word(index), "a" | "an") {
            let scaled = matches!(number_word(self.word(index + 1)), Some(NumberWord::Scale(_)))
                || self.word(index + 1) == "dozen";
            if !scaled {
                return None;
            }
            end = index + 1;
        }
        loop {
            match number_word(self.word(end)) {
                Some(NumberWord::Unit(12)) if self.word(end) == "dozen" => current = current.max(1) * 12,
                Some(NumberWord::Unit(unit)) => {
                    let room = match current % 100 {
                        0 => true,
                        tens => tens >= 20 && tens % 10 == 0 && unit < 10,
                    };
                    if any && !room {
                        break;
                    }
                    current += u64::from(unit);
                }
                Some(NumberWord::Scale(100)) => current = current.max(1).saturating_mul(100),
                Some(NumberWord::Scale(scale)) => {
                    total = total.saturating_add(current.max(1).saturating_mul(scale));
                    current = 0;
                }
                None => break,
            }
            any = true;
            end += 1;
            if !self.adjacent(end - 1) {
                break;
            }
            let hundreds = current >= 100 && current % 100 == 0 || current == 0;
            if self.word(end) == "and"
                && hundreds
                && matches!(number_word(self.word(end + 1)), Some(NumberWord::Unit(_)))
            {
                end += 1;
            }
        }
        // "twenty-first" is an ordinal and no count.
        let beside = |at: usize| Some(self.text.get(self.tokens.get(at)?.end..self.tokens.get(at + 1)?.start)? == "-");
        if any && beside(end - 1).unwrap_or_default() && ordinal(self.word(end)) {
            return None;
        }
        let value = total.saturating_add(current);
        #[expect(clippy::cast_precision_loss, reason = "a spelled-out number beyond 2^53 is not news")]
        let value = value as f64;
        // "Six to one"
        let tally = || {
            self.word_before(index, 1) == "to"
                && matches!(number_word(self.word_before(index, 2)), Some(NumberWord::Unit(2..)))
        };
        (any && (end > index + 1 || self.word(index) != "one" || tally())).then_some((value, end))
    }
}

/// The scale that a word behind digits gives them, also in another language.
fn scale_behind(word: &str) -> Option<f64> {
    match word {
        "lakh" | "lakhs" => Some(1e5),
        "millions" | "millionen" | "mio" | "millones" | "milioni" | "milhoes" | "miljoen" | "miljoner"
        | "millioner" => Some(1e6),
        "crore" | "crores" => Some(1e7),
        "milliard" | "milliards" | "milliarden" | "mrd" | "miliardi" | "miljard" | "miljarder" | "milliarder" => {
            Some(1e9)
        }
        _ => match number_word(word) {
            #[expect(clippy::cast_precision_loss, reason = "scales are powers of ten far below 2^53")]
            Some(NumberWord::Scale(scale)) => Some(scale as f64),
            _ => None,
        },
    }
}

/// Whether a word is the second half of an ordinal.
fn ordinal(word: &str) -> bool {
    matches!(word, "first" | "second" | "third" | "fourth" | "fifth" | "sixth" | "seventh" | "eighth" | "ninth")
}
