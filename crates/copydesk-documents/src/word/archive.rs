//! The zip that a Word document is, and what other zips are.

use std::io::{Cursor, Read as _};

use zip::{ZipArchive, result::ZipError};

use crate::{kind::DocumentKind, unreadable::Unreadable};

/// The most XML that one part unpacks to. Word's markup is some ten times its text.
const MOST_XML: usize = 128 << 20;

/// The parts that hold text, in the order in which a reader meets them.
pub(super) const PARTS: [&str; 3] = ["word/document.xml", "word/footnotes.xml", "word/endnotes.xml"];

/// Whether an archive is a Word document.
pub(crate) fn is(archive: &ZipArchive<Cursor<&[u8]>>) -> bool {
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
pub(super) fn other(archive: &mut ZipArchive<Cursor<&[u8]>>) -> Result<Unreadable, Unreadable> {
    for (part, begins, what, instead) in OTHERS {
        if unpacked(archive, part)?.is_some_and(|text| text.starts_with(begins)) {
            return Ok(Unreadable::OtherFormat { what, instead });
        }
    }
    Ok(Unreadable::Broken { kind: DocumentKind::Word, message: "there is no text of Word's in it".into() })
}

pub(super) fn broken(error: &dyn std::error::Error) -> Unreadable {
    Unreadable::Broken { kind: DocumentKind::Word, message: error.to_string() }
}

pub(super) fn unpacked(archive: &mut ZipArchive<Cursor<&[u8]>>, part: &str) -> Result<Option<String>, Unreadable> {
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
