//! The currency of an amount: `C$`, `CAD`, `Canadian dollars`. A dollar sign alone is the one that its text names first.

use crate::reading::{Figure, FigureKind, figure::alike};

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
    ("jpy", 'J'),
    ("yen", 'J'),
    ("cny", 'Y'),
    ("rmb", 'Y'),
    ("yuan", 'Y'),
    ("inr", '₹'),
    ("rupee", '₹'),
    ("rupees", '₹'),
    ("chf", 'F'),
    ("francs", 'F'),
    ("franc", 'F'),
    ("sek", 's'),
    ("kronor", 's'),
    ("nok", 'n'),
    ("dkk", 'd'),
    ("czk", 'c'),
    ("koruna", 'c'),
    ("isk", 'i'),
    ("kr", 'k'),
    ("krona", 'k'),
    ("krone", 'k'),
    ("kroner", 'k'),
    ("crowns", 'k'),
    ("rand", 'Z'),
    ("zar", 'Z'),
];

/// Further currencies: each line has the words for one.
const FURTHER: &[&str] = &[
    "tala wst",
    "baht thb",
    "krw",
    "brl reais",
    "mxn peso pesos",
    "pln zloty zlotys",
    "huf forint forints",
    "try lira liras",
    "ils shekel shekels",
    "aed dirham dirhams",
    "sar riyal riyals",
    "irr rial rials",
    "kwd dinar dinars",
    "myr ringgit",
    "idr rupiah",
    "vnd",
    "rub rouble roubles ruble rubles",
    "uah hryvnia hryvnias",
    "ngn naira",
    "ghs cedi cedis",
    "kes shilling shillings",
    "etb birr",
    "bdt taka",
    "mmk kyat",
    "zmw kwacha",
    "bwp pula",
    "ron",
    "bgn",
    "kzt",
    "pgk",
    "vatu vuv",
    "xaf xof",
    "clp",
    "cop",
    "ars",
    "php",
    "pkr",
    "egp",
];

/// The country of a currency with a name that several have.
const OF_COUNTRIES: &[(&str, char)] = &[
    ("swedish", 's'),
    ("norwegian", 'n'),
    ("danish", 'd'),
    ("czech", 'c'),
    ("icelandic", 'i'),
    ("swiss", 'F'),
    ("japanese", 'J'),
    ("chinese", 'Y'),
    ("british", '£'),
    ("indian", '₹'),
];

/// The letters before the dollar sign of further countries.
const LETTERS: &[(&str, &str)] = &[
    ("fiji", "FJ"),
    ("fijian", "FJ"),
    ("jamaican", "J"),
    ("namibian", "N"),
    ("zimbabwe", "ZW"),
    ("zimbabwean", "ZW"),
    ("belize", "BZ"),
    ("bahamian", "B"),
    ("barbados", "BDS"),
    ("barbadian", "BDS"),
    ("bermudian", "BD"),
    ("brunei", "BN"),
    ("guyanese", "GY"),
    ("liberian", "L"),
];

/// The first sign of those that stand for further currencies and dollars: no text has them.
const PRIVATE: u32 = 0xF_0000;

fn private(number: usize) -> Option<char> {
    char::from_u32(PRIVATE + u32::try_from(number).ok()?)
}

fn of(list: &[(&str, char)], word: &str) -> Option<char> {
    list.iter().find(|(known, _)| *known == word).map(|(_, sign)| *sign)
}

/// The currency that a sign means.
pub fn sign(mark: char) -> Option<char> {
    matches!(mark, '$' | '£' | '€' | '¥' | '₹').then_some(mark)
}

/// The currency of a dollar sign behind some letters.
pub fn lettered(letters: &str) -> Option<char> {
    let country = (1..4).contains(&letters.len()) && letters.bytes().all(|byte| byte.is_ascii_uppercase());
    let number = || letters.bytes().fold(0, |number, byte| number * 27 + usize::from(byte % 32));
    of(BEFORE, letters).or_else(|| private(FURTHER.len() + if country { number() } else { return None }))
}

/// The currency that a folded word names.
pub fn named(word: &str) -> Option<char> {
    let further = || FURTHER.iter().position(|words| words.split(' ').any(|known| known == word)).and_then(private);
    of(NAMES, word).or_else(further)
}

/// The currency of `Canadian dollars` or `Swiss francs`.
pub fn of_country(country: &str, word: &str) -> Option<char> {
    if matches!(word, "dollars" | "dollar") {
        let letters = LETTERS.iter().find(|(known, _)| *known == country);
        return of(COUNTRIES, country).or_else(|| lettered(letters?.1));
    }
    of(OF_COUNTRIES, country).filter(|sign| named(word).is_some_and(|named| alike(named, *sign)))
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
            ("40 million Danish kroner", 'd'),
            ("40 million yuan", 'Y'),
            ("CHF 40", 'F'),
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
