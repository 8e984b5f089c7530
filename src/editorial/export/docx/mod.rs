//! Word documents (DOCX, ECMA-376): the article by itself, and a copy for a colleague with every change tracked.
//!
//! The writer is our own: the kept crate (`docx-rs`) writes some names into attributes unescaped and prints to stderr, and the XML and
//! zip writers are here for other work. The same article gives the same bytes.

mod article;
mod pack;
mod review;

use std::io;

use crate::newsroom::{ArticleResponse, Journal};

/// The article as a Word document: headings, emphasis, links, lists and footnotes as Word has them.
///
/// # Errors
/// If it cannot be packed, which needs more than 4 GB of text.
pub fn to_docx(article: &ArticleResponse) -> io::Result<Vec<u8>> {
    pack::pack(&article::document(article))
}

/// The story's article as its first draft with every change tracked, each by who asked for it, and each open concern as a comment. Marks
/// of Markdown stand as they are typed, so that the text can be read back. None if there is no draft.
///
/// # Errors
/// As [`to_docx`].
pub fn to_review_docx(journal: &Journal) -> io::Result<Option<Vec<u8>>> {
    review::document(journal).map(|document| pack::pack(&document)).transpose()
}

/// A document as it is written: plain data.
#[derive(Debug, Default, PartialEq)]
struct Document {
    title: String,
    paragraphs: Vec<Paragraph>,
    /// The paragraphs of each footnote. [`Run::note`] counts from 0.
    notes: Vec<Vec<Run>>,
    comments: Vec<Comment>,
    /// The date of changes and comments: ISO 8601, UTC.
    at: String,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Look {
    Title,
    Subtitle,
    Lead,
    /// Of level 1 to 3.
    Heading(u8),
    Quote,
    Bullet,
    Numbered,
    Code,
    #[default]
    Text,
}

#[derive(Debug, Default, PartialEq)]
struct Paragraph {
    look: Look,
    runs: Vec<Run>,
    /// Whether its end was added or removed, too.
    mark: Mark,
}

/// Whether words were changed, and who asked for it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
enum Mark {
    #[default]
    Kept,
    Inserted(String),
    Deleted(String),
}

/// Words of one kind.
#[derive(Debug, Clone, Default, PartialEq)]
struct Run {
    text: String,
    bold: bool,
    italic: bool,
    struck: bool,
    link: Option<String>,
    /// A footnote in place of words.
    note: Option<usize>,
    mark: Mark,
    /// The comments on these words.
    comments: Vec<usize>,
}

#[derive(Debug, PartialEq)]
struct Comment {
    by: String,
    text: String,
}

#[cfg(test)]
mod tests;
