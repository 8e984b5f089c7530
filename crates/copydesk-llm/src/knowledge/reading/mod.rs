//! Opens a file that a person named and has it read.
//!
//! Whatever needs a parser is read by a process of its own (`pool`, `served`, `sandbox`): a hostile file can harm only its reader. Plain
//! text needs none: decoding it is a loop over bytes. Tests and benches read in their own process (`in_process`).

mod in_process;
mod pool;
mod sandbox;
mod served;
mod wire;

use std::{
    fs,
    io::Read as _,
    path::Path,
    sync::{Arc, OnceLock},
};

pub use pool::{Exception, ReaderPool};
pub use served::serve;

use self::in_process::InProcess;
use super::regular::{self, Irregular};
use copydesk_core::ports::{CommentingJob, Confinement, DocumentReader, ReadDocument, ReaderFault, ReadingJob};
use copydesk_documents::{self as documents, Commented, Document, PageFacts, ReadingPurpose, Unreadable, WordComment};
use copydesk_newsroom::ReturnedDocument;
use copydesk_text::sanitise;

#[derive(Debug, thiserror::Error)]
pub enum NotRead {
    #[error("{path} cannot be read: {error}")]
    Unopened { path: String, error: std::io::Error },
    /// A pipe or a device. Opening it would wait until another program writes to it.
    #[error(transparent)]
    NoFile(#[from] Irregular),
    /// It was opened, but there is no text.
    #[error(transparent)]
    Fault(#[from] ReaderFault),
}

impl NotRead {
    fn unopened(path: &Path, error: std::io::Error) -> Self {
        Self::Unopened { path: path.display().to_string(), error }
    }

    /// Whether the file is no text at all, only empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Fault(ReaderFault::Unreadable(Unreadable::Empty)))
    }
}

/// Who reads what needs a parser.
static READER: OnceLock<Arc<dyn DocumentReader>> = OnceLock::new();

/// Sets who reads from now on. The program does this once, before it reads anything; without it, this process reads.
pub fn read_by(reader: Arc<dyn DocumentReader>) {
    // The first one stays.
    let _ = READER.set(reader);
}

fn reader() -> &'static dyn DocumentReader {
    READER.get_or_init(|| Arc::new(InProcess)).as_ref()
}

/// The confinement of the readers.
///
/// # Errors
/// If none can be started.
pub fn confinement() -> Result<Confinement, ReaderFault> {
    reader().confinement()
}

/// Reads the document at `path`.
///
/// # Errors
/// [`NotRead`], in words for the person who named the file.
pub fn document(path: &Path, purpose: ReadingPurpose) -> Result<Document, NotRead> {
    let name = name(path);
    let bytes = bounded(path, documents::most_bytes(&name))?;
    Ok(read(ReadingJob { name, bytes, purpose })?.document)
}

/// Reads the body of a web page. Its kind follows from `name`.
///
/// # Errors
/// As [`document`].
pub fn page(name: &str, body: &[u8]) -> Result<Document, NotRead> {
    let job = ReadingJob { name: name.to_owned(), bytes: body.to_owned(), purpose: ReadingPurpose::Source };
    Ok(read(job)?.document)
}

/// Reads the article of a web page, and what the page says of itself.
///
/// # Errors
/// As [`document`].
pub fn article(name: &str, body: &[u8]) -> Result<(Document, PageFacts), NotRead> {
    let job = ReadingJob { name: name.to_owned(), bytes: body.to_owned(), purpose: ReadingPurpose::Research };
    let ReadDocument { document, facts } = read(job)?;
    Ok((document, facts))
}

fn read(job: ReadingJob) -> Result<ReadDocument, ReaderFault> {
    if documents::needs_parser(&job.name, &job.bytes) { reader().read(job) } else { in_process::whole(&job) }
}

/// Puts comments into a copy of the Word document at `path`. `at`: their date, ISO 8601.
///
/// # Errors
/// As [`document`].
pub fn commented(path: &Path, comments: Vec<WordComment>, at: String) -> Result<Commented, NotRead> {
    let bytes = bounded(path, documents::most_bytes(&name(path)))?;
    Ok(reader().comment(CommentingJob { bytes, comments, at })?)
}

/// Reads the Word document at `path`, which came back from its reviewer.
///
/// # Errors
/// As [`document`].
pub fn returned(path: &Path) -> Result<ReturnedDocument, NotRead> {
    let bytes = bounded(path, documents::most_bytes(&name(path)))?;
    Ok(reader().returned(bytes)?)
}

/// The file's name, which is also the source's name.
#[must_use]
pub fn name(path: &Path) -> String {
    let name = path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned());
    sanitise::one_line(&name)
}

fn bounded(path: &Path, most: usize) -> Result<Vec<u8>, NotRead> {
    let unopened = |error| NotRead::unopened(path, error);
    regular::check(path)?;
    let file = fs::File::open(path).map_err(unopened)?;
    let size = file.metadata().map_err(unopened)?.len();
    let too_large = |bytes| ReaderFault::Unreadable(Unreadable::TooLarge { bytes, most: most as u64 });
    if size > most as u64 {
        return Err(too_large(size).into());
    }
    // It may grow while it is read.
    let mut bytes = Vec::new();
    file.take(most as u64 + 1).read_to_end(&mut bytes).map_err(unopened)?;
    if bytes.len() > most { Err(too_large(bytes.len() as u64).into()) } else { Ok(bytes) }
}
