//! Tables: the sum of a column. A table's record is a line `- Hospital: Oxley;
//! Beds: 86` (the form in which documents are read): its first cell says to whom the others belong.

use std::ops::Range;

use crate::{
    reading::{Figure, ParsedText, near},
    sources::{
        SourceArchive, SourceLine, counted,
        derivation::{Derivation, averages, mean_fits},
    },
};

/// At most so many records of a table are read from one of them, up and down.
pub const RECORDS: usize = 2_000;

/// The cells of a record behind its first: the words of each column's name and of the cell.
pub type Record = Vec<(Range<usize>, Range<usize>)>;

/// Reads a sentence as a record.
pub fn record(reading: &ParsedText<'_>, line: usize) -> Option<Record> {
    let tokens = reading.lines.get(line)?.tokens.clone();
    if !may_be_record(reading, line) {
        return None;
    }
    let gap = |at: usize| {
        let (one, two) = (reading.tokens.get(at)?, reading.tokens.get(at + 1)?);
        reading.text.get(one.end..two.start)
    };
    let mut cells: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    let mut start = tokens.start;
    let mut named: Option<usize> = None;
    for at in tokens.clone() {
        let over = at + 1 == tokens.end || gap(at).is_some_and(|gap| gap.contains(';'));
        if !over && named.is_none() && gap(at).is_some_and(|gap| gap.contains(": ")) {
            named = Some(at + 1);
        }
        if over {
            let named = named.take()?;
            cells.push((start..named, named..at + 1));
            start = at + 1;
        }
    }
    (cells.len() > 1).then(|| cells.split_off(1))
}

/// The records of the table that `place` belongs to, in order.
pub fn table(reading: &ParsedText<'_>, place: SourceLine) -> Vec<(usize, Record)> {
    let mut found: Vec<(usize, Record)> =
        (0..place.line).rev().take(RECORDS).map_while(|line| Some((line, record(reading, line)?))).collect();
    found.reverse();
    found
        .extend((place.line..reading.lines.len()).take(RECORDS).map_while(|line| Some((line, record(reading, line)?))));
    found
}

pub fn stems<'r>(reading: &'r ParsedText<'_>, words: &Range<usize>) -> Vec<&'r str> {
    let tokens = reading.tokens.get(words.clone()).unwrap_or_default();
    tokens.iter().filter(|token| !token.stop).map(|token| token.stem.as_str()).collect()
}

/// Whether a sentence begins as a table's record does.
pub fn may_be_record(reading: &ParsedText<'_>, line: usize) -> bool {
    reading.line_text(line).starts_with("- ")
}

/// The figure of a cell.
pub fn value<'r>(reading: &'r ParsedText<'_>, cell: &Range<usize>) -> Option<&'r Figure> {
    let (start, end) = (reading.tokens.get(cell.start)?.start, reading.tokens.get(cell.end.checked_sub(1)?)?.end);
    // Includes a currency sign before the number.
    reading.figures_between(start.saturating_sub(SIGN), end).first()
}

/// The longest currency sign, in bytes.
const SIGN: usize = 3;

/// How a figure is the sum of a table's column, or its average if the draft says so.
pub fn column(archive: &SourceArchive<'_>, reading: &ParsedText<'_>, figure: &Figure) -> Option<Derivation> {
    let noun = counted(reading, figure)?;
    let mut looked: Vec<(usize, Range<usize>)> = Vec::new();
    archive.places_of(&noun.word).find_map(|place| {
        let source = archive.reading(place)?;
        // A table is read only once, even if many of its rows have the word.
        if looked.iter().any(|(at, lines)| *at == place.source && lines.contains(&place.line)) {
            return None;
        }
        let first = record(source, place.line)?;
        let of = |name: &Range<usize>| stems(source, name).contains(&noun.stem.as_str());
        let records = table(source, place);
        let lines = records.first()?.0..records.last()?.0;
        looked.push((place.source, lines.start..lines.end + 1));
        let range = source.lines.get(lines.start)?.start..source.lines.get(lines.end)?.end;
        // Last year's riders and this year's are two columns.
        first.iter().filter(|(name, _)| of(name)).find_map(|(name, _)| {
            let name = stems(source, name);
            let figures: Vec<&Figure> = records
                .iter()
                .filter_map(|(_, record)| {
                    let (_, cell) = record.iter().find(|(other, _)| stems(source, other) == name)?;
                    value(source, cell)
                })
                .collect();
            let sum: f64 = figures.iter().map(|figure| figure.value).sum();
            let whole = near(sum, figure.value) || (sum - figure.value).abs() <= figure.slack;
            let how = match figures.len() > 1 {
                true if whole => "sum",
                true if averages(reading, figure) && mean_fits(&figures, figure) => "average",
                _ => return None,
            };
            let note = format!("The {how} of the column “{}”.", name.join(" "));
            Some(Derivation { source: place.source, range: range.clone(), note })
        })
    })
}
