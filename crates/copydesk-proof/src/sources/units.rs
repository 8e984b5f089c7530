//! Conversions: a figure in another unit than the source's that equals it, as precisely as the draft gives it.
//!
//! Why: a newsroom gives readers their own units, and a mile for a kilometre is wrong by half.

use std::ops::Range;

use crate::{
    reading::{Bound, Figure, FigureKind, ParsedText, near},
    sources::{SourceArchive, common, derivation::Derivation, of_line, one_line},
};

/// Names of a unit, what it measures, and its size in the first unit of that kind.
const UNITS: &[(&[&str], char, f64)] = &[
    (&["km", "kms", "kilometer", "kilometers", "kilometre", "kilometres"], 'l', 1_000.0),
    (&["m", "meter", "meters", "metre", "metres"], 'l', 1.0),
    (&["cm", "centimeter", "centimeters", "centimetre", "centimetres"], 'l', 0.01),
    (&["mm", "millimeter", "millimeters", "millimetre", "millimetres"], 'l', 0.001),
    (&["mile", "miles", "mi"], 'l', 1_609.344),
    (&["yard", "yards"], 'l', 0.9144),
    (&["foot", "feet", "ft"], 'l', 0.3048),
    (&["inch", "inches", "in"], 'l', 0.0254),
    (&["kg", "kilo", "kilos", "kilogram", "kilograms", "kilogramme", "kilogrammes"], 'w', 1.0),
    (&["tonne", "tonnes"], 'w', 1_000.0),
    (&["g", "gram", "grams"], 'w', 0.001),
    (&["mg", "milligram", "milligrams"], 'w', 1e-6),
    (&["µg", "μg", "mcg", "microgram", "micrograms"], 'w', 1e-9),
    (&["nautical"], 'l', 1_852.0),
    (&["mph"], 's', 0.447_04),
    (&["kph", "kmh"], 's', 1.0 / 3.6),
    (&["knot", "knots"], 's', 0.514_444),
    (&["pound", "pounds", "lb", "lbs"], 'w', 0.453_592_37),
    (&["ounce", "ounces", "oz"], 'w', 0.028_349_523),
    (&["acre", "acres"], 'a', 4_046.856),
    (&["hectare", "hectares", "ha"], 'a', 10_000.0),
    (&["liter", "liters", "litre", "litres"], 'v', 1.0),
    (&["ml", "milliliter", "milliliters", "millilitre", "millilitres"], 'v', 0.001),
    (&["gallon", "gallons"], 'v', 3.785_412),
    (&["barrel", "barrels"], 'v', 158.987_295),
    (&["second", "seconds"], 't', 1.0),
    (&["minute", "minutes", "mins"], 't', 60.0),
    (&["hour", "hours", "hrs"], 't', 3_600.0),
    (&["day", "days"], 't', 86_400.0),
    (&["week", "weeks"], 't', 604_800.0),
    (&["month", "months"], 't', 2_629_746.0),
    (&["year", "years"], 't', 31_556_952.0),
    (&["decade", "decades"], 't', 315_569_520.0),
];

/// The figure of a source that the draft's converts.
pub fn converted(archive: &SourceArchive<'_>, reading: &ParsedText<'_>, figure: &Figure) -> Option<Derivation> {
    let (measures, size) = unit(reading, figure)?;
    let bound = Bound::of(reading, figure);
    let line = reading.tokens.get(figure.tokens.start)?.line;
    let own = of_line(reading, line);
    // "2.2 miles" stands for anything from 2.15 to 2.25; a number in round tens or hundreds for more.
    let text = reading.slice(figure.start..figure.end);
    let decimals = text.split_once('.').map_or(0, |(_, rest)| rest.chars().take_while(char::is_ascii_digit).count());
    let place = if figure.slack > 0.0 {
        figure.slack * 2.0
    } else if decimals == 0 {
        round_to(figure.value)
    } else {
        10f64.powi(-i32::try_from(decimals).ok()?)
    };
    archive.readings.iter().enumerate().find_map(|(source, theirs)| {
        let other = theirs.figures.iter().find(|other| {
            unit(theirs, other).is_some_and(|(kind, scale)| {
                let another = kind != measures || (scale - size).abs() > 1e-9 || other.kind != figure.kind;
                let value = match (kind, measures) {
                    ('c', 'f') => other.value * 1.8 + 32.0,
                    ('f', 'c') => (other.value - 32.0) / 1.8,
                    _ if kind == measures => other.value * scale / size,
                    _ => return false,
                };
                let kept = matches!(bound, Bound::Exact | Bound::About) || bound.holds(figure.value, value);
                another && kept && (value - figure.value).abs() <= place * 0.5001
            }) && theirs.tokens.get(other.tokens.start).is_some_and(|token| {
                unit(theirs, other) == Some((measures, size)) && near(other.value, figure.value)
                    || common(&own, &of_line(theirs, token.line)) > 0
            })
        })?;
        let line = theirs.lines.get(theirs.tokens.get(other.tokens.start)?.line)?;
        let next = theirs.tokens.get(other.tokens.end);
        let of_length = next.is_some_and(|token| matches!(token.word.as_str(), "square" | "cubic"));
        let named = theirs.tokens.get(other.tokens.end + usize::from(of_length)).or(next);
        // "2 hours 25 minutes" has its units.
        let named = named.filter(|_| !matches!(other.kind, FigureKind::Measure(_)));
        let named = named.map_or(other.end, |token| token.end.max(other.end));
        let shown = one_line(theirs.slice(Range { start: other.start, end: named }));
        Some(Derivation { source, range: line.start..line.end, note: format!("Converted from {shown}.") })
    })
}

/// The dimension of degrees by a scale of temperature: each has its own.
fn degrees(scale: &str) -> Option<(char, f64)> {
    match scale {
        "c" | "celsius" | "centigrade" => Some(('c', 1.0)),
        "f" | "fahrenheit" => Some(('f', 1.0)),
        _ => None,
    }
}

/// The precision that a whole number claims: 1 for 47, 10 for 350, 100 for 4,800.
fn round_to(value: f64) -> f64 {
    [1_000.0, 100.0, 10.0].into_iter().find(|step| value >= step * 2.0 && (value % step).abs() < 1e-9).unwrap_or(1.0)
}

/// The dimension of a figure, and the size of its unit: `3 miles`, `40 square metres`, `2 cubic feet`.
pub fn unit(reading: &ParsedText<'_>, figure: &Figure) -> Option<(char, f64)> {
    match figure.kind {
        FigureKind::Measure('l') => return Some(('l', 0.0254)),
        FigureKind::Measure('w') => return Some(('w', 0.453_592_37)),
        FigureKind::Measure('o') => return Some(('w', 0.028_349_523)),
        FigureKind::Measure(_) => return Some(('t', 60.0)),
        FigureKind::Count | FigureKind::Money('q') => {}
        _ => return None,
    }
    // "46 to 57 degrees"
    let joined = reading.tokens.get(figure.tokens.end).is_some_and(|word| matches!(&*word.word, "to" | "and" | "or"));
    let place = reading.figures.partition_point(|other| other.start <= figure.start);
    let upper = reading.figures.get(place).filter(|other| joined && other.tokens.start == figure.tokens.end + 1);
    if let Some(upper) = upper.filter(|other| other.kind == figure.kind) {
        return unit(reading, upper);
    }
    let last = reading.tokens.get(figure.tokens.end.checked_sub(1)?)?;
    let glued = last.word.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ','));
    // "avg_delay_min: 3.1; year: 2024"
    let next = reading
        .tokens
        .get(figure.tokens.end)
        .filter(|next| reading.text.get(last.end..next.start).is_none_or(|gap| !gap.contains([';', ':', '|', '\n'])));
    let named = next.map_or("", |token| token.word.as_str());
    let digits = last.word.starts_with(|c: char| c.is_ascii_digit());
    let word = if glued.is_empty() || !digits { named } else { glued };
    // "Pounds" are read as money, but they are a weight if the other figure is one.
    let word = if figure.kind == FigureKind::Count || last.word.starts_with("pound") { word } else { return None };
    let word = if last.word.starts_with("pound") { "pounds" } else { word };
    let length = |word: &str| UNITS.iter().find(|(names, kind, _)| *kind == 'l' && names.contains(&word));
    let next = || reading.tokens.get(figure.tokens.end + 1).and_then(|token| length(&token.word));
    let unit = if word == named { reading.tokens.get(figure.tokens.end)? } else { last };
    // A cubic meter holds a thousand litres.
    let area = |(.., size): &(_, _, f64)| ('a', size * size);
    let volume = |(.., size): &(_, _, f64)| ('v', size * size * size * 1_000.0);
    let rest = reading.text.get(unit.end..).unwrap_or_default();
    let raised = rest.starts_with('^');
    match (word, rest.strip_prefix('^').unwrap_or(rest).chars().next()) {
        ("square" | "sq", _) => return next().map(area),
        ("cubic" | "cu", _) => return next().map(volume),
        // No scale leads from one to the other.
        ("degrees" | "degree", _) => return degrees(reading.tokens.get(figure.tokens.end + 1)?.word.as_str()),
        ("c" | "f" | "celsius" | "fahrenheit", _) => return degrees(word),
        (_, Some(power)) if power == '²' || power == '2' && raised => return length(word).map(area),
        (_, Some(power)) if power == '³' || power == '3' && raised => return length(word).map(volume),
        _ => {}
    }
    let of = |sign: &str, power: char| word.strip_prefix(sign).or_else(|| word.strip_suffix(power)).and_then(length);
    if let Some(found) = of("sq", '2').map(area).or_else(|| of("cu", '3').map(volume)) {
        return Some(found);
    }
    let (_, kind, size) = UNITS.iter().find(|(names, ..)| names.contains(&word))?;
    // "60 km/h", "60 kilometres an hour"
    let next = |steps: usize| reading.word(figure.tokens.end + usize::from(word == named) + steps);
    let hourly = rest.starts_with("/h") || matches!((next(0), next(1)), ("an" | "per", "hour"));
    Some(if *kind == 'l' && hourly { ('s', size / 3_600.0) } else { (*kind, *size) })
}

#[cfg(test)]
mod tests {
    use crate::{
        check::ledger,
        rule::Gravity,
        testing::{check_texts, texts},
    };
    use copydesk_newsroom::{SpanKind, Standing};

    const SOURCE: &str = "The new path around the pond is 3.5 kilometres long. The bell weighs 420 kg and hangs in the tower. \
     The tank of the town holds 3,200 cubic metres. The moor has 48 km², the barn 900 m3, the yard 70 sqm.";

    #[test]
    fn a_conversion_is_derived_and_a_wrong_one_found() {
        for (draft, note) in [
            ("The path around the pond is 2.2 miles long.", "Converted from 3.5 kilometres."),
            ("The bell in the tower weighs 926 pounds.", "Converted from 420 kg."),
            ("The path around the pond is 3,500 metres long.", "Converted from 3.5 kilometres."),
            ("The tank of the town holds 3.2 million litres.", "Converted from 3,200 cubic metres."),
        ] {
            let (article, sources) = texts(draft, SOURCE);
            let rows = ledger(&article, &sources, Gravity::Concern).rows;
            let row = rows.into_iter().find(|row| row.kind == SpanKind::Number).unwrap();
            assert_eq!((row.standing, row.note.as_deref()), (Standing::Derived, Some(note)), "{draft}");
        }
        for wrong in [
            "The bell in the tower weighs 520 pounds.",
            "The moor has 48 square metres.",
            "The barn has 900 square metres.",
        ] {
            assert_eq!(check_texts(wrong, SOURCE).len(), 1, "{wrong}");
        }
        for same in
            ["The moor has 48 square kilometres.", "The barn has 900 cubic metres.", "The yard has 70 square metres."]
        {
            assert!(check_texts(same, SOURCE).is_empty(), "{same}");
        }
    }
}
