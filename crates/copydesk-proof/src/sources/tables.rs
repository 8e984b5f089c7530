//! Tables of the sources: each row is a record of its own.

use crate::reading::ParsedText;

/// At most so many records of a table are read.
pub const RECORDS: usize = 2_000;

/// Whether a sentence begins as a table's record does.
pub fn may_be_record(reading: &ParsedText<'_>, line: usize) -> bool {
    reading.line_text(line).starts_with("- ")
}
