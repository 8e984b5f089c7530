//! Word documents (DOCX, ECMA-376): the article by itself, and a copy for a colleague with every change tracked.
//!
//! The writer is our own: the kept crate (`docx-rs`) writes some names into attributes unescaped and prints to stderr, and the XML and
//! zip writers are here for other work. The same article gives the same bytes.

mod article;
mod document;
mod pack;
mod review;

pub use review::bookmark;

use std::io;

use copydesk_newsroom::{ArticleResponse, Journal};

/// The article as a Word document: headings, emphasis, links, lists and footnotes as Word has them.
///
/// # Errors
/// If it cannot be packed, which needs more than 4 GB of text.
pub fn to_docx(article: &ArticleResponse) -> io::Result<Vec<u8>> {
    pack::pack(&article::document(article))
}

/// The story's article as its first draft with every change tracked, each by who asked for it, and each open concern as a comment. Marks
/// of Markdown stand as they are typed, so that the text can be read back. `notice` stands above all. None if there is no draft.
///
/// # Errors
/// As [`to_docx`].
pub fn to_review_docx(journal: &Journal, notice: Option<&str>) -> io::Result<Option<Vec<u8>>> {
    review::document(journal, notice).map(|document| pack::pack(&document)).transpose()
}

#[cfg(test)]
pub(super) mod tests;
