//! Reads a document in this process: for tests and benches, and for the process that does nothing else.
//!
//! A document is read on its own thread, with a large stack and a time limit. A thread cannot be stopped from outside. If reading took
//! too long, the thread runs on, and the same bytes are not read again until it ends.

use std::{
    collections::BTreeSet,
    sync::{Mutex, MutexGuard, Once, PoisonError, mpsc},
    thread,
    time::Duration,
};

use sha2::{Digest as _, Sha256};

use copydesk_core::ports::{CommentingJob, Confinement, DocumentReader, ReadDocument, ReaderFault, ReadingJob};
use copydesk_documents::{self as documents, Commented, PageFacts, ReadingPurpose};
use copydesk_newsroom::ReturnedDocument;

/// How long a document may take. The largest that is accepted takes some seconds.
pub(super) const PATIENCE: Duration = Duration::from_mins(1);

/// The stack of the thread that reads.
pub(super) const STACK: usize = 32 << 20;

/// The name of that thread.
const NAME: &str = "reading";

/// Reads in this process.
pub(super) struct InProcess;

impl DocumentReader for InProcess {
    fn read(&self, job: ReadingJob) -> Result<ReadDocument, ReaderFault> {
        let bytes = hex::encode(Sha256::digest(&job.bytes));
        apart(&bytes, PATIENCE, move || whole(&job))
    }

    fn comment(&self, job: CommentingJob) -> Result<Commented, ReaderFault> {
        let bytes = hex::encode(Sha256::digest(&job.bytes));
        apart(&bytes, PATIENCE, move || commented(&job))
    }

    fn returned(&self, bytes: Vec<u8>) -> Result<ReturnedDocument, ReaderFault> {
        let digest = hex::encode(Sha256::digest(&bytes));
        apart(&digest, PATIENCE, move || returned(&bytes))
    }

    fn confinement(&self) -> Result<Confinement, ReaderFault> {
        Ok(Confinement { missing: vec!["a process of its own".into()], ..Confinement::default() })
    }
}

/// Reads a document on this thread.
pub(super) fn whole(job: &ReadingJob) -> Result<ReadDocument, ReaderFault> {
    let document = documents::read(&job.name, &job.bytes, job.purpose)?;
    let facts = match job.purpose {
        ReadingPurpose::Research => documents::page_facts(&job.name, &job.bytes),
        _ => PageFacts::default(),
    };
    Ok(ReadDocument { document, facts })
}

/// Puts comments into a document on this thread.
pub(super) fn commented(job: &CommentingJob) -> Result<Commented, ReaderFault> {
    Ok(documents::with_comments(&job.bytes, &job.comments, &job.at)?)
}

/// Reads a document that came back, on this thread.
pub(super) fn returned(bytes: &[u8]) -> Result<ReturnedDocument, ReaderFault> {
    Ok(documents::read_returned(bytes)?)
}

/// The digests of the documents whose readers took too long and have not ended.
static STUCK: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

fn stuck() -> MutexGuard<'static, BTreeSet<String>> {
    STUCK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A document that is being read. When this is dropped, it can be read again.
struct AtWork(String);

impl Drop for AtWork {
    fn drop(&mut self) {
        stuck().remove(&self.0);
    }
}

/// Runs `read` on a thread of its own and waits for as long as `patience` says.
fn apart<T: Send + 'static>(
    bytes: &str,
    patience: Duration,
    read: impl FnOnce() -> Result<T, ReaderFault> + Send + 'static,
) -> Result<T, ReaderFault> {
    if stuck().contains(bytes) {
        return Err(ReaderFault::Stuck);
    }
    quiet();
    let (done, wait) = mpsc::channel();
    let at_work = AtWork(bytes.to_owned());
    let started = thread::Builder::new().name(NAME.into()).stack_size(STACK).spawn(move || {
        // `done` is dropped before `_at_work`. A caller that finds no answer under the lock can thus still note that the document is
        // stuck.
        let _at_work = at_work;
        let done = done;
        // If it took too long, the caller has gone.
        let _ = done.send(read());
    });
    started.map_err(|error| ReaderFault::NoReader(format!("it cannot be read now: {error}")))?;
    wait.recv_timeout(patience).unwrap_or_else(|error| {
        let mut stuck = stuck();
        // It may have ended just now.
        wait.try_recv().unwrap_or_else(|now| {
            let late = error == mpsc::RecvTimeoutError::Timeout && now == mpsc::TryRecvError::Empty;
            if late {
                stuck.insert(bytes.to_owned());
                Err(ReaderFault::Slow)
            } else {
                Err(ReaderFault::Died)
            }
        })
    })
}

/// A document that makes its reader panic is reported as an error, so the panic itself is not printed.
fn quiet() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if thread::current().name() != Some(NAME) {
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
        let broken = apart("broken", PATIENCE, || -> Result<(), ReaderFault> { panic!("a reader's own fault") });
        assert!(matches!(broken, Err(ReaderFault::Died)));
    }

    #[test]
    fn a_file_whose_reader_takes_too_long_is_read_again_once_that_has_ended() {
        let (end, ended) = mpsc::channel::<()>();
        let soon = Duration::from_millis(20);
        let slow = apart("slow", soon, move || {
            let _ = ended.recv();
            Ok(())
        });
        assert!(matches!(slow, Err(ReaderFault::Slow)));
        let read = || apart("slow", PATIENCE, || Ok(1));
        assert!(matches!(read(), Err(ReaderFault::Stuck)));
        assert_eq!(apart("other", PATIENCE, || Ok(2)).unwrap(), 2);
        end.send(()).unwrap();
        let again = (0..500).find_map(|_| {
            thread::sleep(Duration::from_millis(10));
            read().ok()
        });
        assert_eq!(again, Some(1));
    }
}
