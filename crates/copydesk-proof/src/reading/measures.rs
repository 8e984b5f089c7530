//! Measures in two units: `6'2"`, `5ft 11in`, `six-foot-two`, `11st 4lb`, `two hours and 20 minutes`.

use crate::reading::{Figure, FigureKind, Token, numerals::value_of};

/// The larger unit, the smaller one, how many of these it has, and what both measure.
const PAIRS: &[(&[&str], &[&str], f64, char)] = &[
    (&["ft", "foot", "feet", "'"], &["in", "ins", "inch", "inches", "\""], 12.0, 'l'),
    (&["st", "stone", "stones"], &["lb", "lbs", "pound", "pounds"], 14.0, 'w'),
    (&["lb", "lbs", "pound", "pounds"], &["oz", "ounce", "ounces"], 16.0, 'o'),
    (&["h", "hr", "hrs", "hour", "hours"], &["m", "min", "mins", "minute", "minutes"], 60.0, 't'),
];

/// Reads a measure in two units.
pub fn measure(text: &str, tokens: &[Token], index: usize) -> Option<Figure> {
    let first = tokens.get(index)?;
    let figure = |value: f64, kind: char, tokens: std::ops::Range<usize>, end: usize| {
        Figure::new(FigureKind::Measure(kind), value, tokens, first.start..end)
    };
    // "6'2" is one word.
    if let Some((feet, inches)) = first.word.split_once('\'') {
        let (feet, inches): (f64, f64) = (feet.parse().ok()?, inches.parse().ok()?);
        let mark = text.get(first.end..).and_then(|rest| rest.chars().next()).filter(|c| matches!(c, '"' | '″' | '”'));
        let end = first.end + mark.map_or(0, char::len_utf8);
        return (feet < 100.0 && inches < 12.0).then(|| figure(feet * 12.0 + inches, 'l', index..index + 1, end));
    }
    let (large, unit, mut at) = part(text, tokens, index)?;
    let (_, smaller, factor, kind) = PAIRS.iter().find(|(larger, ..)| larger.contains(&unit.as_str()))?;
    if tokens.get(at)?.word == "and" {
        at += 1;
    }
    let gap = text.get(tokens.get(at.checked_sub(1)?)?.end..tokens.get(at)?.start)?;
    if !matches!(
        gap,
        "" | " " | ". " | "-" | "\u{A0}" | "\u{202F}" | ", " | "′" | "' " | "’ " | "′ " | "'-" | "’-" | "′-"
    ) {
        return None;
    }
    let named = part(text, tokens, at).filter(|(_, unit, _)| smaller.contains(&unit.as_str()));
    let (small, unit, end) = named.or_else(|| {
        // "Six-foot-two", "six feet two tall"
        let small = value_of(&tokens.get(at)?.word)?;
        let next = tokens.get(at + 1).map_or("", |token| token.word.as_str());
        let bare = *kind == 'l' && (gap == "-" || matches!(next, "tall" | "high" | "long" | "wide"));
        bare.then(|| (small, "in".to_owned(), at + 1))
    })?;
    let last = tokens.get(end.checked_sub(1)?)?;
    let mark = text.get(last.end..).and_then(|rest| rest.chars().next()).filter(|c| matches!(c, '"' | '″'));
    let end_byte = last.end + mark.filter(|_| unit == "\"").map_or(0, char::len_utf8);
    (small < *factor).then(|| figure(large * factor + small, *kind, index..end, end_byte))
}

/// A number with its unit, and the index behind them: `5ft`, `5 feet`, `5′`.
fn part(text: &str, tokens: &[Token], index: usize) -> Option<(f64, String, usize)> {
    let token = tokens.get(index)?;
    let digits = token.word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    if let (Ok(value), Some(unit)) = (digits.parse(), token.word.get(digits.len()..).filter(|unit| !unit.is_empty())) {
        return Some((value, unit.to_owned(), index + 1));
    }
    let value = value_of(&token.word)?;
    match text.get(token.end..)?.chars().next()? {
        '′' | '\'' | '’' => return Some((value, "'".to_owned(), index + 1)),
        '″' | '"' => return Some((value, "\"".to_owned(), index + 1)),
        _ => {}
    }
    let unit = tokens.get(index + 1)?;
    let close = matches!(text.get(token.end..unit.start), Some(" " | "-" | "\u{A0}" | "\u{202F}"));
    close.then(|| (value, unit.word.to_string(), index + 2))
}

#[cfg(test)]
mod tests {
    use crate::reading::{Figure, FigureKind, ParsedText, near};

    fn one(text: &str) -> Figure {
        ParsedText::new(text).figures.into_iter().next().unwrap()
    }

    #[test]
    fn two_units_are_one_measure() {
        for (text, inches) in [
            ("She is 5'9\" tall.", 69.0),
            ("She is 5’9” tall.", 69.0),
            ("She is 5′9″ tall.", 69.0),
            ("She is 5 ft 9 in tall.", 69.0),
            ("The five-foot-nine goalkeeper", 69.0),
            ("She is 5 ft. 9 in. tall.", 69.0),
            ("The door is 5'-9\" high.", 69.0),
            ("a wall of 12 feet, 6 inches", 150.0),
        ] {
            let found = one(text);
            assert_eq!((found.value, found.kind), (inches, FigureKind::Measure('l')), "{text}");
        }
        assert!(near(one("He weighs 12st 3lb.").value, 171.0));
        assert!(near(one("It took two hours and 25 minutes.").value, 145.0));
        for none in ["5 feet and 20 inches", "The 5 feet of snow", "6 stone steps"] {
            assert!(!matches!(one(none).kind, FigureKind::Measure(_)), "{none}");
        }
    }
}
