//! The currency of an amount: `C$`, `CAD`, `Canadian dollars`. A dollar sign alone is the one that its text names first.

use crate::reading::{Figure, FigureKind};

/// The letters before a dollar sign, and the sign of the currency.
const BEFORE: &[(&str, char)] = &[
    ("US", '$'),
    ("C", 'C'),
    ("CA", 'C'),
    ("CAN", 'C'),
    ("A", 'A'),
    ("AU", 'A'),
    ("NZ", 'N'),
    ("HK", 'H'),
    ("S", 'S'),
    ("SG", 'S'),
    ("NT", 'T'),
    ("R", 'R'),
    ("MX", 'M'),
];

/// The country of a dollar in words.
const COUNTRIES: &[(&str, char)] = &[
    ("us", '$'),
    ("american", '$'),
    ("canadian", 'C'),
    ("australian", 'A'),
    ("aussie", 'A'),
    ("zealand", 'N'),
    ("kong", 'H'),
    ("singapore", 'S'),
    ("taiwan", 'T'),
];

const NAMES: &[(&str, char)] = &[
    ("usd", '$'),
    ("dollars", '$'),
    ("dollar", '$'),
    ("bucks", '$'),
    ("cad", 'C'),
    ("aud", 'A'),
    ("nzd", 'N'),
    ("hkd", 'H'),
    ("sgd", 'S'),
    ("gbp", '£'),
    ("pounds", '£'),
    ("sterling", '£'),
    ("quid", '£'),
    ("eur", '€'),
    ("euro", '€'),
    ("euros", '€'),
    ("jpy", '¥'),
    ("yen", '¥'),
    ("cny", '¥'),
    ("rmb", '¥'),
    ("yuan", '¥'),
    ("inr", '₹'),
    ("rupee", '₹'),
    ("rupees", '₹'),
    ("chf", 'F'),
    ("francs", 'F'),
    ("sek", 'k'),
    ("nok", 'k'),
    ("dkk", 'k'),
    ("kr", 'k'),
    ("kronor", 'k'),
    ("kroner", 'k'),
    ("rand", 'Z'),
    ("zar", 'Z'),
];

fn of(list: &[(&str, char)], word: &str) -> Option<char> {
    list.iter().find(|(known, _)| *known == word).map(|(_, sign)| *sign)
}

/// The currency that a sign means.
pub fn sign(mark: char) -> Option<char> {
    matches!(mark, '$' | '£' | '€' | '¥' | '₹').then_some(mark)
}

/// The currency of a dollar sign behind some letters.
pub fn lettered(letters: &str) -> Option<char> {
    of(BEFORE, letters)
}

/// The currency that a folded word names.
pub fn named(word: &str) -> Option<char> {
    of(NAMES, word)
}

/// The currency of `Canadian dollars`, by its first word.
pub fn of_country(word: &str) -> Option<char> {
    of(COUNTRIES, word)
}

/// The currency that three capital letters name: `CAD 40`.
pub fn code(letters: &str) -> Option<char> {
    let code = letters.len() == 3 && letters.bytes().all(|byte| byte.is_ascii_uppercase());
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
            ("CHF 40", 'F'),
        ] {
            assert_eq!(kinds(text), [FigureKind::Money(sign)], "{text}");
        }
        assert_eq!(kinds("It cost C$40, then $50."), [FigureKind::Money('C'), FigureKind::Money('C')]);
        assert_eq!(kinds("It cost C$40, or US$30, then $50.").last(), Some(&FigureKind::Money('$')));
    }
}
