//! Years: `FY24`, `'07`, `the '70s`, `in 2019 dollars`.

use super::reader::FigureReader;
use crate::{
    reading::{Figure, FigureKind, Written, token::decade},
    words::calendar::small_ordinal,
};

impl FigureReader<'_> {
    /// `FY24`, `'07`, `the '70s`, `the seventies`.
    pub(super) fn years(&self, index: usize) -> Option<Figure> {
        let word = self.word(index);
        let before = self.word_before(index, 1);
        let late = matches!(before, "early" | "late").then(|| before == "late");
        let year = |value: f64, decade: bool, other: Option<f64>| {
            let mut figure = self.figure(index..index + 1, value, FigureKind::Year, false);
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
        if let Some(short) = decade(word).map(f64::from) {
            let of_people = matches!(self.word_before(index, 2), "his" | "her" | "their" | "my");
            // "The nineteen-nineties"
            let nineteen = before == "nineteen";
            let other = (!nineteen).then_some(2_000.0 + short);
            return year(1_900.0 + short, true, other).filter(|_| nineteen || told && !of_people);
        }
        let head = self.tokens.get(index).and_then(|token| self.text.get(..token.start)).unwrap_or_default();
        let mark = head.ends_with(['\'', '’', '‘', '′'])
            && !head.trim_end_matches(['\'', '’', '‘', '′']).ends_with(char::is_alphanumeric);
        if let Some(short) = word.strip_suffix("'s").or_else(|| word.strip_suffix('s')).filter(|short| short.len() == 2)
        {
            let short: f64 = short.parse().ok()?;
            let ten = (short / 10.0).fract() == 0.0 && (mark || told || before == "mid");
            let other = (short <= 20.0).then_some(2_000.0 + short);
            return year(1_900.0 + short, true, other).filter(|_| ten);
        }
        let lone = word.len() == 2 && mark && word.bytes().all(|byte| byte.is_ascii_digit());
        if lone { year(century(word.parse().ok()?), false, None) } else { None }
    }

    /// `the 19th century`, `the twenty-first century`: its first year.
    pub(super) fn century(&self, index: usize) -> Option<Figure> {
        let ordinal = |at: usize| {
            let word = self.word(at);
            let digits = || ["st", "nd", "rd", "th"].iter().find_map(|end| word.strip_suffix(end)?.parse::<u32>().ok());
            small_ordinal(word).or_else(digits)
        };
        let twenty = self.word(index) == "twenty";
        let (number, last) = if twenty {
            (20 + ordinal(index + 1).filter(|unit| *unit < 10)?, index + 1)
        } else {
            (ordinal(index)?, index)
        };
        let named = matches!(self.word(last + 1), "century" | "centuries") && !self.tokens.get(last + 1)?.capital;
        let before_christ = matches!(self.word(last + 2), "bc" | "bce");
        if !named || before_christ || !(1..=21).contains(&number) {
            return None;
        }
        let mut figure = self.figure(index..last + 2, f64::from(number * 100 - 99), FigureKind::Year, false);
        figure.written.century = true;
        Some(figure)
    }

    /// Whether a year says what money was worth: `in 2019 dollars`.
    pub(super) fn values_money(&self, index: usize) -> bool {
        let year = self.tokens.get(index).is_some_and(|token| {
            token.word.len() == 4 && token.word.parse().is_ok_and(|year: u32| (1800..2100).contains(&year))
        });
        let before = self.word_before(index, 1);
        year && matches!(before, "in" | "constant")
            && self.adjacent(index)
            && matches!(self.word(index + 1), "dollars" | "pounds" | "euros" | "prices")
    }
}
