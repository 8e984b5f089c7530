//! Finds what a reporter's notes and a table say outside sentences: `call 4.12 am, nine engines`, a row with its column heads. A story would
//! not print them; a fact sheet must, because the time, the number of the hurt and the sums often stand only there.

use std::ops::Range;

use copydesk_text::{
    sanitise::one_line,
    words::{NumberWord, is_stop_word, number_word, words},
};

use super::copy::{CALENDAR, folded, is_in, leans_back, speaks};

/// Words that begin a heading or a line about the document.
const ABOUT: &str = "notes note minutes transcript memo page document agenda source contact tel phone";

/// Words of what is not known yet.
const OPEN: &str = "tbc tbd unconfirmed maybe unclear";

/// Words of harm to people: a line with one needs no figure.
const HARM: &str = "injured hurt injuries killed died dead missing arrested evacuated hospital";

/// A line without the mark or the number of its list.
pub(super) fn without_mark(line: &str) -> &str {
    let line = line.trim();
    let bare = ["- ", "* ", "+ ", "• ", "– "].iter().find_map(|mark| line.strip_prefix(mark)).unwrap_or(line);
    let digits = bare.bytes().take_while(u8::is_ascii_digit).count();
    let numbered = bare.get(digits..).and_then(|rest| rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") ")));
    numbered.filter(|_| (1..=2).contains(&digits)).unwrap_or(bare).trim_start()
}

/// Whether a line of notes tells a fact by itself. It must have a figure, or a word of harm to people.
pub(super) fn is_note(line: &str) -> bool {
    let line = without_mark(line);
    let list = folded(line);
    let content = |word: &&String| {
        word.starts_with(char::is_alphabetic) && !is_stop_word(word) && !is_in(CALENDAR, word) && word.len() > 2
    };
    let counts = |word: &String| {
        word.starts_with(|c: char| c.is_ascii_digit())
            || matches!(number_word(word), Some(NumberWord::Unit(value)) if value > 0)
    };
    let shouts = |text: &str| text.len() > 2 && !text.contains(char::is_lowercase);
    let opens = words(line);
    list.len() >= 3
        && list.iter().any(|word| content(&word))
        && list.iter().any(|word| counts(word) || is_in(HARM, word))
        && !list.first().is_some_and(|word| is_in(ABOUT, word))
        && !list.iter().any(|word| is_in(OPEN, word))
        && !opens.iter().take(2).all(|word| shouts(word.text))
        && !line.contains(['“', '”', '"', '[', ']', '<', '>', '|', '#', '@', '?', '\t'])
        && !["://", "www."].iter().any(|address| line.contains(address))
        && !leans_back(line)
        && !speaks(line)
}

/// A row of a table.
pub(super) struct TableRow {
    /// With its column heads: `Hospital: Oxley; Beds: 86`.
    pub(super) told: String,
    /// The bytes of its line.
    pub(super) place: Range<usize>,
    /// The first byte of the line with the heads.
    heads: usize,
}

/// The stretch of a text from the heads of a table to the row that a line of a fact sheet tells. None if no table has that row.
pub(crate) fn row_of(text: &str, line: &str) -> Option<Range<usize>> {
    // Only a line of a list tells a row.
    let told = line.strip_prefix("- ")?;
    let row = table_rows(text).into_iter().find(|row| one_line(&row.told) == told)?;
    Some(row.heads..row.place.end)
}

/// The rows with figures of the tables in a block. Cells stand between bars or tabs, and the first line has the heads.
pub(super) fn table_rows(block: &str) -> Vec<TableRow> {
    let mut found = Vec::new();
    let mut heads: Vec<String> = Vec::new();
    let mut at = 0;
    let mut head = 0;
    for line in block.split_inclusive('\n') {
        let place = at..at + line.trim_end().len();
        at += line.len();
        let cells = cells(line);
        if cells.len() < 2 || heads.len() != cells.len() {
            heads = if cells.len() < 2 { Vec::new() } else { cells };
            head = place.start;
            continue;
        }
        let has_figure = cells.iter().any(|cell| cell.contains(|c: char| c.is_ascii_digit()));
        if has_figure && cells.iter().zip(&heads).all(|(cell, head)| !cell.is_empty() && !head.is_empty()) {
            let row: Vec<String> = heads.iter().zip(&cells).map(|(head, cell)| format!("{head}: {cell}")).collect();
            found.push(TableRow { told: row.join("; "), place, heads: head });
        }
    }
    found
}

/// The cells of a line; empty if it has none.
fn cells(line: &str) -> Vec<String> {
    let line = line.trim();
    let mark = if line.contains('|') { '|' } else { '\t' };
    if !line.contains(mark) {
        return Vec::new();
    }
    let bare = line.strip_prefix(mark).unwrap_or(line);
    let bare = bare.strip_suffix(mark).unwrap_or(bare);
    bare.split(mark).map(one_line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_notes_tells_a_fact_and_a_heading_does_not() {
        for note in [
            "- call 4.12 am, nine engines",
            "one firefighter hurt, smoke",
            "* 45 firefighters from four towns",
            "2. Loss: $1.2 million",
        ] {
            assert!(is_note(note), "{note}");
        }
        for other in [
            "NOTES mill fire, Tues 22 Sept 2026",
            "May 5, 2026",
            "Page 3 of 12",
            "- 3 hurt?",
            "the old mill",
            "DOCUMENT ONE of 3 files",
            "call me at 5",
            "It was 12 of them",
        ] {
            assert!(!is_note(other), "{other}");
        }
    }

    #[test]
    fn the_rows_of_a_table_carry_their_heads() {
        let table = "Beds by hospital\n| Hospital | Beds |\n|---|---|\n| Oxley | 86 |\n| Marsh | none |\n";
        let rows: Vec<String> = table_rows(table).into_iter().map(|row| row.told).collect();
        assert_eq!(rows, ["Hospital: Oxley; Beds: 86"]);
        let row = table_rows("Ward\tBeds\nNorth\t12").remove(0);
        assert_eq!((row.told.as_str(), row.place), ("Ward: North; Beds: 12", 10..18));
        let stretch = row_of(table, "- Hospital: Oxley; Beds: 86").and_then(|range| table.get(range));
        assert_eq!(stretch, Some("| Hospital | Beds |\n|---|---|\n| Oxley | 86 |"));
        assert_eq!(row_of(table, "- Hospital: Oxley; Beds: 68"), None, "another figure");
    }
}
