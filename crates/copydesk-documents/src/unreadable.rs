//! Why a document cannot be read.

use super::{kind::DocumentKind, recording::RECORDING_ENDINGS};

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
        /// The content that exceeds the limit.
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
        /// The name of the format, with its article.
        what: &'static str,
    },
    /// A recording under another name.
    #[error("it is a recording, not text: as a source its name must end as a recording's ({RECORDING_ENDINGS})")]
    Recording,
    /// A document, but of a format that is not read.
    #[error("it is {what}: save it as {instead}")]
    OtherFormat {
        /// The name of the format, with its article.
        what: &'static str,
        /// The ending of the format to save it in.
        instead: &'static str,
    },
    /// The message of the process that read it.
    #[error("{0}")]
    Said(String),
    /// A format whose reader this build leaves out.
    #[error("it is {}, which this build of copydesk does not read: use a released binary, or build with `--features {feature}`", .kind.name())]
    NotBuiltIn {
        /// The kind of the document.
        kind: DocumentKind,
        /// The feature of the package that reads it.
        feature: &'static str,
    },
    /// Damaged, or not what its name says.
    #[error("it cannot be read as {}: {message}", .kind.name())]
    Broken {
        /// The kind that it was read as.
        kind: DocumentKind,
        /// The error.
        message: String,
    },
}
