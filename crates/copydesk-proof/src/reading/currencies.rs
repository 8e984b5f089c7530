//! The currency of an amount: `C$`, `CAD`, `Canadian dollars`. A dollar sign alone is the one that its text names first.

use std::sync::LazyLock;

use foldhash::HashMap;

use crate::reading::{Figure, FigureKind, figure::alike};

/// A currency of the list `assets/words/currencies.txt`.
struct Currency {
    sign: char,
    names: &'static str,
    letters: &'static str,
    countries: &'static str,
}

/// The first sign of those that stand for currencies without one: no text has them.
const PRIVATE: u32 = 0xF_0000;

/// And of those that stand for dollars with letters that the list does not have.
const LETTERED: u32 = PRIVATE + 1_000;

static CURRENCIES: LazyLock<Vec<Currency>> = LazyLock::new(|| {
    let lines = include_str!("../../../../assets/words/currencies.txt").lines().filter(|line| !line.starts_with('#'));
    let currency = |(line, place): (&'static str, u32)| {
        let mut parts = line.split('|').map(str::trim);
        let sign = parts.next()?.chars().next().or(char::from_u32(place))?;
        Some(Currency { sign, names: parts.next()?, letters: parts.next()?, countries: parts.next()? })
    };
    lines.zip(PRIVATE..).filter_map(currency).collect()
});

/// The sign of the first currency that has a word in some part of its line.
fn of(part: fn(&Currency) -> &'static str, word: &str) -> Option<char> {
    let has = |currency: &&Currency| part(currency).split_ascii_whitespace().any(|known| known == word);
    CURRENCIES.iter().find(has).map(|currency| currency.sign)
}

/// The currency that a sign means.
pub fn sign(mark: char) -> Option<char> {
    matches!(mark, '$' | '£' | '€' | '¥' | '₹').then_some(mark)
}

/// The currency of a sign behind some letters.
pub fn lettered(letters: &str, mark: char) -> Option<char> {
    let country = (1..4).contains(&letters.len()) && letters.bytes().all(|byte| byte.is_ascii_uppercase());
    of(|currency| currency.letters, &format!("{letters}{mark}")).or_else(|| {
        let number = || letters.bytes().fold(0, |number, byte| number * 27 + u32::from(byte % 32));
        (country && mark == '$').then(|| char::from_u32(LETTERED + number())).flatten()
    })
}

/// The sign of the first currency with each name: nearly every word beside a figure is asked about.
static NAMES: LazyLock<HashMap<&str, char>> = LazyLock::new(|| {
    let names = |currency: &Currency| currency.names.split_ascii_whitespace().zip(std::iter::repeat(currency.sign));
    CURRENCIES.iter().rev().flat_map(names).collect()
});

/// The currency that a folded word names.
pub fn named(word: &str) -> Option<char> {
    NAMES.get(word).copied()
}

/// The currency of `Canadian dollars` or `Swiss francs`.
pub fn of_country(country: &str, word: &str) -> Option<char> {
    let named = named(word)?;
    let own = of(|currency| currency.countries, country)?;
    (named == '$' || alike(named, own)).then_some(own)
}

/// The currency that letters before a figure name: `CAD 40`, `KSh 40`.
pub fn code(letters: &str) -> Option<char> {
    let capitals = letters.bytes().filter(u8::is_ascii_uppercase).count();
    let code = letters.len() == 3 && capitals == 3 || matches!(letters, "KSh" | "Ksh" | "Rs" | "RM");
    named(&letters.to_ascii_lowercase()).filter(|_| code)
}

/// Gives bare dollars the country that the text's first dollar names, if it names no other.
pub fn settle(text: &str, figures: &mut [Figure]) {
    let dollar = |figure: &Figure| match figure.kind {
        FigureKind::Money(sign @ ('$' | 'C' | 'A' | 'N' | 'H' | 'S' | 'T')) => Some(sign),
        _ => None,
    };
    let bare = |figure: &Figure| {
        let written = text.get(figure.start..figure.end).unwrap_or_default();
        written.starts_with('$') || !written.contains("US") && !written.contains("merican")
    };
    let mut told = figures.iter().filter_map(|figure| {
        dollar(figure).filter(|sign| *sign != '$' || !bare(figure)).map(|sign| (figure.start, sign))
    });
    let Some((from, sign)) = told.next() else { return };
    if sign == '$' || told.any(|(_, other)| other != sign) {
        return;
    }
    for figure in figures.iter_mut().filter(|figure| figure.start > from && dollar(figure) == Some('$')) {
        figure.kind = FigureKind::Money(sign);
    }
}

#[cfg(test)]
mod tests {
    use crate::reading::{Figure, FigureKind, ParsedText};

    fn kinds(text: &str) -> Vec<FigureKind> {
        ParsedText::new(text).figures.iter().map(|figure: &Figure| figure.kind).collect()
    }

    #[test]
    fn each_country_has_its_dollar() {
        for (text, sign) in [
            ("NZ$40 million", 'N'),
            ("AUD 40 million", 'A'),
            ("40 million Hong Kong dollars", 'H'),
            ("US$40 million", '$'),
            ("40 million rupees", '₹'),
            ("40 million Danish kroner", 'd'),
            ("40 million yuan", 'Y'),
            ("CHF 40", 'F'),
            ("E£40 million", 'e'),
            ("GB£40 million", '£'),
            ("CN¥40", 'Y'),
        ] {
            assert_eq!(kinds(text), [FigureKind::Money(sign)], "{text}");
        }
        let same = |one: &str, other: &str| match (kinds(one).as_slice(), kinds(other).as_slice()) {
            ([FigureKind::Money(one)], [FigureKind::Money(other)]) => crate::reading::figure::alike(*one, *other),
            _ => false,
        };
        for (one, other) in
            [("BZ$40", "40 Belize dollars"), ("¥40", "40 yen"), ("SEK 40", "40 kronor"), ("THB 40", "40 baht")]
        {
            assert!(same(one, other), "{one}");
        }
        for (one, other) in [("BZ$40", "$40"), ("40 yuan", "40 yen"), ("40 baht", "40 dollars"), ("TT$40", "BZ$40")] {
            assert!(!same(one, other), "{one}");
        }
        assert_eq!(kinds("It cost C$40, then $50."), [FigureKind::Money('C'), FigureKind::Money('C')]);
        assert_eq!(kinds("It cost C$40, or US$30, then $50.").last(), Some(&FigureKind::Money('$')));
    }
}
