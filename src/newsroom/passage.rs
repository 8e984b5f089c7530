//! A place in a text that can be shown.

use serde::{Deserialize, Serialize};

/// A passage of a knowledge file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Passage {
    /// The file, relative to the knowledge folder.
    pub file: String,
    /// First byte in the file's text.
    pub start: u64,
    /// One past the last byte.
    pub end: u64,
    /// The text between.
    pub text: String,
}

impl Passage {
    /// How a verdict cites it: `file, bytes start-end`.
    #[must_use]
    pub fn citation(&self) -> String {
        format!("{}, bytes {}-{}", self.file, self.start, self.end)
    }
}
