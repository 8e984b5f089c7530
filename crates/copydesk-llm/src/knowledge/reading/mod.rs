//! Opens a file that a person named and has it read.
//!
//! Whatever needs a parser is read by a process of its own (`pool`, `served`, `sandbox`): a hostile file can harm only its reader. Plain
//! text needs none: decoding it is a loop over bytes. Tests and benches have no such process and read in their own.

mod job;
mod pool;
mod sandbox;
mod served;
mod wire;

use std::{fs, io::Read as _, path::Path, sync::OnceLock};

pub use job::{Confinement, ReaderFault};
pub use pool::{Exception, ReaderPool};
pub use served::serve;

use self::job::{Done, Job};
use super::regular::{self, Irregular};
use copydesk_documents::{self as documents, Commented, Document, ReadingPurpose, Unreadable, WordComment};
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
    /// Whether the file is no text at all, only empty.
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Fault(ReaderFault::Unreadable(Unreadable::Empty)))
    }
}

/// Who reads what needs a parser. Without it, this process reads.
static POOL: OnceLock<ReaderPool> = OnceLock::new();

/// Sets who reads from now on. The program does this once, before it reads anything.
pub fn read_by(pool: ReaderPool) {
    // The first one stays.
    let _ = POOL.set(pool);
}

/// The confinement of the readers.
///
/// # Errors
/// If none can be started.
pub fn confinement() -> Result<Confinement, ReaderFault> {
    let none = || Ok(Confinement { missing: vec!["a process of its own".into()], ..Confinement::default() });
    POOL.get().map_or_else(none, ReaderPool::confinement)
}

fn done(job: &Job, bytes: &[u8]) -> Result<Done, ReaderFault> {
    match (POOL.get(), job) {
        (Some(_), Job::Read { name, .. }) if !documents::needs_parser(name, bytes) => Ok(job.work(bytes)?),
        (Some(pool), _) => pool.done(job, bytes),
        (None, _) => Ok(job.work(bytes)?),
    }
}

/// Reads the document at `path`.
///
/// # Errors
/// [`NotRead`], in words for the person who named the file.
pub fn document(path: &Path, purpose: ReadingPurpose) -> Result<Document, NotRead> {
    read(name(path), &bytes(path)?, purpose)
}

/// Reads the article of a web page, and what the page says of itself. Its kind follows from `name`.
///
/// # Errors
/// As [`document`].
pub fn article(name: &str, body: &[u8]) -> Result<Document, NotRead> {
    read(name.to_owned(), body, ReadingPurpose::Research)
}

fn read(name: String, bytes: &[u8], purpose: ReadingPurpose) -> Result<Document, NotRead> {
    match done(&Job::Read { name, purpose }, bytes)? {
        Done::Read(document) => Ok(document),
        // No reader of ours does something else.
        Done::Commented(_) | Done::Returned(_) => Err(ReaderFault::Died.into()),
    }
}

/// Puts comments into a copy of the Word document at `path`. `at`: their date, ISO 8601.
///
/// # Errors
/// As [`document`].
pub fn commented(path: &Path, comments: Vec<WordComment>, at: String) -> Result<Commented, NotRead> {
    match done(&Job::Comment { comments, at }, &bytes(path)?)? {
        Done::Commented(commented) => Ok(commented),
        Done::Read(..) | Done::Returned(_) => Err(ReaderFault::Died.into()),
    }
}

/// Reads the Word document at `path`, which came back from its reviewer.
///
/// # Errors
/// As [`document`].
pub fn returned(path: &Path) -> Result<ReturnedDocument, NotRead> {
    match done(&Job::Return, &bytes(path)?)? {
        Done::Returned(returned) => Ok(returned),
        Done::Read(..) | Done::Commented(_) => Err(ReaderFault::Died.into()),
    }
}

/// The file's name, which is also the source's name.
pub fn name(path: &Path) -> String {
    let name = path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned());
    sanitise::one_line(&name)
}

/// The bytes of a file, if they are no more than a file of its kind may have.
fn bytes(path: &Path) -> Result<Vec<u8>, NotRead> {
    let most = documents::most_bytes(&name(path));
    let unopened = |error| NotRead::Unopened { path: path.display().to_string(), error };
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
