//! Tables of comma-, semicolon- or tab-separated values.

use super::{bounds::MOST_TEXT, kind::DocumentKind, records, unreadable::Unreadable};

/// The marks that may separate two cells.
const MARKS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// Each record as a line (see [`records`]).
///
/// # Errors
/// If it is no table, or its columns' names make it longer than a source may be.
pub(super) fn read(file_name: &str, text: &str) -> Result<String, Unreadable> {
    // A spreadsheet's first line may state what parts the cells.
    let (told, body) = match text.split_once('\n').map(|(first, rest)| (first.trim_end(), rest)) {
        Some((first, rest)) if first.starts_with("sep=") && first.len() == 5 => {
            (first.as_bytes().get(4).copied(), rest)
        }
        _ => (None, text),
    };
    let tabbed = file_name.to_ascii_lowercase().ends_with(".tsv").then_some(b'\t');
    let mark = told.or(tabbed).unwrap_or_else(|| likely(body));
    let mut reader =
        csv::ReaderBuilder::new().delimiter(mark).has_headers(false).flexible(true).from_reader(body.as_bytes());
    let mut rows: Vec<Vec<String>> = Vec::new();
    for record in reader.records() {
        let record =
            record.map_err(|error| Unreadable::Broken { kind: DocumentKind::Table, message: error.to_string() })?;
        rows.push(record.iter().map(records::cell).collect());
    }
    rows.retain(|row| row.iter().any(|cell| !cell.is_empty()));
    records::lines(&rows, MOST_TEXT).ok_or(Unreadable::TooMuch { what: "text", most: MOST_TEXT })
}

/// The mark that the first line has most of.
fn likely(text: &str) -> u8 {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let count = |mark: u8| first.bytes().filter(|byte| *byte == mark).count();
    MARKS.into_iter().rev().max_by_key(|mark| count(*mark)).unwrap_or(b',')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_parted_by_what_the_file_uses() {
        let lines = "- Item: Ramp, north; Cost: $1,800\n- Item: Pond; Cost: $20\n";
        for (name, text) in [
            ("a.csv", "Item,Cost\n\"Ramp, north\",\"$1,800\"\nPond,$20\n"),
            ("a.csv", "Item;Cost\r\nRamp, north;$1,800\r\n;\r\nPond;$20\r\n"),
            ("a.csv", "sep=|\nItem|Cost\n\"Ramp,\nnorth\"|$1,800\nPond|$20"),
            ("a.TSV", "Item\tCost\nRamp, north\t$1,800\nPond\t$20"),
        ] {
            assert_eq!(read(name, text).as_deref(), Ok(lines), "{text:?}");
        }
    }
}
