//! Word documents (DOCX, ECMA-376): a zip with the text in `word/document.xml`, footnotes and endnotes beside it.
//!
//! The text as it stands: deleted words of tracked changes, comments, headers and footers are not in it, inserted words are. What nobody
//! sees (hidden, white on white, a point high) is set apart. A text box follows the paragraph that it is anchored in. Headings and list items
//! are marked as Markdown marks them.

mod look;
mod page;
#[cfg(test)]
mod tests;

use std::io::{Cursor, Read as _};

use zip::{ZipArchive, result::ZipError};

use super::{bounds::MOST_TEXT, hidden::Hidden, kind::DocumentKind, unreadable::Unreadable};
use look::Styles;
use page::Page;

/// The most XML that one part unpacks to. Word's markup is some ten times its text.
const MOST_XML: usize = 128 << 20;

/// The parts that hold text, in the order in which a reader meets them.
const PARTS: [&str; 3] = ["word/document.xml", "word/footnotes.xml", "word/endnotes.xml"];

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
                let mut page = Page::of(&styles, hidden);
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

/// Whether an archive is a Word document.
pub(super) fn is(archive: &ZipArchive<Cursor<&[u8]>>) -> bool {
    archive.index_for_name(PARTS[0]).is_some()
}

/// Archives that are other documents: a part that tells them, how it begins, what they are, what they can be saved as.
const OTHERS: [(&str, &str, &str, &str); 5] = [
    ("mimetype", "application/vnd.oasis.opendocument.text", "an OpenDocument text (ODT)", ".docx"),
    ("mimetype", "application/vnd.oasis.opendocument.spreadsheet", "an OpenDocument spreadsheet (ODS)", ".csv"),
    ("mimetype", "application/vnd.oasis.opendocument.presentation", "an OpenDocument presentation (ODP)", ".pdf"),
    ("xl/workbook.xml", "", "an Excel workbook (XLSX)", ".csv"),
    ("ppt/presentation.xml", "", "a PowerPoint presentation (PPTX)", ".pdf"),
];

/// What an archive without Word's text is.
fn other(archive: &mut ZipArchive<Cursor<&[u8]>>) -> Result<Unreadable, Unreadable> {
    for (part, begins, what, instead) in OTHERS {
        if unpacked(archive, part)?.is_some_and(|text| text.starts_with(begins)) {
            return Ok(Unreadable::OtherFormat { what, instead });
        }
    }
    Ok(Unreadable::Broken { kind: DocumentKind::Word, message: "there is no text of Word's in it".into() })
}

fn broken(error: &dyn std::error::Error) -> Unreadable {
    Unreadable::Broken { kind: DocumentKind::Word, message: error.to_string() }
}

fn unpacked(archive: &mut ZipArchive<Cursor<&[u8]>>, part: &str) -> Result<Option<String>, Unreadable> {
    let file = match archive.by_name(part) {
        Ok(file) => file,
        Err(ZipError::FileNotFound) => return Ok(None),
        Err(ZipError::UnsupportedArchive(message)) if message == ZipError::PASSWORD_REQUIRED => {
            return Err(Unreadable::Encrypted);
        }
        Err(error) => return Err(broken(&error)),
    };
    // The size that the archive states is not to be trusted.
    let mut xml = Vec::new();
    file.take(MOST_XML as u64 + 1).read_to_end(&mut xml).map_err(|error| broken(&error))?;
    if xml.len() > MOST_XML {
        return Err(Unreadable::TooMuch { what: "markup", most: MOST_XML });
    }
    Ok(Some(String::from_utf8_lossy(&xml).into_owned()))
}
