//! The right figure of another column or row of a table: `940 million in 2023` from the column of 2022.
//!
//! Why: the figure, the row's name and the column's stand close together in the source, so that a search finds all three.

use std::ops::Range;

use crate::{
    binding::belonging,
    rules::{number::contradicted::contradicted, prelude::*},
    sources::tables::{may_be_record, stems, table, value},
};

/// A table as it stands in a source: the names of its columns and rows without the words that several of them share.
struct Grid<'r> {
    columns: Vec<Vec<&'r str>>,
    rows: Vec<GridRow<'r>>,
}

struct GridRow<'r> {
    name: Vec<&'r str>,
    cells: Vec<Option<&'r Figure>>,
}

impl<'r> Grid<'r> {
    fn new(columns: &[Vec<&'r str>], rows: Vec<GridRow<'r>>) -> Self {
        let names = own_words(&rows.iter().map(|row| row.name.clone()).collect::<Vec<_>>());
        let rows = names.into_iter().zip(rows).map(|(name, row)| GridRow { name, ..row }).collect();
        Self { columns: own_words(columns), rows }
    }

    /// Row and column of the figure that begins at a byte.
    fn place(&self, start: usize) -> Option<(usize, usize)> {
        self.rows.iter().enumerate().find_map(|(row, cells)| {
            let column = cells.cells.iter().position(|cell| cell.is_some_and(|cell| cell.start == start))?;
            Some((row, column))
        })
    }

    fn cell(&self, row: usize, column: usize) -> Option<&'r Figure> {
        *self.rows.get(row)?.cells.get(column)?
    }
}

/// Each name without the words that another one has, too.
fn own_words<'w>(names: &[Vec<&'w str>]) -> Vec<Vec<&'w str>> {
    let shared = |word: &str| names.iter().filter(|name| name.contains(&word)).count() > 1;
    names.iter().map(|name| name.iter().copied().filter(|word| !shared(word)).collect()).collect()
}

/// The table whose records stand around a place.
fn of_records<'r>(reading: &'r ParsedText<'_>, place: SourceLine) -> Option<Grid<'r>> {
    let records = table(reading, place);
    let (_, first) = records.first().filter(|_| may_be_record(reading, place.line))?;
    let rows = records.iter().filter(|(_, record)| record.len() == first.len());
    let rows = rows.filter_map(|(line, record)| {
        let name = reading.lines.get(*line)?.tokens.start..record.first()?.0.start;
        let cells = record.iter().map(|(_, cell)| value(reading, cell)).collect();
        Some(GridRow { name: stems(reading, &name), cells })
    });
    let rows = rows.collect();
    let columns: Vec<_> = first.iter().map(|(name, _)| stems(reading, name)).collect();
    Some(Grid::new(&columns, rows))
}

/// At most so many lines of a text are read as one table, up and down.
const LINES: usize = 60;

/// The cells of a line whose columns are parted by blanks or bars, as byte ranges.
fn cells(text: &str, line: Range<usize>) -> Vec<Range<usize>> {
    let words = text.get(line.clone()).unwrap_or_default();
    let mut found = Vec::new();
    let mut start = 0;
    let ends = words.char_indices().filter(|(at, letter)| {
        matches!(letter, '\t' | '|') || words.get(*at..).is_some_and(|rest| rest.starts_with("  "))
    });
    for end in ends.map(|(at, _)| at).chain([words.len()]) {
        let cell = words.get(start..end).unwrap_or_default();
        let cell = cell.strip_prefix('|').unwrap_or(cell);
        // The line of dashes under the names has no words.
        if cell.contains(char::is_alphanumeric) {
            let last = line.start + end - (cell.len() - cell.trim_end().len());
            found.push(last - cell.trim().len()..last);
        }
        start = end;
    }
    found
}

/// The table around a byte whose columns are parted by blanks or bars, under a line with their names.
fn of_lines<'r>(reading: &'r ParsedText<'_>, at: usize) -> Option<Grid<'r>> {
    let text = reading.text;
    let words = |range: &Range<usize>| -> Vec<&'r str> {
        let tokens = reading.between(range.start, range.end).iter();
        tokens.filter(|token| !token.stop).map(|token| token.stem.as_str()).collect()
    };
    let line_of = |at: usize| {
        let start = text.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
        Some(start..at + text.get(at..)?.find('\n').unwrap_or(text.len() - at))
    };
    let own = line_of(at)?;
    let count = cells(text, own.clone()).len();
    let figure = |cell: &Range<usize>| {
        let mut figures = reading.figures_between(cell.start, cell.end).iter();
        figures.next().filter(|_| figures.next().is_none())
    };
    let names = |cell: &Range<usize>| figure(cell).is_none_or(|figure| figure.kind == FigureKind::Year);
    let row = |line: Range<usize>| {
        let cells = cells(text, line);
        let (name, values) = cells.split_first().filter(|(_, values)| values.len() > 1)?;
        let cells: Vec<_> = values.iter().map(figure).collect();
        // "Sales, EUR million"
        let label = text.get(name.clone()).and_then(|label| label.split([',', '(']).next()).map_or(0, str::len);
        let name = words(&(name.start..name.start + label));
        (cells.len() + 1 == count).then_some(GridRow { name, cells })
    };
    let mut rows = Vec::new();
    let mut line = own.clone();
    let head: Vec<Vec<&str>> = loop {
        let found = cells(text, line.clone());
        let columns = found.get(found.len().saturating_sub(count - 1)..).unwrap_or_default();
        let heads = found.len() + 1 >= count && found.len() <= count && columns.iter().all(names);
        if heads && count > 2 && columns.len() + 1 == count {
            break columns.iter().map(words).collect();
        }
        rows.extend(row(line.clone()));
        line = line_of(line.start.checked_sub(1)?)?;
        if own.start - line.start > LINES * 200 || rows.len() > LINES {
            return None;
        }
    };
    let mut line = own;
    while rows.len() < 2 * LINES && line.end < text.len() {
        line = line_of(line.end + 1)?;
        match (row(line.clone()), text.get(line.clone()).is_none_or(|line| line.trim().is_empty())) {
            (Some(row), _) => rows.push(row),
            (None, true) => {}
            (None, false) => break,
        }
    }
    Some(Grid::new(&head, rows))
}

/// The finding for a figure that each source has only in another column, or in another row, than the draft's words name.
pub fn another(
    ledger: &LedgerWriter<'_, '_>,
    field: &DraftField<'_>,
    figure: &Figure,
    matches: &[(SourceLine, &Figure)],
) -> Option<Fault> {
    let reading = &field.reading;
    let archive = &ledger.texts.archive;
    let line = reading.line_of(&figure.tokens);
    let sentence: Vec<&str> = reading.line_tokens(line).iter().map(|token| token.stem.as_str()).collect();
    let clause = belonging(reading, line, figure).into_iter().filter_map(|at| reading.tokens.get(at));
    let clause: Vec<&str> = clause.map(|token| token.stem.as_str()).collect();
    let all = |name: &[&str], words: &[&str]| !name.is_empty() && name.iter().all(|word| words.contains(word));
    let mut wrong = None;
    for (place, theirs) in matches {
        let source = archive.reading(*place)?;
        let grid = of_records(source, *place).or_else(|| of_lines(source, theirs.start))?;
        let (row, column) = grid.place(theirs.start)?;
        let written = grid.cell(row, column)?;
        let other = |row: usize, column: usize| {
            grid.cell(row, column).filter(|other| written.comparable(other) && !written.same(other))
        };
        let row_named = all(&grid.rows.get(row)?.name, &sentence);
        let column_named = all(grid.columns.get(column)?, &clause);
        let unnamed = !grid.rows.get(row)?.name.iter().any(|word| sentence.contains(word));
        let mut rivals: Vec<&Figure> = match (row_named, column_named) {
            (true, false) => {
                let named = |at: &usize| grid.columns.get(*at).is_some_and(|name| all(name, &clause));
                (0..grid.columns.len()).filter(named).filter_map(|at| other(row, at)).collect()
            }
            (false, true) if unnamed => {
                let named = |at: &usize| grid.rows.get(*at).is_some_and(|row| all(&row.name, &sentence));
                (0..grid.rows.len()).filter(named).filter_map(|at| other(at, column)).collect()
            }
            _ => return None,
        };
        let rival = rivals.pop().filter(|_| rivals.is_empty())?;
        wrong = wrong.or(Some((*place, rival)));
    }
    let (place, rival) = wrong?;
    let place = SourceLine { line: archive.reading(place)?.line_of(&rival.tokens), ..place };
    Some(contradicted(ledger.texts, field, figure, (place, rival), true))
}

#[cfg(test)]
mod tests {
    use crate::testing::rules_of;

    #[test]
    fn a_figure_belongs_to_its_row_and_its_column() {
        let bars = "| Country | 2022 | 2023 |\n|---|---|---|\n| Poland | 14.3 | 24.9 |\n| Romania | 4.7 | 5.1 |\n";
        let blanks = "Key figures\n\n                 2023     2022\nSales, EURm       812      940\nEmployees       3,100    3,240\n";
        let records = "- Ward: Eastgate; Votes for: 812; Votes against: 455\n- Ward: Millbrook; Votes for: 390; Votes against: 702\n";
        for (source, draft, wrong) in [
            (bars, "Poland spent 24.9 on defence in 2022, and Romania 5.1 in 2023.", true),
            (bars, "Poland spent 14.3 on defence in 2022, and Romania 5.1 in 2023.", false),
            (bars, "Romania spent 24.9 on defence in 2023.", true),
            (bars, "Romania spent less than Poland's 24.9 in 2023.", false),
            (bars, "Defence cost 24.9.", false),
            (blanks, "Sales came to 940 million euros in 2023.", true),
            (blanks, "Sales came to 812 million euros in 2023, after 940 million in 2022.", false),
            (blanks, "The mill had 3,240 employees in 2023.", true),
            (records, "In Millbrook 812 people voted for the plan.", true),
            (records, "In Eastgate 812 people voted for the plan, 455 against.", false),
        ] {
            assert_eq!(rules_of(draft, source).contains(&"number.contradicted".to_owned()), wrong, "{draft}");
        }
    }
}
