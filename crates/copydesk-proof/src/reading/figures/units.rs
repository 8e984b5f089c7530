//! What a number counts, from the text around it: money, percentages, points, years.

use super::reader::FigureReader;
use crate::reading::{Figure, FigureKind, currencies, scales};
use copydesk_text::words::{NumberWord, number_word};

impl FigureReader<'_> {
    /// Reads the currency and the scale of `84 MSEK` and `3 100 MEUR`.
    pub(super) fn coded_behind(&self, figure: &mut Figure) -> bool {
        let next = figure.tokens.end;
        let capital = self.tokens.get(next).and_then(|token| self.text.get(token.start..token.end)).unwrap_or_default();
        let capitals = capital.chars().filter(char::is_ascii_uppercase).count() > 2;
        let Some((factor, sign)) =
            scales::coded_factor(self.word(next)).filter(|_| capitals && self.adjacent(next - 1))
        else {
            return false;
        };
        figure.value *= factor;
        figure.kind = FigureKind::Money(sign);
        self.take(figure, next + 1);
        true
    }

    /// Reads the scale of `in million euros: 12`.
    pub(super) fn scaled_before(&self, figure: &mut Figure) {
        let before = |steps: usize| self.word_before(figure.tokens.start, steps);
        let head = self.text.get(..figure.start).unwrap_or_default().trim_end_matches(['(', '-', '−', '–', ' ']);
        let sign = currencies::named(before(1));
        let at = if sign.is_some() { 2 } else { 1 };
        if let Some(NumberWord::Scale(scale)) = number_word(before(at))
            && before(at + 1) == "in"
            && head.ends_with(':')
            && !head.rsplit('\n').next().is_some_and(|row| row.starts_with("- "))
            && figure.kind == FigureKind::Count
        {
            #[expect(clippy::cast_precision_loss, reason = "scales are powers of ten far below 2^53")]
            let scale = scale as f64;
            figure.value *= scale;
            figure.kind = sign.map_or(figure.kind, FigureKind::Money);
        }
    }

    /// The kind of a number, from the text around it.
    pub(super) fn unit(&self, figure: &mut Figure, decade: bool) {
        if self.currency_before(figure) {
            return;
        }
        // "22 %", "22 €", "22 Mio. €"
        let rest = self.text.get(figure.end..).unwrap_or_default();
        let short = self.text.get(..figure.end).is_some_and(|head| head.ends_with(char::is_alphabetic));
        let bare = rest.strip_prefix('.').filter(|_| short).unwrap_or(rest);
        let space = bare.chars().next().filter(|c| matches!(c, ' ' | '\u{A0}' | '\u{202F}')).map_or(0, char::len_utf8);
        let blank = if space > 0 { rest.len() - bare.len() + space } else { 0 };
        let mut behind = rest.get(blank..).unwrap_or_default().chars();
        if let Some((mark, sign)) = behind.next().and_then(|mark| Some((mark, currencies::sign(mark)?)))
            && (blank == 0 || !behind.next().is_some_and(|next| next.is_ascii_digit()))
        {
            figure.kind = FigureKind::Money(sign);
            figure.end += blank + mark.len_utf8();
            return;
        }
        if rest.get(blank..).is_some_and(|rest| rest.starts_with('%')) {
            figure.kind = FigureKind::Percent;
            figure.end += blank + 1;
            self.points(figure);
            return;
        }
        let next = figure.tokens.end;
        if self.adjacent(next - 1) {
            if self.coded_behind(figure) {
                return;
            }
            let named = match (self.word(next), self.word(next + 1)) {
                // Of a dollar or a euro: the source says which.
                ("cents", _) => Some((FigureKind::Money('\0'), 100.0, next + 1)),
                ("pence", _) => Some((FigureKind::Money('£'), 100.0, next + 1)),
                ("percent" | "percentage" | "pct" | "prozent" | "procent", _) => {
                    Some((FigureKind::Percent, 1.0, next + 1))
                }
                ("per", "cent" | "cento") | ("pour", "cent") | ("por", "ciento" | "cento") => {
                    Some((FigureKind::Percent, 1.0, next + 2))
                }
                ("basis", "point" | "points") => Some((FigureKind::Points, 100.0, next + 2)),
                _ => self.currency_behind(next).map(|(currency, end)| (FigureKind::Money(currency), 1.0, end)),
            };
            if let Some((kind, parts, end)) = named {
                figure.value /= parts;
                figure.kind = kind;
                self.take(figure, end);
                if kind == FigureKind::Percent {
                    self.points(figure);
                }
                return;
            }
        }
        let bare = !figure.spelled && figure.tokens.len() == 1;
        let text = self.text.get(figure.start..figure.end).unwrap_or_default();
        figure.written.decade = decade;
        let before = self.word_before(figure.tokens.start, 1);
        figure.written.late = (decade && matches!(before, "early" | "late")).then(|| before == "late");
        if decade || bare && text.len() == 4 && (1500.0..2100.0).contains(&figure.value) {
            figure.kind = FigureKind::Year;
        }
    }

    /// Reads `C$`, `€` or `CAD` before a figure.
    pub(super) fn currency_before(&self, figure: &mut Figure) -> bool {
        let head = self.text.get(..figure.start).unwrap_or_default();
        let bare = head.strip_suffix([' ', '\u{A0}']).unwrap_or(head);
        let before = figure.tokens.start.checked_sub(1).and_then(|at| self.tokens.get(at));
        if let Some(mark) = bare.chars().next_back().filter(|mark| currencies::sign(*mark).is_some()) {
            figure.start = bare.len() - mark.len_utf8();
            let letters = before.filter(|token| token.end == figure.start);
            let country = letters.and_then(|token| {
                Some((token.start, currencies::lettered(self.text.get(token.start..token.end)?, mark)?))
            });
            figure.start = country.map_or(figure.start, |(start, _)| start);
            figure.kind = FigureKind::Money(country.map_or(mark, |(_, sign)| sign));
            return true;
        }
        let code = before.filter(|token| token.end == bare.len());
        let code =
            code.and_then(|token| Some((token.start, currencies::code(self.text.get(token.start..token.end)?)?)));
        if let Some((start, sign)) = code {
            figure.start = start;
            figure.kind = FigureKind::Money(sign);
        }
        code.is_some()
    }

    /// Reads `euros`, `Canadian dollars` or `CAD` behind a figure: the currency, and the index behind it.
    pub(super) fn currency_behind(&self, next: usize) -> Option<(char, usize)> {
        // "3,5 millions d'euros", "1.284 millones de euros"
        let of = usize::from(matches!(self.word(next), "de" | "di"));
        let word = self.word(next + of);
        if let Some(currency) = currencies::named(word.strip_prefix("d'").unwrap_or(word)) {
            return Some((currency, next + of + 1));
        }
        let two = usize::from(matches!(self.word(next), "new" | "hong"));
        let sign = currencies::of_country(self.word(next + two), self.word(next + two + 1))?;
        Some((sign, next + two + 2))
    }

    /// `3 percentage points`, `3-percentage-point`, `3% points`.
    pub(super) fn points(&self, figure: &mut Figure) {
        let next = figure.tokens.end;
        if matches!(self.word(next), "point" | "points") && self.adjacent(next - 1) {
            figure.kind = FigureKind::Points;
            self.take(figure, next + 1);
        }
    }
}
