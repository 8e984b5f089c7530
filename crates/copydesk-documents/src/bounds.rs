//! How much of a document is read.

use super::{kind::DocumentKind, unreadable::Unreadable};

/// The most text that one source gives, in bytes. A book is about one megabyte; no model takes sixteen.
pub const MOST_TEXT: usize = 16 << 20;

/// The largest file of a format that packs its text among pictures and fonts (PDF, DOCX, EPUB), in bytes.
pub const MOST_PACKED: usize = 96 << 20;

/// The most bytes that are read of a file of this name.
pub fn most_bytes(file_name: &str) -> usize {
    match DocumentKind::by_name(file_name) {
        Some(kind) if kind.is_packed() => MOST_PACKED,
        _ => MOST_TEXT,
    }
}

/// Refuses a text of more bytes than are read.
pub(super) fn bounded(bytes: usize) -> Result<(), Unreadable> {
    if bytes > MOST_TEXT { Err(Unreadable::TooMuch { what: "text", most: MOST_TEXT }) } else { Ok(()) }
}
