//! Tables: the figure of a column and a row, and the sum of a column. A table's record is a line `- Hospital: Oxley;
//! Beds: 86` (the form in which documents are read): its first cell says to whom the others belong.

use std::ops::Range;

use crate::{
    reading::{Figure, ParsedText, Token, near},
    sources::{
        SourceArchive, SourceLine, companions, counted,
        derivation::{Derivation, averages, follows, mean_fits, shown},
        siblings,
    },
};

/// At most so many records of a table are read from one of them, up and down.
pub const RECORDS: usize = 2_000;

/// A record of a table.
pub struct Record {
    /// The words of the first column's name and of its cell.
    pub column: Range<usize>,
    pub key: Range<usize>,
    /// The other cells: the words of each column's name and of the cell.
    pub cells: Vec<(Range<usize>, Range<usize>)>,
}

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
    let (column, key) = cells.first()?.clone();
    (cells.len() > 1).then(|| Record { column, key, cells: cells.split_off(1) })
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

/// Whether the draft's sentence is about a record: it has the whole first cell, and the column's name before a bare
/// number.
pub fn speaks(draft: &[Token], reading: &ParsedText<'_>, record: &Record) -> bool {
    let has = |stem: &&str| draft.iter().any(|token| token.stem == **stem);
    let key = stems(reading, &record.key);
    let bare = key.iter().all(|stem| stem.starts_with(|c: char| c.is_ascii_digit()));
    !key.is_empty() && key.iter().all(&has) && (!bare || stems(reading, &record.column).iter().any(has))
}

/// Whether a sentence begins as a table's record does.
pub fn may_be_record(reading: &ParsedText<'_>, line: usize) -> bool {
    reading.line_text(line).starts_with("- ")
}

/// Whether a sentence is a table's record.
pub fn is_record(reading: &ParsedText<'_>, line: usize) -> bool {
    record(reading, line).is_some()
}

/// How a figure follows from two cells of a record that the draft is about, if both are about one thing: `Riders
/// 2024` and `Riders 2025`.
pub fn change(draft: &ParsedText<'_>, figure: &Figure, reading: &ParsedText<'_>, line: usize) -> Option<String> {
    let record = record(reading, line)?;
    let own = draft.tokens.get(figure.tokens.start)?.line;
    let beside = companions(draft, figure);
    let told = beside.into_iter().any(|other| siblings(reading, line).iter().any(|theirs| other.same(theirs)));
    if !told && !speaks(draft.line_tokens(own), reading, &record) {
        return None;
    }
    let alike = |one: &Range<usize>, other: &Range<usize>| {
        let (one, other) = (stems(reading, one), stems(reading, other));
        let numbers = |stems: &[&str]| stems.iter().all(|stem| stem.starts_with(|c: char| c.is_ascii_digit()));
        one.iter().any(|stem| other.contains(stem)) || numbers(&one) && numbers(&other)
    };
    let cells: Vec<(&Range<usize>, &Figure)> =
        record.cells.iter().filter_map(|(name, cell)| Some((name, value(reading, cell)?))).collect();
    cells.iter().enumerate().find_map(|(at, (name, one))| {
        cells.iter().skip(at + 1).filter(|(other, _)| alike(name, other)).find_map(|(_, other)| {
            let how = follows(one, other, figure, true)?;
            Some(format!("{how} {} and {}.", shown(reading, one), shown(reading, other)))
        })
    })
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
        first.cells.iter().filter(|(name, _)| of(name)).find_map(|(name, _)| {
            let name = stems(source, name);
            let figures: Vec<&Figure> = records
                .iter()
                .filter_map(|(_, record)| {
                    let (_, cell) = record.cells.iter().find(|(other, _)| stems(source, other) == name)?;
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
