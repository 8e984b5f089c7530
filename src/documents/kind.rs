//! What a file is: by its first bytes where they are unmistakable, else by its name.

use std::io::Cursor;

use zip::ZipArchive;

use super::{Unreadable, book, word};

/// What a document is read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Plain text and Markdown, transcripts among them.
    Text,
    /// Captions with time codes: `WebVTT`, `SubRip`.
    Captions,
    /// Comma- or tab-separated values.
    Table,
    /// HTML.
    WebPage,
    /// DOCX.
    Word,
    /// EPUB.
    Book,
    /// PDF.
    Pdf,
}

/// Endings of file names, and what a file of that name is.
const NAMES: [(&str, Kind); 15] = [
    ("txt", Kind::Text),
    ("text", Kind::Text),
    ("md", Kind::Text),
    ("markdown", Kind::Text),
    ("vtt", Kind::Captions),
    ("srt", Kind::Captions),
    ("csv", Kind::Table),
    ("tsv", Kind::Table),
    ("html", Kind::WebPage),
    ("htm", Kind::WebPage),
    ("xhtml", Kind::WebPage),
    ("docx", Kind::Word),
    ("docm", Kind::Word),
    ("epub", Kind::Book),
    ("pdf", Kind::Pdf),
];

/// The usual endings, as messages name them.
pub const ENDINGS: &str = ".txt, .md, .pdf, .docx, .epub, .html, .csv, .tsv, .vtt, .srt";

impl Kind {
    /// What it is called, with its article.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "a text",
            Self::Captions => "a file of captions",
            Self::Table => "a table (CSV)",
            Self::WebPage => "a web page",
            Self::Word => "a Word document (DOCX)",
            Self::Book => "a book (EPUB)",
            Self::Pdf => "a PDF",
        }
    }

    /// Whether its text is packed among pictures and fonts.
    pub(super) fn is_packed(self) -> bool {
        matches!(self, Self::Pdf | Self::Word | Self::Book)
    }

    /// What the ending of a name says.
    #[must_use]
    pub fn by_name(file_name: &str) -> Option<Self> {
        let (_, ending) = file_name.rsplit_once('.')?;
        NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(ending)).map(|&(_, kind)| kind)
    }
}

/// Whether a folder's file of this name is a source.
#[must_use]
pub fn is_known(file_name: &str) -> bool {
    Kind::by_name(file_name).is_some()
}

/// What is told by its first bytes and is not read, with its article.
const FOREIGN: [(&[u8], &str); 10] = [
    (b"{\\rtf", "an RTF document"),
    (b"\x89PNG", "a picture (PNG)"),
    (b"\xFF\xD8\xFF", "a picture (JPEG)"),
    (b"GIF8", "a picture (GIF)"),
    (b"ID3", "a sound recording"),
    (b"OggS", "a sound recording"),
    (b"\x1F\x8B", "a packed file (gzip)"),
    (b"7z\xBC\xAF", "a packed file (7z)"),
    (b"\x7FELF", "a program"),
    (b"SQLite format 3", "a database"),
];

/// What the bytes are.
///
/// # Errors
/// Where they are something that holds no text, or not what the name says.
pub(super) fn of(file_name: &str, bytes: &[u8]) -> Result<Kind, Unreadable> {
    let named = Kind::by_name(file_name);
    if bytes.starts_with(b"%PDF-") {
        return Ok(Kind::Pdf);
    }
    if bytes.starts_with(b"PK\x03\x04") {
        return Ok(packed(named, bytes));
    }
    // An old Word file, and the wrapping of a DOCX that has a password.
    if bytes.starts_with(b"\xD0\xCF\x11\xE0") {
        return Err(match named {
            Some(Kind::Word) => Unreadable::Encrypted,
            _ => Unreadable::NotText { what: "an old Office file" },
        });
    }
    if let Some((_, what)) = FOREIGN.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return Err(Unreadable::NotText { what });
    }
    match named {
        Some(kind) if kind.is_packed() && bytes.is_empty() => Err(Unreadable::Empty),
        Some(kind @ (Kind::Word | Kind::Book)) => {
            Err(Unreadable::Broken { kind, message: "it is no zip archive".into() })
        }
        Some(Kind::Text) | None if is_webvtt(bytes) => Ok(Kind::Captions),
        Some(kind) => Ok(kind),
        None => Ok(Kind::Text),
    }
}

/// What a zip archive is: a book where it says so, else what its name says; whoever reads it as a Word document tells what else it is.
fn packed(named: Option<Kind>, bytes: &[u8]) -> Kind {
    match ZipArchive::new(Cursor::new(bytes)) {
        Ok(archive) if word::is(&archive) => Kind::Word,
        Ok(archive) if book::is(&archive) => Kind::Book,
        Ok(_) | Err(_) if named == Some(Kind::Book) => Kind::Book,
        Ok(_) | Err(_) => Kind::Word,
    }
}

/// Whether it begins as `WebVTT` does, with or without a byte order mark.
fn is_webvtt(bytes: &[u8]) -> bool {
    bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start().starts_with(b"WEBVTT")
}
