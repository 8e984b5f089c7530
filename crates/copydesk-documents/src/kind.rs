//! The kinds of documents, and what the ending of a file's name says.

use serde::{Deserialize, Serialize};

/// The kind that a document is read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum DocumentKind {
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
const NAMES: [(&[&str], DocumentKind); 7] = [
    (&["txt", "text", "md", "markdown"], DocumentKind::Text),
    (&["vtt", "srt"], DocumentKind::Captions),
    (&["csv", "tsv"], DocumentKind::Table),
    (&["html", "htm", "xhtml"], DocumentKind::WebPage),
    (&["docx", "docm"], DocumentKind::Word),
    (&["epub"], DocumentKind::Book),
    (&["pdf"], DocumentKind::Pdf),
];

/// The usual endings, as messages name them.
pub const ENDINGS: &str = ".txt, .md, .pdf, .docx, .epub, .html, .csv, .tsv, .vtt, .srt";

impl DocumentKind {
    /// Its name, with the article.
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

    /// The place of a byte of the text that was read, as a reader of the file counts: `line 12` of a text, `record 12` of a table. Anything
    /// that is shown in paragraphs has the paragraph. `line` is the byte's line, from 1.
    pub fn place(self, text: &str, at: usize, line: usize) -> String {
        match self {
            Self::Text | Self::Captions => format!("line {line}"),
            Self::Table => format!("record {line}"),
            Self::WebPage | Self::Word | Self::Book | Self::Pdf => {
                let above = text.get(..at).unwrap_or_default().rsplit_once("\n\n").map_or("", |(above, _)| above);
                format!("paragraph {}", above.split("\n\n").filter(|part| !part.trim().is_empty()).count() + 1)
            }
        }
    }

    /// The kind by the ending of a file's name.
    pub fn by_name(file_name: &str) -> Option<Self> {
        let (_, ending) = file_name.rsplit_once('.')?;
        let is_of = |endings: &[&str]| endings.iter().any(|known| known.eq_ignore_ascii_case(ending));
        NAMES.into_iter().find(|(endings, _)| is_of(endings)).map(|(_, kind)| kind)
    }
}

/// Whether a folder's file of this name is a source.
pub fn is_known(file_name: &str) -> bool {
    DocumentKind::by_name(file_name).is_some()
}
