//! Reads a document's bytes as text, in this program or elsewhere.

use copydesk_documents::{Commented, Document, PageFacts, ReadingPurpose, Unreadable, WordComment};
use copydesk_newsroom::ReturnedDocument;

/// A document that is to be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadingJob {
    /// Its name. It decides the format if the bytes do not.
    pub name: String,
    pub bytes: Vec<u8>,
    pub purpose: ReadingPurpose,
}

/// A Word document that is to get comments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommentingJob {
    pub bytes: Vec<u8>,
    pub comments: Vec<WordComment>,
    /// Their date: ISO 8601.
    pub at: String,
}

/// A document that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadDocument {
    pub document: Document,
    /// The facts that a web page states of itself, if it was read for research.
    pub facts: PageFacts,
}

/// Why there is no document.
#[derive(Debug, thiserror::Error)]
pub enum ReaderFault {
    /// It was read, but nothing in it can be used.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// It took longer than a document may take.
    #[error("reading it took too long, and was stopped: save the text that the story needs as .txt")]
    Slow,
    /// It took too long before and is still being read.
    #[error("it took too long before and is still being read: save the text that the story needs as .txt")]
    Stuck,
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
    #[must_use]
    pub fn is_hostile(&self) -> bool {
        matches!(self, Self::Slow | Self::Died)
    }
}

/// The protection around a reader, and the protection that this system does not offer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Confinement {
    /// The protection in force, a few words each.
    pub stands: Vec<String>,
    /// The protection that is missing, a few words each.
    pub missing: Vec<String>,
    /// Whether a stranger's file may be read under it: everything that this kind of system can limit is limited. On Linux that is memory,
    /// time, files and network.
    pub whole: bool,
}

/// Reads documents.
pub trait DocumentReader: Send + Sync {
    /// Reads one document. Blocks, for a minute at most.
    ///
    /// # Errors
    /// [`ReaderFault`], in words that go on from the document's name and a colon.
    fn read(&self, job: ReadingJob) -> Result<ReadDocument, ReaderFault>;

    /// Puts comments into a copy of a Word document. Blocks, for a minute at most.
    ///
    /// # Errors
    /// As [`Self::read`].
    fn comment(&self, job: CommentingJob) -> Result<Commented, ReaderFault>;

    /// Reads a Word document that came back from its reviewer. Blocks, for a minute at most.
    ///
    /// # Errors
    /// As [`Self::read`].
    fn returned(&self, bytes: Vec<u8>) -> Result<ReturnedDocument, ReaderFault>;

    /// Returns the protection around its readers.
    ///
    /// # Errors
    /// If none can be started.
    fn confinement(&self) -> Result<Confinement, ReaderFault>;
}
