//! Word documents (DOCX, ECMA-376): a zip with the text in `word/document.xml`, footnotes and endnotes beside it.
//!
//! The text as it stands: deleted words of tracked changes, comments, headers and footers are not in it, inserted words are. What nobody
//! sees (hidden, white on white, a point high) is set apart. A text box follows the paragraph that it is anchored in. Headings and list items
//! are marked as Markdown marks them.

mod archive;
mod comments;
mod look;
mod page;
mod passages;
mod returned;
#[cfg(test)]
mod tests;

use std::io::Cursor;

use zip::ZipArchive;

use super::{bounds::MOST_TEXT, hidden::Hidden, unreadable::Unreadable};
pub(super) use archive::is;
use archive::{PARTS, broken, other, unpacked};
pub use comments::{Commented, WordComment, with_comments};
use look::Styles;
use page::WordPage;
pub use returned::read_returned;

/// The document's text.
///
/// # Errors
/// If it is no Word document, has a password, is damaged, or unpacks to more than is read.
pub(super) fn read(bytes: &[u8], hidden: &mut Hidden) -> Result<String, Unreadable> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| broken(&error))?;
    let styles = unpacked(&mut archive, "word/styles.xml")?.map(|xml| Styles::read(&xml)).unwrap_or_default();
    let mut text = String::new();
    for part in PARTS {
        match unpacked(&mut archive, part)? {
            Some(xml) => {
                let mut page = WordPage::of(&styles, hidden);
                page.read(&xml)?;
                text.push_str(&page.out);
            }
            None if text.is_empty() && part == "word/document.xml" => {
                return Err(other(&mut archive)?);
            }
            None => {}
        }
        if text.len() > MOST_TEXT {
            return Err(Unreadable::TooMuch { what: "text", most: MOST_TEXT });
        }
    }
    Ok(text)
}
