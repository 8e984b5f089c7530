//! The cells of a line that is a row of a table: a record `- Ward: Elm; Trees: 38`, a row `| Elm | 38 |`, or columns that blanks part.

use std::ops::Range;

/// The lines of a text with their breaks, each behind its first byte.
pub fn raw_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    text.split_inclusive('\n').map(move |line| {
        start += line.len();
        (start - line.len(), line)
    })
}

/// A cell: its column's name, if it stands before its value, and the value. Both are bytes of the line.
pub type Cell = (Range<usize>, Range<usize>);

/// Whether a line is a table's record, the form in which documents are read.
pub fn is_record(line: &str) -> bool {
    line.starts_with("- ") && line.contains(": ")
}

/// The cells of a line. A line of prose has one.
pub fn cells(line: &str) -> Vec<Cell> {
    let parted = |from: usize, whole: &str, gap: &str| {
        let mut at = from;
        let cell = |cell: &str| {
            let name = cell.split_once(": ").filter(|_| gap == "; ").map_or(0, |(name, _)| name.len());
            let start = at + name + if name > 0 { 2 } else { 0 };
            let found = (at..at + name, start..at + cell.len());
            at += cell.len() + gap.len();
            found
        };
        whole.split(gap).map(cell).collect()
    };
    if is_record(line) {
        return parted(2, line.trim_end().get(2..).unwrap_or_default(), "; ");
    }
    if let Some(row) = line.trim_end().strip_prefix('|') {
        return parted(1, row.trim_end_matches('|'), "|");
    }
    if line.contains(" | ") {
        return parted(0, line.trim_end(), "|");
    }
    let prose = line.trim();
    if !prose.contains("  ") && !prose.contains('\t') {
        let start = line.len() - line.trim_start().len();
        return if prose.is_empty() { Vec::new() } else { vec![(start..start, start..start + prose.len())] };
    }
    let mut cells: Vec<Cell> = Vec::new();
    let mut at = 0;
    for cell in line.trim_end().split_inclusive([' ', '\t']) {
        let (from, to) = (at, at + cell.trim_end().len());
        at += cell.len();
        let gap = cells.last().is_none_or(|(_, last)| from > last.end + 1 || line.get(last.end..from) == Some("\t"));
        match cells.last_mut() {
            _ if from == to => {}
            Some((_, last)) if !gap => last.end = to,
            _ => cells.push((from..from, from..to)),
        }
    }
    cells
}
