//! Opens a file that a person named and has [`documents`] read it.
//!
//! A document is read on its own thread, with a large stack and a time limit, so that no file can block or crash the program. A thread
//! cannot be stopped from outside. If reading took too long, the thread runs on, and the file is not read again until it ends; otherwise
//! a watched folder would add a thread with each look.

use std::{
    collections::BTreeSet,
    fs,
    io::Read as _,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, Once, PoisonError, mpsc},
    thread,
    time::Duration,
};

use crate::{
    documents::{self, Document, PageFacts, ReadingPurpose, Unreadable},
    text::sanitise,
};

/// How long a document may take. The largest that is accepted takes some seconds.
const PATIENCE: Duration = Duration::from_mins(1);

/// The stack of the thread that reads.
const STACK: usize = 32 << 20;

/// The name of that thread.
const READER: &str = "reading";

#[derive(Debug, thiserror::Error)]
pub enum NotRead {
    #[error("{path} cannot be read: {error}")]
    Unopened { path: String, error: std::io::Error },
    /// A pipe or a device. Opening it would wait until somebody writes to it.
    #[error("it is not a file")]
    NoFile,
    /// It was opened, but nothing in it can be read.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    #[error("reading it took more than {} seconds: save the text that the story needs as .txt", PATIENCE.as_secs())]
    Slow,
    #[error("it took too long before and is still being read: save the text that the story needs as .txt")]
    Stuck,
    #[error("it is damaged: save its text again as .txt, .docx or .pdf")]
    Damaged,
}

/// Reads the document at `path`.
///
/// # Errors
/// [`NotRead`], in words for the person who named the file.
pub fn document(path: &Path, purpose: ReadingPurpose) -> Result<Document, NotRead> {
    if path.exists() && !path.is_file() && !path.is_dir() {
        return Err(NotRead::NoFile);
    }
    let name = name(path);
    let bytes = bounded(path, documents::most_bytes(&name))?;
    let unopened = |error| NotRead::Unopened { path: path.display().to_string(), error };
    let whole = path.canonicalize().map_err(unopened)?;
    apart(&whole, PATIENCE, move || documents::read(&name, &bytes, purpose)).map_err(unopened)?
}

/// Reads the body of a web page. Its kind follows from `name`; `address` is the page's.
///
/// # Errors
/// As [`document`].
pub fn page(address: &str, name: &str, body: &[u8]) -> Result<Document, NotRead> {
    let (name, body) = (name.to_owned(), body.to_owned());
    let unopened = |error| NotRead::Unopened { path: address.to_owned(), error };
    apart(Path::new(address), PATIENCE, move || documents::read(&name, &body, ReadingPurpose::Source))
        .map_err(unopened)?
}

/// Reads the article of a web page, and what the page says of itself.
///
/// # Errors
/// As [`document`].
pub fn article(address: &str, name: &str, body: &[u8]) -> Result<(Document, PageFacts), NotRead> {
    let (name, body) = (name.to_owned(), body.to_owned());
    let unopened = |error| NotRead::Unopened { path: address.to_owned(), error };
    apart(Path::new(address), PATIENCE, move || {
        let article = documents::read(&name, &body, ReadingPurpose::Research)?;
        Ok::<_, Unreadable>((article, documents::page_facts(&name, &body)))
    })
    .map_err(unopened)?
}

/// The files whose readers took too long and have not ended.
static STUCK: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn stuck() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    STUCK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file that is being read. When this is dropped, the file can be read again.
struct AtWork(PathBuf);

impl Drop for AtWork {
    fn drop(&mut self) {
        stuck().remove(&self.0);
    }
}

/// Runs `read` on a thread of its own and waits for as long as `patience` says.
fn apart<T, E>(
    path: &Path,
    patience: Duration,
    read: impl FnOnce() -> Result<T, E> + Send + 'static,
) -> std::io::Result<Result<T, NotRead>>
where
    T: Send + 'static,
    E: Into<NotRead> + Send + 'static,
{
    if stuck().contains(path) {
        return Ok(Err(NotRead::Stuck));
    }
    quiet();
    let (done, wait) = mpsc::channel();
    let at_work = AtWork(path.to_owned());
    thread::Builder::new().name(READER.into()).stack_size(STACK).spawn(move || {
        // `done` is dropped before `_at_work`. A caller that finds no answer under the lock can thus still note that the file is
        // stuck.
        let _at_work = at_work;
        let done = done;
        // If it took too long, nobody waits any more.
        let _ = done.send(read());
    })?;
    let answer = wait.recv_timeout(patience).or_else(|error| {
        let mut stuck = stuck();
        // It may have ended just now.
        wait.try_recv().map_err(|now| {
            let late = error == mpsc::RecvTimeoutError::Timeout && now == mpsc::TryRecvError::Empty;
            if late {
                stuck.insert(path.to_owned());
                NotRead::Slow
            } else {
                NotRead::Damaged
            }
        })
    });
    Ok(answer.and_then(|read| read.map_err(Into::into)))
}

/// The file's name, which is also the source's name.
#[must_use]
pub fn name(path: &Path) -> String {
    let name = path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned());
    sanitise::one_line(&name)
}

fn bounded(path: &Path, most: usize) -> Result<Vec<u8>, NotRead> {
    let unopened = |error| NotRead::Unopened { path: path.display().to_string(), error };
    let file = fs::File::open(path).map_err(unopened)?;
    let size = file.metadata().map_err(unopened)?.len();
    let too_large = |bytes| NotRead::Unreadable(Unreadable::TooLarge { bytes, most: most as u64 });
    if size > most as u64 {
        return Err(too_large(size));
    }
    // It may grow while it is read.
    let mut bytes = Vec::new();
    file.take(most as u64 + 1).read_to_end(&mut bytes).map_err(unopened)?;
    if bytes.len() > most { Err(too_large(bytes.len() as u64)) } else { Ok(bytes) }
}

/// A document that makes its reader panic is reported as an error, so the panic itself is not printed.
fn quiet() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if thread::current().name() != Some(READER) {
                before(panic);
            }
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_that_breaks_is_told_as_an_error() {
        let path = Path::new("broken.pdf");
        let broken = apart(path, PATIENCE, || -> Result<(), Unreadable> { panic!("a reader's own fault") });
        assert_eq!(broken.unwrap().unwrap_err().to_string(), NotRead::Damaged.to_string());
    }

    #[test]
    fn a_file_whose_reader_takes_too_long_is_read_again_once_that_has_ended() {
        let (end, ended) = mpsc::channel::<()>();
        let (path, soon) = (Path::new("slow.pdf"), Duration::from_millis(20));
        let slow = apart(path, soon, move || {
            let _ = ended.recv();
            Ok::<_, Unreadable>(())
        });
        assert!(slow.unwrap().unwrap_err().to_string().starts_with("reading it took more than 60 seconds"));
        let read = || apart(path, PATIENCE, || Ok::<_, Unreadable>(1)).unwrap();
        assert!(read().unwrap_err().to_string().starts_with("it took too long before and is still being read"));
        let other = apart(Path::new("other.pdf"), PATIENCE, || Ok::<_, Unreadable>(2));
        assert_eq!(other.unwrap().unwrap(), 2);
        end.send(()).unwrap();
        let again = (0..500).find_map(|_| {
            thread::sleep(Duration::from_millis(10));
            read().ok()
        });
        assert_eq!(again, Some(1));
    }
}
