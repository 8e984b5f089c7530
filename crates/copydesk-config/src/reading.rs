//! The section `reading`: how files are read.

use super::reader::Section;

/// `reading`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadingSettings {
    /// `without_sandbox`: whether files are read on a system that cannot confine their readers.
    pub without_sandbox: bool,
}

/// Reads the section.
pub(super) fn read_reading(reading: &Section<'_>) -> ReadingSettings {
    ReadingSettings {
        without_sandbox: reading
            .yes_or_no("without_sandbox", "whether files are read where their readers cannot be confined"),
    }
}
