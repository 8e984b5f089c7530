//! Reads figures as a person does: amounts, percentages, counts, years, dates, times, tallies; in digits or in words.

use std::ops::Range;

use crate::{
    reading::{
        Figure, FigureKind, Token, Written, calendar, currencies,
        measures::measure,
        near,
        numerals::{Habit, Suffix, digits},
        scales, signs,
        token::decade,
    },
    words::list::{WordList, words},
};
use copydesk_text::words::{NumberWord, number_word};

/// Words behind `two in five` that make it no share: `twice in five years`.
static NO_SHARE: WordList = words(
    "second seconds minute minutes hour hours day days week weeks month months year years games matches attempts places cities countries",
);

/// Words before the number of a paper.
const NUMBERED: [&str; 12] =
    ["Resolution", "Ordinance", "Bill", "Docket", "Case", "No", "Item", "Order", "File", "Motion", "Act", "Regulation"];

/// The figures of a text, in order.
pub fn read(text: &str, tokens: &[Token]) -> Vec<Figure> {
    let mut found: Vec<Figure> = Vec::new();
    let mut index = 0;
    let digits = tokens.iter().filter(|token| token.counts && token.word.starts_with(|c: char| c.is_ascii_digit()));
    let reader = Reader { text, tokens, habit: Habit::of(digits.map(|token| token.word.as_str())) };
    while let Some(token) = tokens.get(index) {
        if !token.counts {
            index += 1;
            continue;
        }
        let figure = calendar::date(text, tokens, index)
            .or_else(|| calendar::time(text, tokens, index))
            .or_else(|| measure(text, tokens, index))
            .or_else(|| reader.years(index))
            .or_else(|| reader.fraction(index))
            .or_else(|| reader.number(index));
        if let Some(mut figure) = figure {
            signs::mark(text, tokens, &mut figure);
            index = figure.tokens.end.max(index + 1);
            if !tokens.get(figure.tokens.start).is_some_and(Token::aside) {
                found.push(figure);
            }
        } else {
            index += 1;
        }
    }
    join(text, &mut found);
    clock(text, &mut found);
    currencies::settle(text, &mut found);
    scales::apply(text, &mut found);
    found
}

/// In a text with a clock of 24 hours, 9:30 is in the morning.
fn clock(text: &str, figures: &mut [Figure]) {
    let written = |figure: &Figure| text.get(figure.start..figure.end).unwrap_or_default();
    let bare = |figure: &Figure| {
        figure.kind == FigureKind::Time && written(figure).bytes().all(|byte| byte.is_ascii_digit() || byte == b':')
    };
    let shows = |figure: &Figure| bare(figure) && (figure.value >= 780.0 || written(figure).starts_with('0'));
    if figures.iter().any(shows) {
        figures.iter_mut().filter(|figure| bare(figure)).for_each(|figure| figure.half_day = true);
    }
}

/// The text between two figures separates or joins them: `9.1 to 7.4 percent`, `5–2`, `$5 to $6 million`.
fn join(text: &str, figures: &mut [Figure]) {
    for index in 1..figures.len() {
        let (left, right) = figures.split_at_mut(index);
        let (Some(left), Some(right)) = (left.last_mut(), right.first_mut()) else { continue };
        let gap = text.get(left.end..right.start).unwrap_or_default();
        let dash = matches!(gap, "-" | "–" | "—" | "‑");
        let word = gap.trim().to_lowercase();
        let ranged = dash || matches!(word.as_str(), "to" | "and" | "or" | "–" | "-" | "against" | "instead of");
        if ranged && left.kind == FigureKind::Count && matches!(right.kind, FigureKind::Percent) {
            left.kind = right.kind;
        }
        if (dash || word == "to")
            && left.kind == FigureKind::Count
            && matches!(right.kind, FigureKind::Money(_))
            && right.slack <= 0.0
        {
            left.kind = right.kind;
        }
        if ranged && matches!(right.kind, FigureKind::Money(_)) && right.slack > 0.0 && left.value < 1_000.0 {
            let scale = if right.value >= 1e9 {
                1e9
            } else if right.value >= 1e6 {
                1e6
            } else {
                1e3
            };
            if left.kind == FigureKind::Count || left.kind == right.kind {
                left.kind = right.kind;
                left.value *= scale;
            }
        }
        let next = (right.value - (left.value + 1.0) % 100.0).abs() < 0.5;
        if (dash || gap == "/" && next)
            && left.kind == FigureKind::Year
            && right.kind == FigureKind::Count
            && right.value < 100.0
        {
            right.kind = FigureKind::Year;
            right.value += (left.value / 100.0).floor() * 100.0;
        } else if left.kind == FigureKind::Count
            && right.kind == FigureKind::Count
            && (dash || gap == ":" || word == "to" || word == "votes to")
        {
            // "Resolution 25-88" is named by its number.
            let named = text
                .get(..left.start)
                .unwrap_or_default()
                .trim_end()
                .rsplit(char::is_whitespace)
                .next()
                .unwrap_or_default();
            let named = dash && NUMBERED.contains(&named.trim_end_matches('.'));
            let apart = !named && (dash || word != "to" || left.spelled == right.spelled);
            if apart && left.value <= 600.0 && right.value <= 600.0 {
                left.partner = Some(right.value);
                left.written.leads = true;
                right.partner = Some(left.value);
            }
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    tokens: &'a [Token],
    habit: Habit,
}

impl Reader<'_> {
    fn word(&self, index: usize) -> &str {
        self.tokens.get(index).map_or("", |token| token.word.as_str())
    }

    /// Whether two words are so close that they can be one number.
    fn adjacent(&self, index: usize) -> bool {
        let (Some(a), Some(b)) = (self.tokens.get(index), self.tokens.get(index + 1)) else { return false };
        // "**55** crowns"
        let gap = self.text.get(a.end..b.start).map(|gap| gap.trim_start_matches('*'));
        matches!(gap, Some(" " | "-" | "‑" | "\u{A0}" | "\n" | "\u{202F}"))
    }

    /// `FY24`, `'07`, `the '70s`, `the seventies`.
    fn years(&self, index: usize) -> Option<Figure> {
        let word = self.word(index);
        let before = index.checked_sub(1).map_or("", |at| self.word(at));
        let late = matches!(before, "early" | "late").then(|| before == "late");
        let year = |value: f64, decade: bool, other: Option<f64>| {
            let mut figure = self.figure(index..index + 1, value, FigureKind::Year, 0.0, false);
            figure.written = Written { other, decade, late, ..Written::default() };
            Some(figure)
        };
        let century = |short: f64| if short <= 30.0 { 2_000.0 + short } else { 1_900.0 + short };
        // "3Q23"
        let short = |word: &'_ str| {
            word.starts_with(['1', '2', '3', '4']) && word.get(1..2).is_some_and(|part| matches!(part, "q" | "h"))
        };
        let quarter = word.get(2..).filter(|digits| short(word) && matches!(digits.len(), 2 | 4));
        let quarter = quarter.or_else(|| word.strip_prefix(['q', 'h'])?.split_once('\'').map(|(_, year)| year));
        if let Some(digits) = word.strip_prefix("fy").or(quarter) {
            let value: f64 = digits.parse().ok()?;
            return year(if digits.len() == 2 { 2_000.0 + value } else { value }, false, None);
        }
        // "Les années 60", "die 1960er Jahre"
        let of_years = word.strip_suffix("er").filter(|_| self.word(index + 1).starts_with("jahr"));
        let ten = of_years.or_else(|| matches!(before, "années" | "años" | "anni").then_some(word));
        if let Some(value) = ten.filter(|ten| matches!(ten.len(), 2 | 4)).and_then(|ten| ten.parse::<f64>().ok()) {
            return year(if value < 100.0 { 1_900.0 + value } else { value }, true, None);
        }
        let told = matches!(before, "the" | "early" | "late");
        if let Some(short) = decade(word) {
            let of_people =
                index.checked_sub(2).is_some_and(|at| matches!(self.word(at), "his" | "her" | "their" | "my"));
            return if told && !of_people {
                year(1_900.0 + f64::from(short), true, Some(2_000.0 + f64::from(short)))
            } else {
                None
            };
        }
        let head = self.tokens.get(index).and_then(|token| self.text.get(..token.start)).unwrap_or_default();
        let mark = head.ends_with(['\'', '’', '‘', '′'])
            && !head.trim_end_matches(['\'', '’', '‘', '′']).ends_with(char::is_alphanumeric);
        if let Some(short) = word.strip_suffix("'s").or_else(|| word.strip_suffix('s')).filter(|short| short.len() == 2)
        {
            let short: f64 = short.parse().ok()?;
            let ten = (short / 10.0).fract() == 0.0;
            let other = (short <= 20.0).then_some(2_000.0 + short);
            return if ten && (mark || matches!(before, "the" | "early" | "late" | "mid")) {
                year(1_900.0 + short, true, other)
            } else {
                None
            };
        }
        let lone = word.len() == 2
            && mark
            && matches!(
                before,
                "in" | "of" | "since" | "from" | "until" | "summer" | "winter" | "spring" | "autumn" | "and"
            );
        if lone { year(century(word.parse().ok()?), false, None) } else { None }
    }

    /// `a third`, `two-thirds`, `three quarters`, `half`.
    fn fraction(&self, index: usize) -> Option<Figure> {
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
            return Some(self.figure(index..end, 0.5, FigureKind::Points, 0.0, true));
        }
        if word == "half" && (self.word(index + 1) == "of" || self.word(index + 1) == "as" && compared(index + 1)) {
            return Some(self.figure(index..index + 1, 0.5, FigureKind::Fraction, 0.0, true));
        }
        let count = match word {
            "a" => 1.0,
            _ => match number_word(word) {
                Some(NumberWord::Unit(count @ 1..=9)) => f64::from(count),
                _ => return self.one_in(index),
            },
        };
        if let Some(found) = self.one_in(index) {
            return Some(found);
        }
        let whole = part(self.word(index + 1)).filter(|_| self.adjacent(index))?;
        if let Some(end) = self.of_a_point(index + 2) {
            return Some(self.figure(index..end, count / whole, FigureKind::Points, 0.0, true));
        }
        let plural = self.word(index + 1).ends_with('s');
        let before = index.checked_sub(1).map_or("", |at| self.word(at));
        let measured =
            matches!(before, "by" | "about" | "nearly" | "almost" | "roughly" | "than" | "around" | "to" | "over");
        (self.word(index + 2) == "of" && count / whole < 1.0 || plural || measured || compared(index + 2))
            .then(|| self.figure(index..index + 2, count / whole, FigureKind::Fraction, 0.0, true))
    }

    /// The index behind `of a percentage point`, `a point`.
    fn of_a_point(&self, index: usize) -> Option<usize> {
        let of = index + usize::from(self.word(index) == "of");
        let point = of + 1 + usize::from(matches!(self.word(of + 1), "percentage" | "percent"));
        (matches!(self.word(of), "a" | "one") && self.word(point) == "point").then_some(point + 1)
    }

    /// `one in five`, `nine out of ten`.
    fn one_in(&self, index: usize) -> Option<Figure> {
        let small = |at: usize| match number_word(self.word(at)) {
            Some(NumberWord::Unit(unit)) => Some(f64::from(unit)),
            _ => self.word(at).parse().ok().filter(|value: &f64| value.fract() == 0.0),
        };
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
        (counts && round).then(|| self.figure(index..at + 1, part / whole, FigureKind::Fraction, 0.0, true))
    }

    /// Whether a year says what money was worth: `in 2019 dollars`.
    fn values_money(&self, index: usize) -> bool {
        let year = self.tokens.get(index).is_some_and(|token| {
            token.word.len() == 4 && token.word.parse().is_ok_and(|year: u32| (1800..2100).contains(&year))
        });
        let before = index.checked_sub(1).map_or("", |at| self.word(at));
        year && matches!(before, "in" | "constant")
            && self.adjacent(index)
            && matches!(self.word(index + 1), "dollars" | "pounds" | "euros" | "prices")
    }

    fn number(&self, index: usize) -> Option<Figure> {
        let token = self.tokens.get(index)?;
        // "Several hundred" is a vague size, and "in million euros" a scale.
        let before = index.checked_sub(1).map_or("", |at| self.word(at));
        let scale = matches!(number_word(&token.word), Some(NumberWord::Scale(_)));
        // The initial K in a name does not mean a thousand.
        if scale && (&*token.word == "k" || matches!(before, "several" | "few" | "many" | "in" | "couple")) {
            return None;
        }
        // "Below zero" is the sign of the figure before it.
        if self.values_money(index) || token.word == "zero" && matches!(before, "below" | "above" | "under") {
            return None;
        }
        let (mut value, mut other, decimals, mut end, spelled, plain) = if let Some(value) = self.rand(index) {
            (value, None, usize::from(value.fract() > 0.0), index + 1, false, Suffix::None)
        } else if token.word.starts_with(|c: char| c.is_ascii_digit()) {
            let (value, other, decimals, suffix) = digits(&token.word, self.habit)?;
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
        if self.word(end) == "and" && self.word(end + 1) == "a" && self.word(end + 2) == "half" {
            value += 0.5;
            end += 3;
        }
        let mut figure = self.figure(index..end, value, FigureKind::Count, slack, spelled);
        figure.written.other = other;
        if matches!(plain, Suffix::Pence) {
            figure.value /= 100.0;
            figure.kind = FigureKind::Money('£');
            return Some(figure);
        }
        if self.rand(index).is_some() {
            figure.kind = FigureKind::Money(currencies::named("rand")?);
            return Some(figure);
        }
        self.unit(&mut figure, matches!(plain, Suffix::Decade));
        self.scaled_before(&mut figure);
        Some(figure)
    }

    /// The number of `R1.25 million` and `R84`. "R1" alone may be a road.
    fn rand(&self, index: usize) -> Option<f64> {
        let token = self.tokens.get(index)?;
        let number = self.text.get(token.start..token.end)?.strip_prefix('R').and(token.word.strip_prefix('r'))?;
        let (value, ..) = digits(number, self.habit)?;
        let scaled = matches!(number_word(self.word(index + 1)), Some(NumberWord::Scale(1_000..)));
        (scaled || number.len() > 2).then_some(value)
    }

    /// Reads the currency and the scale of `84 MSEK` and `3 100 MEUR`.
    fn coded_behind(&self, figure: &mut Figure) -> bool {
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
    fn scaled_before(&self, figure: &mut Figure) {
        let before = |steps: usize| figure.tokens.start.checked_sub(steps).map_or("", |at| self.word(at));
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
    fn unit(&self, figure: &mut Figure, decade: bool) {
        let after = self.text.get(figure.end..).and_then(|tail| tail.chars().next()).unwrap_or(' ');
        if self.currency_before(figure) {
            return;
        }
        if let Some(sign) = currencies::sign(after) {
            figure.kind = FigureKind::Money(sign);
            figure.end += after.len_utf8();
            return;
        }
        // "22 %"
        let rest = self.text.get(figure.end..).unwrap_or_default();
        let blank = rest.chars().next().filter(|c| matches!(c, ' ' | '\u{A0}' | '\u{202F}')).map_or(0, char::len_utf8);
        if rest.get(blank..).is_some_and(|rest| rest.starts_with('%')) {
            figure.kind = FigureKind::Percent;
            figure.end += blank + 1;
            self.points(figure);
            return;
        }
        let next = figure.tokens.end;
        if !self.adjacent(next - 1) {
            // No unit can follow.
        } else if self.coded_behind(figure) {
            return;
        } else if self.word(next) == "cents" {
            // Of a dollar or a euro: the source says which.
            figure.value /= 100.0;
            figure.kind = FigureKind::Money('\0');
            self.take(figure, next + 1);
            return;
        } else if self.word(next) == "pence" {
            figure.value /= 100.0;
            figure.kind = FigureKind::Money('£');
            self.take(figure, next + 1);
            return;
        } else if let Some((currency, end)) = self.currency_behind(next) {
            figure.kind = FigureKind::Money(currency);
            self.take(figure, end);
            return;
        } else if matches!(self.word(next), "percent" | "percentage" | "pct" | "prozent" | "procent") {
            figure.kind = FigureKind::Percent;
            self.take(figure, next + 1);
            self.points(figure);
            return;
        } else if matches!(
            (self.word(next), self.word(next + 1)),
            ("per", "cent" | "cento") | ("pour", "cent") | ("por", "ciento" | "cento")
        ) {
            figure.kind = FigureKind::Percent;
            self.take(figure, next + 2);
            self.points(figure);
            return;
        } else if self.word(next) == "basis" && matches!(self.word(next + 1), "point" | "points") {
            figure.kind = FigureKind::Points;
            figure.value /= 100.0;
            self.take(figure, next + 2);
            return;
        }
        let bare = !figure.spelled && figure.tokens.len() == 1;
        let text = self.text.get(figure.start..figure.end).unwrap_or_default();
        figure.written.decade = decade;
        let before = figure.tokens.start.checked_sub(1).map_or("", |at| self.word(at));
        figure.written.late = (decade && matches!(before, "early" | "late")).then(|| before == "late");
        if decade || bare && text.len() == 4 && (1500.0..2100.0).contains(&figure.value) {
            figure.kind = FigureKind::Year;
        }
    }

    /// Reads `C$`, `€` or `CAD` before a figure.
    fn currency_before(&self, figure: &mut Figure) -> bool {
        let head = self.text.get(..figure.start).unwrap_or_default();
        let bare = head.strip_suffix([' ', '\u{A0}']).unwrap_or(head);
        let before = figure.tokens.start.checked_sub(1).and_then(|at| self.tokens.get(at));
        if let Some(mark) = bare.chars().next_back().filter(|mark| currencies::sign(*mark).is_some()) {
            figure.start = bare.len() - mark.len_utf8();
            let letters = before.filter(|token| mark == '$' && token.end == figure.start);
            let country = letters
                .and_then(|token| Some((token.start, currencies::lettered(self.text.get(token.start..token.end)?)?)));
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
    fn currency_behind(&self, next: usize) -> Option<(char, usize)> {
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
    fn points(&self, figure: &mut Figure) {
        let next = figure.tokens.end;
        if matches!(self.word(next), "point" | "points") && self.adjacent(next - 1) {
            figure.kind = FigureKind::Points;
            self.take(figure, next + 1);
        }
    }

    fn take(&self, figure: &mut Figure, tokens_end: usize) {
        figure.tokens.end = tokens_end;
        figure.end = self.tokens.get(tokens_end - 1).map_or(figure.end, |token| token.end);
    }

    fn figure(&self, tokens: Range<usize>, value: f64, kind: FigureKind, slack: f64, spelled: bool) -> Figure {
        let start = self.tokens.get(tokens.start).map_or(0, |token| token.start);
        let end = self.tokens.get(tokens.end - 1).map_or(start, |token| token.end);
        Figure { slack, spelled, ..Figure::new(kind, value, tokens, start..end) }
    }

    /// Reads `two hundred and six`, `a dozen`, `fourteen hundred and sixty`: the value, and the index after the last
    /// word. `one` and `a` alone count nothing. `half a dozen` is a half of it, `two and a half million` is
    /// that of a million.
    fn spelled(&self, index: usize) -> Option<(f64, usize)> {
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
            let before = |steps: usize| index.checked_sub(steps).map_or("", |at| self.word(at));
            before(1) == "to" && matches!(number_word(before(2)), Some(NumberWord::Unit(2..)))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::{ParsedText, near};

    fn figures(text: &str) -> Vec<(String, f64, FigureKind)> {
        let reading = ParsedText::new(text);
        reading.figures.iter().map(|f| (reading.slice(f.start..f.end).to_owned(), f.value, f.kind)).collect()
    }

    fn one(text: &str) -> Figure {
        ParsedText::new(text).figures.into_iter().next().unwrap()
    }

    #[test]
    fn one_amount_in_many_forms() {
        for other in
            ["1.2 million dollars", "$1,200,000", "$1.2m", "$1.2million", "one million two hundred thousand dollars"]
        {
            assert!(one("$1.2 million").same(&one(other)), "{other}");
        }
        for other in ["50$", "$ 50", "50 bucks", "fifty dollars"] {
            assert!(one("$50").same(&one(other)), "{other}");
        }
        for other in ["50p", "50 pence", "fifty pence"] {
            assert!(one("£0.50").same(&one(other)), "{other}: {:?}", one(other));
        }
        assert_eq!(one("1080p").kind, FigureKind::Count);
        assert!(!one("$1.2 million").same(&one("£1.2 million")));
    }

    #[test]
    fn numbers_in_words() {
        for (text, value) in [
            ("two hundred and six children", 206.0),
            ("forty-two trees", 42.0),
            ("a dozen eggs", 12.0),
            ("half a dozen eggs", 6.0),
            ("half a million dollars", 500_000.0),
            ("one and a half million dollars", 1_500_000.0),
            ("eight and a half percent", 8.5),
            ("3½ percent", 3.5),
            ("10¾ inches", 10.75),
            ("fourteen hundred and sixty dollars", 1460.0),
            ("a hundred and fifty percent", 150.0),
            ("nine hundred thousand dollars", 900_000.0),
        ] {
            assert!(near(one(text).value, value), "{text}: {:?}", one(text));
        }
        assert!(figures("one of them, a house").is_empty());
    }

    #[test]
    fn units_reach_back_over_a_range() {
        assert_eq!(
            figures("went from 9.1 to 7.4 percent"),
            [("9.1".to_owned(), 9.1, FigureKind::Percent), ("7.4 percent".to_owned(), 7.4, FigureKind::Percent)]
        );
        assert_eq!(one("The vote was 5–2.").partner, Some(2.0));
        assert!(near(figures("during 2024–25")[1].1, 2025.0));
    }

    #[test]
    fn a_year_that_values_money_is_no_figure() {
        assert_eq!(
            figures("$5 million in 2019 dollars, and 2019 dollars more, and in 2019 itself"),
            [
                ("$5 million".to_owned(), 5e6, FigureKind::Money('$')),
                ("2019 dollars".to_owned(), 2019.0, FigureKind::Money('$')),
                ("2019".to_owned(), 2019.0, FigureKind::Year),
            ]
        );
    }

    #[test]
    fn a_scale_and_a_decade_stand_in_many_places() {
        let loss = one("Result of the port, in thousand euros: (45).");
        assert!(loss.same(&one("minus 45 thousand euros")));
        assert!(one("from 3 to 9 pesos").kind != FigureKind::Count);
        assert!(figures("several hundred boats, a few thousand more").is_empty());
        assert!(one("dans les années 60").same(&one("1964")) && one("in den 1960er Jahren").same(&one("1964")));
        assert!(figures("It was written by P. K. Ruud.").is_empty());
        assert!(one("in the early 60s").same(&one("1964")) && !one("in the late 60s").same(&one("1974")));
    }

    #[test]
    fn a_third_is_about_33_percent_and_a_third_step_is_not() {
        assert!(one("by a third").same(&one("33.3 percent")));
        assert!(figures("a third step").is_empty());
    }
}
