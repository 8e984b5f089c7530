//! The wrong quarter of a year: `the second quarter` for Q3.

use std::ops::Range;

use crate::rules::{
    number::{bound::places, ordinal::RULE},
    prelude::*,
};

pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    let texts = ledger.texts;
    for Spot { field, index: line, item } in texts.sentences() {
        for at in item.tokens.clone() {
            if let Some(found) = wrong(ledger, field, line, at) {
                ledger.enter(found);
            }
        }
    }
}

fn wrong(ledger: &LedgerWriter<'_, '_>, field: &DraftField<'_>, line: usize, at: usize) -> Option<Fault> {
    let reading = &field.reading;
    let (own, range) = quarter(reading, at)?;
    if reading.tokens.get(at)?.quoted() {
        return None;
    }
    let archive = &ledger.texts.archive;
    let of = |place: SourceLine| {
        let tokens = archive.line(place).map_or(0..0, |line| line.tokens.clone());
        let source = archive.reading(place);
        tokens.filter_map(move |at| quarter(source?, at)).map(|(quarter, _)| quarter)
    };
    let mut other = None;
    for place in places(ledger, field, line) {
        for theirs in of(place) {
            if theirs == own {
                return None;
            }
            other = other.or(Some(place));
        }
    }
    let place = other?;
    let (start, end) = (reading.tokens.get(range.start)?.start, reading.tokens.get(range.end - 1)?.end);
    Some(Fault::new(&RULE, field, start..end).passage(archive.sentence(place)))
}

/// The quarter that begins at a word, with its words: `Q3`, `3Q`, `the third quarter`.
fn quarter(reading: &ParsedText<'_>, at: usize) -> Option<(u32, Range<usize>)> {
    let word = |at: usize| reading.tokens.get(at).map_or("", |token| token.word.as_str());
    let own = word(at);
    let short = own.strip_prefix('q').or_else(|| own.strip_suffix('q')).and_then(|rest| rest.parse().ok());
    if let Some(number) = short.filter(|number| (1..=4).contains(number)) {
        return Some((number, at..at + 1));
    }
    let number = match own {
        "first" | "1st" => 1,
        "second" | "2nd" => 2,
        "third" | "3rd" => 3,
        "fourth" | "4th" | "final" => 4,
        _ => return None,
    };
    (word(at + 1) == "quarter").then(|| (number, at..at + 2))
}

#[cfg(test)]
mod tests {
    use crate::testing::rules_of;

    #[test]
    fn another_quarter_is_found() {
        let source = "Orders for trams rose in Q1 to 30.";
        for (draft, found) in [
            ("Orders for trams rose in the third quarter to 30.", true),
            ("Orders for trams rose in the first quarter to 30.", false),
        ] {
            assert_eq!(rules_of(draft, source).contains(&"number.ordinal".to_owned()), found, "{draft}");
        }
    }
}
