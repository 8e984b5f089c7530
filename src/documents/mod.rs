//! Documents: the bytes that a person hands in as a source or a draft, read as the text that everything else works on.
//!
//! Bytes in, text out: nothing here opens a file. One file a format. The text is what spans refer to ever after, so whatever is
//! no word of the document (a cue's number, a page's script) is gone from it before anything is counted, and what
//! had to be guessed is said in a note.
//!
//! Documents are hostile: each reader has bounds of its own, none recurses, and none panics.

mod book;
mod cues;
mod encoding;
#[cfg(feature = "pdf")]
mod hyphens;
mod kind;
#[cfg(feature = "pdf")]
mod lines;
#[cfg(feature = "pdf")]
mod pdf;
mod records;
mod table;
mod transcript;
#[cfg(feature = "pdf")]
mod unpacking;
mod web_page;
mod word;

use crate::text::sanitise;

pub use kind::{ENDINGS, Kind, is_known};

/// The most text that one source gives, in bytes. A book is about one megabyte; no model takes sixteen.
pub const MOST_TEXT: usize = 16 << 20;

/// The largest file of a format that packs its text among pictures and fonts (PDF, DOCX, EPUB), in bytes.
pub const MOST_PACKED: usize = 96 << 20;

/// A document that has been read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// What it was read as.
    pub kind: Kind,
    /// Its text, sanitised and never blank. Every span is a byte range of this text, not of the file.
    pub text: String,
    /// What a reader should know about how it was read, a sentence each.
    pub notes: Vec<String>,
}

/// Why a document cannot be read. Each message goes on from the file's name and a colon.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// More bytes than are read.
    #[error("it is {} MB; a source may have {} MB at most: split it, or cut it to what the story needs", .bytes >> 20, .most >> 20)]
    TooLarge {
        /// Its size in bytes.
        bytes: u64,
        /// The most that it may have.
        most: u64,
    },
    /// A small file that unpacks to more than is read.
    #[error("it unpacks to more than {} MB of {what}: split it, or save what the story needs as a text file", .most >> 20)]
    TooMuch {
        /// What there is too much of.
        what: &'static str,
        /// The most that there may be, in bytes.
        most: usize,
    },
    /// No visible character.
    #[error("it is empty; a source needs text")]
    Empty,
    /// Pages, but no text on them.
    #[error("none of its {pages} pages holds any text: it is perhaps a scan. Run it through text recognition first")]
    NoText {
        /// How many pages it has.
        pages: usize,
    },
    /// A password is needed.
    #[error("it is protected with a password: save a copy without one")]
    Encrypted,
    /// A book that only the program can read that it was sold for.
    #[error("it is protected against copying (DRM), and only the program that it was bought for can read it")]
    Locked,
    /// No text at all, but something else.
    #[error("it is {what}, not text: save its text as .txt, .docx or .pdf first")]
    NotText {
        /// What it is, with its article.
        what: &'static str,
    },
    /// A document, but of a format that is not read.
    #[error("it is {what}: save it as {instead}")]
    OtherFormat {
        /// What it is, with its article.
        what: &'static str,
        /// The ending of the format to save it in.
        instead: &'static str,
    },
    /// A format whose reader this build leaves out.
    #[error("it is {}, which this build of copydesk does not read: use a released binary, or build with `--features {feature}`", .kind.name())]
    NotBuiltIn {
        /// What it is.
        kind: Kind,
        /// The feature of the package that reads it.
        feature: &'static str,
    },
    /// Damaged, or not what its name says.
    #[error("it cannot be read as {}: {message}", .kind.name())]
    Broken {
        /// What it was read as.
        kind: Kind,
        /// What was wrong.
        message: String,
    },
}

/// The most bytes that are read of a file of this name.
#[must_use]
pub fn most_bytes(file_name: &str) -> usize {
    match Kind::by_name(file_name) {
        Some(kind) if kind.is_packed() => MOST_PACKED,
        _ => MOST_TEXT,
    }
}

/// What a document is read for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To hold a draft against: a transcript is put together turn by turn, since its time codes cut what is said.
    Source,
    /// To be printed: what its author wrote stays, whatever it looks like.
    Draft,
}

/// Reads a document. `file_name` decides what it is read as where the bytes themselves do not.
///
/// # Errors
/// [`Unreadable`], each in words for whoever handed the file in.
pub fn read(file_name: &str, bytes: &[u8], purpose: Purpose) -> Result<Document, Unreadable> {
    let kind = kind::of(file_name, bytes)?;
    let most = if kind.is_packed() { MOST_PACKED } else { MOST_TEXT };
    if bytes.len() > most {
        return Err(Unreadable::TooLarge { bytes: bytes.len() as u64, most: most as u64 });
    }
    let mut notes = Vec::new();
    if Kind::by_name(file_name).is_some_and(|named| named != kind) {
        notes.push(format!("it is {} whatever its name says, and was read as that", kind.name()));
    }
    let text = match kind {
        #[cfg(feature = "pdf")]
        Kind::Pdf => pdf::read(bytes, &mut notes)?,
        #[cfg(not(feature = "pdf"))]
        Kind::Pdf => return Err(Unreadable::NotBuiltIn { kind: Kind::Pdf, feature: "pdf" }),
        Kind::Word => word::read(bytes)?,
        Kind::Book => book::read(bytes, &mut notes)?,
        Kind::WebPage => web_page::read(&encoding::page(bytes, &mut notes)?),
        Kind::Table => table::read(file_name, &encoding::text(bytes, &mut notes)?)?,
        Kind::Captions => cues::read(&encoding::text(bytes, &mut notes)?)?,
        Kind::Text => {
            let text = encoding::text(bytes, &mut notes)?;
            match transcript::read(&text).filter(|_| purpose == Purpose::Source) {
                Some(turns) => {
                    notes.push(
                        "it was read as a transcript: a time code stands where a turn begins, the others are left out"
                            .into(),
                    );
                    turns
                }
                None => text,
            }
        }
    };
    // The lines of a text file are the file's; what is put together begins with its first.
    let text = if kind == Kind::Text { &text } else { text.trim_start_matches('\n') };
    let text = sanitise::clean(text).into_owned();
    if sanitise::is_blank(&text) {
        return Err(Unreadable::Empty);
    }
    if text.len() > MOST_TEXT {
        return Err(Unreadable::TooMuch { what: "text", most: MOST_TEXT });
    }
    Ok(Document { kind, text, notes })
}

#[cfg(test)]
mod tests;
