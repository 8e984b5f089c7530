//! The jobs of a reader, and its answers.

use serde::{Deserialize, Serialize};

use copydesk_documents::{self as documents, Commented, Document, ReadingPurpose, Unreadable, WordComment};
use copydesk_newsroom::ReturnedDocument;

/// The work to do with the bytes of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Job {
    /// Read its text. Its name decides the format if the bytes do not.
    Read { name: String, purpose: ReadingPurpose },
    /// Put comments into a copy of a Word document. `at`: their date, ISO 8601.
    Comment { comments: Vec<WordComment>, at: String },
    /// Read a Word document that came back from its reviewer.
    Return,
}

/// The result of a [`Job`].
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Done {
    Read(Document),
    Commented(Commented),
    Returned(ReturnedDocument),
}

impl Job {
    /// Does the work on this thread.
    pub(super) fn work(&self, bytes: &[u8]) -> Result<Done, Unreadable> {
        Ok(match self {
            Self::Read { name, purpose } => Done::Read(documents::read(name, bytes, *purpose)?),
            Self::Comment { comments, at } => Done::Commented(documents::with_comments(bytes, comments, at)?),
            Self::Return => Done::Returned(documents::read_returned(bytes)?),
        })
    }
}

/// The reason for which a document was not read.
#[derive(Debug, thiserror::Error)]
pub enum ReaderFault {
    /// It was read, but nothing in it can be used.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// It took longer than a document may take.
    #[error("reading it took too long, and was stopped: save the text that the story needs as .txt")]
    Slow,
    /// Its reader ended while it read this.
    #[error(
        "its reader stopped: the file is damaged, or it asks for more memory than a file may have. Save its text again as .txt"
    )]
    Died,
    /// Another program ended its reader.
    #[error("its reader was ended from outside: try again")]
    Ended,
    /// No reader can be started.
    #[error("{0}")]
    NoReader(String),
}

impl ReaderFault {
    /// Whether the document is to blame, so that it is better left alone.
    pub fn is_hostile(&self) -> bool {
        matches!(self, Self::Slow | Self::Died)
    }
}

/// The protection around a reader, and the protection that this system does not offer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confinement {
    /// The protection in force, a few words each.
    pub stands: Vec<String>,
    /// The protection that is missing, a few words each.
    pub missing: Vec<String>,
    /// Whether a stranger's file may be read under it: everything that this kind of system can limit is limited. On Linux that is memory,
    /// time, files and network.
    pub whole: bool,
}
