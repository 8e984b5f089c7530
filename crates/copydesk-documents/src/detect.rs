//! The kind of a file: its first bytes decide if they are unmistakable, else its name.

use std::io::Cursor;

use zip::ZipArchive;

use super::{book, kind::DocumentKind, recording::RecordingFormat, unreadable::Unreadable, word};

/// Formats that are not read: their first bytes, and their name with its article.
const FOREIGN: [(&[u8], &str); 9] = [
    (b"{\\rtf", "an RTF document"),
    (b"\x89PNG", "a picture (PNG)"),
    (b"\xFF\xD8\xFF", "a picture (JPEG)"),
    (b"GIF8", "a picture (GIF)"),
    (b"OggS", "a sound recording (Ogg)"),
    (b"\x1F\x8B", "a packed file (gzip)"),
    (b"7z\xBC\xAF", "a packed file (7z)"),
    (b"\x7FELF", "a program"),
    (b"SQLite format 3", "a database"),
];

/// The kind of the document in the bytes.
///
/// # Errors
/// If they are something that holds no text, or not what the name says.
pub(super) fn kind_of(file_name: &str, bytes: &[u8]) -> Result<DocumentKind, Unreadable> {
    let named = DocumentKind::by_name(file_name);
    if bytes.starts_with(b"%PDF-") {
        return Ok(DocumentKind::Pdf);
    }
    if bytes.starts_with(b"PK\x03\x04") {
        return Ok(packed(named, bytes));
    }
    // An old Word file, and the wrapping of a DOCX that has a password.
    if bytes.starts_with(b"\xD0\xCF\x11\xE0") {
        return Err(match named {
            Some(DocumentKind::Word) => Unreadable::Encrypted,
            _ => Unreadable::NotText { what: "an old Office file" },
        });
    }
    if RecordingFormat::of(bytes).is_some() {
        return Err(Unreadable::Recording);
    }
    if let Some((_, what)) = FOREIGN.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return Err(Unreadable::NotText { what });
    }
    match named {
        Some(kind) if kind.is_packed() && bytes.is_empty() => Err(Unreadable::Empty),
        Some(kind @ (DocumentKind::Word | DocumentKind::Book)) => {
            Err(Unreadable::Broken { kind, message: "it is no zip archive".into() })
        }
        Some(DocumentKind::Text) | None if is_webvtt(bytes) => Ok(DocumentKind::Captions),
        Some(kind) => Ok(kind),
        None => Ok(DocumentKind::Text),
    }
}

/// Whether a document is more than lines of characters, so that a parser must read it.
pub fn needs_parser(file_name: &str, bytes: &[u8]) -> bool {
    let plain = matches!(DocumentKind::by_name(file_name), Some(DocumentKind::Text) | None);
    !plain || is_webvtt(bytes) || [b"%PDF-".as_slice(), b"PK\x03\x04"].iter().any(|magic| bytes.starts_with(magic))
}

/// The kind of a zip archive: Word or a book by its content, else a book by its name, else Word. The Word reader names other formats.
fn packed(named: Option<DocumentKind>, bytes: &[u8]) -> DocumentKind {
    match ZipArchive::new(Cursor::new(bytes)) {
        Ok(archive) if word::is(&archive) => DocumentKind::Word,
        Ok(archive) if book::is(&archive) => DocumentKind::Book,
        Ok(_) | Err(_) if named == Some(DocumentKind::Book) => DocumentKind::Book,
        Ok(_) | Err(_) => DocumentKind::Word,
    }
}

/// Whether it begins as `WebVTT` does, with or without a byte order mark.
fn is_webvtt(bytes: &[u8]) -> bool {
    bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start().starts_with(b"WEBVTT")
}
