//! Tables of the sources, and the figures that follow from them: the sum of a column, of some rows, an average.

use std::ops::Range;

use foldhash::{HashMap, HashMapExt as _};

use crate::{
    reading::{
        Figure, FigureKind, ParsedText,
        cells::{cells, is_record},
        near,
    },
    sources::{
        SourceArchive, SourceLine, counted,
        derivation::{Derivation, averages, mean_fits},
        of_line, one_line,
    },
};

/// At most so many records of a table are read from one of them, up and down, and so many lines that blanks or bars part.
pub const RECORDS: usize = 2_000;
const LINES: usize = 60;

/// A line of a table that blanks or bars part is at most so long.
const LONGEST: usize = 400;

/// The tables are looked for in so many sentences, first in those with most of the words.
const PLACES: usize = 200;
const BEST: usize = 6;

/// The name of a column or a row.
pub struct Heading<'r> {
    /// Its bytes.
    text: Range<usize>,
    all: Vec<&'r str>,
    /// The words that no other column or row has, too.
    pub own: Vec<&'r str>,
}

impl Heading<'_> {
    /// Whether some words have all that tell this column or row from the others.
    pub fn is_in(&self, words: &[&str]) -> bool {
        !self.own.is_empty() && self.own.iter().all(|word| words.contains(word))
    }

    /// Whether its own words tell a time: `2024`, `Q1 2025`.
    pub fn is_time(&self) -> bool {
        !self.own.is_empty() && self.own.iter().all(|word| word.contains(|c: char| c.is_ascii_digit()))
    }
}

pub struct Row<'r> {
    pub name: Heading<'r>,
    pub cells: Vec<Option<&'r Figure>>,
}

/// A table as it stands in a source.
pub struct SourceTable<'r> {
    pub columns: Vec<Heading<'r>>,
    pub rows: Vec<Row<'r>>,
    /// Its bytes.
    range: Range<usize>,
}

/// Whether a sentence begins as a table's record does.
pub fn may_be_record(reading: &ParsedText<'_>, line: usize) -> bool {
    reading.line_text(line).starts_with("- ")
}

/// The words of the column or row that stands in some bytes.
fn heading<'r>(reading: &'r ParsedText<'_>, text: Range<usize>) -> Heading<'r> {
    let tokens = reading.between(text.start, text.end).iter().filter(|token| !token.stop);
    Heading { all: tokens.map(|token| token.stem.as_str()).collect(), own: Vec::new(), text }
}

/// Finds in each name the words that no other one has.
fn tell_apart<'n, 'r: 'n>(names: impl Iterator<Item = &'n mut Heading<'r>>) {
    let names: Vec<_> = names.collect();
    let mut seen: HashMap<&str, usize> = HashMap::new();
    for word in names.iter().flat_map(|name| &name.all) {
        *seen.entry(word).or_default() += 1;
    }
    for name in names {
        name.own = name.all.iter().copied().filter(|word| seen.get(word) == Some(&1)).collect();
    }
}

/// The line of the text around a byte.
fn line_at(text: &str, at: usize) -> Option<Range<usize>> {
    let start = text.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
    Some(start..at + text.get(at..)?.find('\n').unwrap_or(text.len() - at))
}

impl<'r> SourceTable<'r> {
    /// The table around a byte of a source.
    pub fn around(reading: &'r ParsedText<'_>, at: usize) -> Option<Self> {
        let line = line_at(reading.text, at)?;
        let record = is_record(reading.text.get(line.clone())?);
        let mut table = if record { Self::of_records(reading, line) } else { Self::of_lines(reading, line) }?;
        tell_apart(table.columns.iter_mut());
        tell_apart(table.rows.iter_mut().map(|row| &mut row.name));
        Some(table)
    }

    fn of_records(reading: &'r ParsedText<'_>, own: Range<usize>) -> Option<Self> {
        let text = reading.text;
        let record = |line: &Range<usize>| {
            let cells = text.get(line.clone()).filter(|line| is_record(line)).map(cells).unwrap_or_default();
            cells.len() > 1 && cells.iter().skip(1).all(|(name, _)| !name.is_empty())
        };
        let before = std::iter::successors(Some(own.clone()), |line| line_at(text, line.start.checked_sub(1)?));
        let behind =
            std::iter::successors(Some(own), |line| line_at(text, line.end + 1).filter(|next| next.start > line.end));
        let mut lines: Vec<_> = before.take_while(record).take(RECORDS).collect();
        lines.reverse();
        lines.extend(behind.skip(1).take_while(record).take(RECORDS));
        let range = lines.first()?.start..lines.last()?.end;
        let moved = |line: &Range<usize>, part: &Range<usize>| line.start + part.start..line.start + part.end;
        let parts = |line: &Range<usize>| cells(text.get(line.clone()).unwrap_or_default());
        let first = lines.first()?;
        let columns: Vec<_> =
            parts(first).iter().skip(1).map(|(name, _)| heading(reading, moved(first, name))).collect();
        let rows = lines.iter().filter_map(|line| {
            let parts = parts(line);
            let (name, values) = parts.split_first().filter(|(_, values)| values.len() == columns.len())?;
            let value = |(_, cell): &(_, Range<usize>)| {
                let cell = moved(line, cell);
                reading.figures_between(cell.start, cell.end).first()
            };
            let cells = values.iter().map(value).collect();
            Some(Row { name: heading(reading, moved(line, &name.1)), cells })
        });
        let rows = rows.collect();
        (!columns.is_empty()).then_some(Self { columns, rows, range })
    }

    /// A table whose columns are parted by blanks or bars, under a line with their names.
    fn of_lines(reading: &'r ParsedText<'_>, own: Range<usize>) -> Option<Self> {
        let text = reading.text;
        let parts = |line: &Range<usize>| -> Vec<Range<usize>> {
            let words = text.get(line.clone()).filter(|words| words.len() <= LONGEST).unwrap_or_default();
            let whole = |(_, cell): (_, Range<usize>)| {
                let said = words.get(cell.clone()).unwrap_or_default();
                let start = line.start + cell.start + said.len() - said.trim_start().len();
                // The line of dashes under the names has no words.
                said.contains(char::is_alphanumeric).then(|| start..start + said.trim().len())
            };
            cells(words).into_iter().filter_map(whole).collect()
        };
        let figure = |cell: &Range<usize>| {
            let mut figures = reading.figures_between(cell.start, cell.end).iter();
            figures.next().filter(|_| figures.next().is_none())
        };
        let names = |cell: &Range<usize>| figure(cell).is_none_or(|figure| figure.kind == FigureKind::Year);
        let count = parts(&own).len();
        if count < 2 {
            return None;
        }
        // A line of names stands over the rows.
        let head = |line: &Range<usize>, count: usize| {
            let found = parts(line);
            let columns = found.get(found.len().saturating_sub(count - 1)..).unwrap_or_default();
            let heads = found.len() + 1 >= count && found.len() <= count && columns.iter().all(names);
            (heads && count > 2 && columns.len() + 1 == count).then(|| columns.to_vec())
        };
        let next = |line: &Range<usize>| line_at(text, line.end + 1).filter(|next| next.start > line.end);
        let row = |line: &Range<usize>| {
            let cells = parts(line);
            let (name, values) = cells.split_first().filter(|(_, values)| values.len() > 1)?;
            // "Sales, EUR million"
            let label = text.get(name.clone()).and_then(|label| label.split([',', '(']).next()).map_or(0, str::len);
            let name = heading(reading, name.start..name.start + label);
            (values.len() + 1 == count).then(|| Row { name, cells: values.iter().map(figure).collect() })
        };
        let mut line = own.clone();
        let mut rows = Vec::new();
        let columns = loop {
            if let Some(columns) = head(&line, count) {
                break columns;
            }
            rows.extend(row(&line));
            line = line_at(text, line.start.checked_sub(1)?)?;
            if rows.len() > LINES || own.start - line.start > LINES * LONGEST / 2 {
                return None;
            }
        };
        let start = line.start;
        rows.reverse();
        let mut end = own.end;
        let mut behind = next(&own);
        while let Some(line) = behind.filter(|_| rows.len() < 2 * LINES) {
            match row(&line) {
                Some(row) => rows.push(row),
                None if text.get(line.clone()).is_none_or(|line| !line.contains(char::is_alphanumeric)) => {}
                None => break,
            }
            end = line.end;
            behind = next(&line);
        }
        let columns = columns.into_iter().map(|name| heading(reading, name)).collect();
        Some(Self { columns, rows, range: start..end })
    }

    /// Row and column of the figure that begins at a byte.
    pub fn place(&self, start: usize) -> Option<(usize, usize)> {
        self.rows.iter().enumerate().find_map(|(row, cells)| {
            let column = cells.cells.iter().position(|cell| cell.is_some_and(|cell| cell.start == start))?;
            Some((row, column))
        })
    }

    pub fn cell(&self, row: usize, column: usize) -> Option<&'r Figure> {
        *self.rows.get(row)?.cells.get(column)?
    }

    /// The columns, and the rows, that some words name.
    pub fn named(&self, words: &[&str]) -> (Vec<usize>, Vec<usize>) {
        let columns = (0..self.columns.len()).filter(|at| self.columns.get(*at).is_some_and(|name| name.is_in(words)));
        let rows = (0..self.rows.len()).filter(|at| self.rows.get(*at).is_some_and(|row| row.name.is_in(words)));
        (columns.collect(), rows.collect())
    }

    /// The figures of a column, without its sum.
    pub fn values(&self, column: usize) -> impl Iterator<Item = (usize, &'r Figure)> {
        let part = |row: &Row<'_>| !row.name.all.iter().any(|word| matches!(*word, "total" | "all" | "sum"));
        let rows = self.rows.iter().enumerate().filter(move |(_, row)| part(row));
        rows.filter_map(move |(at, row)| Some((at, (*row.cells.get(column)?)?)))
    }
}

/// The figures of a column of records around a byte, however many they are, without its sum.
pub fn whole_column<'r>(reading: &'r ParsedText<'_>, at: usize, column: usize) -> Vec<&'r Figure> {
    let record = |line: &Range<usize>| reading.text.get(line.clone()).is_some_and(is_record);
    let before =
        std::iter::successors(line_at(reading.text, at), |line| line_at(reading.text, line.start.checked_sub(1)?));
    let first = before.take_while(record).last();
    let next = |line: &Range<usize>| line_at(reading.text, line.end + 1).filter(|next| next.start > line.end);
    let value = |line: Range<usize>| {
        let text = reading.text.get(line.clone())?;
        let all = cells(text);
        let name = text.get(all.first()?.1.clone())?.to_lowercase();
        let cell = &all.get(column + 1).filter(|_| !["total", "all", "sum"].contains(&name.trim()))?.1;
        reading.figures_between(line.start + cell.start, line.start + cell.end).first()
    };
    std::iter::successors(first, next).take_while(record).filter_map(value).collect()
}

/// The tables that have any of some words, each once, with the source.
pub fn tables<'d>(archive: &'d SourceArchive<'_>, words: &[&str]) -> impl Iterator<Item = (usize, SourceTable<'d>)> {
    let mut looked: Vec<(usize, Range<usize>)> = Vec::new();
    // In a long table every record has the names of its columns: the one with most of the words is asked first.
    let best = archive.passages(words, BEST).into_iter().map(|hit| hit.place);
    let places: Vec<SourceLine> = best.chain(archive.sharing(words, 1).iter().copied().take(PLACES)).collect();
    places.into_iter().filter_map(move |place| {
        let source = archive.reading(place)?;
        let at = source.lines.get(place.line)?.start;
        if looked.iter().any(|(source, range)| *source == place.source && range.contains(&at)) {
            return None;
        }
        let table = SourceTable::around(source, at)?;
        looked.push((place.source, table.range.clone()));
        Some((place.source, table))
    })
}

/// The words of a draft's sentence, with its numbers.
pub fn words_of<'r>(reading: &'r ParsedText<'_>, line: usize) -> Vec<&'r str> {
    reading.line_tokens(line).iter().map(|token| token.stem.as_str()).collect()
}

/// How a figure is the sum of a table's column or of those rows that the draft names, or the average of a column if the draft says so.
pub fn column(archive: &SourceArchive<'_>, reading: &ParsedText<'_>, figure: &Figure) -> Option<Derivation> {
    if !matches!(figure.kind, FigureKind::Count | FigureKind::Money(_)) {
        return None;
    }
    let line = reading.line_of(&figure.tokens);
    let (own, words) = (of_line(reading, line), words_of(reading, line));
    let noun = counted(reading, figure).map(|noun| noun.stem.as_str());
    tables(archive, &own).find_map(|(source, table)| {
        let (_, rows) = table.named(&words);
        let text = archive.readings.get(source)?;
        let sums = |figures: &[&Figure]| {
            let sum: f64 = figures.iter().map(|figure| figure.value).sum();
            figures.len() > 1 && (near(sum, figure.value) || (sum - figure.value).abs() <= figure.slack)
        };
        let note = table.columns.iter().enumerate().find_map(|(at, column)| {
            let told = column.is_in(&words) || noun.is_some_and(|noun| column.all.contains(&noun));
            let all: Vec<&Figure> = table.values(at).filter(|_| told).map(|(_, figure)| figure).collect();
            let some: Vec<&Figure> = rows.iter().filter_map(|row| table.cell(*row, at)).collect();
            let whole = sums(&all);
            if whole || averages(reading, figure) && all.len() > 1 && mean_fits(&all, figure) {
                let how = if whole { "sum" } else { "average" };
                return Some(format!("The {how} of the column “{}”.", one_line(text.slice(column.text.clone()))));
            }
            let shown = |figure: &&Figure| one_line(text.slice(figure.start..figure.end));
            sums(&some).then(|| format!("The sum of {}.", some.iter().map(shown).collect::<Vec<_>>().join(", ")))
        })?;
        Some(Derivation { source, range: table.range.clone(), note })
    })
}
