//! Tells a screen or a log what the desk does, and how far a piece of work is. Runs long work on another thread.

use std::{cell::Cell, fmt, marker::PhantomData, sync::Arc};

use tokio::task::{JoinError, spawn_blocking};

use copydesk_newsroom::{EventRecord, Step, StoryKey};

/// Receives the desk's events. It must not block, because it is called between steps.
pub trait Watch: Send + Sync {
    /// An event was committed.
    fn happened(&self, record: &EventRecord);

    /// A piece of an answer arrived; nothing is committed yet.
    fn heard(&self, _story: &StoryKey, _step: Step, _text: &str) {}
}

/// A listener to the progress of a piece of work: how much is done, of how much in all. By default there is no listener.
#[derive(Clone, Default)]
pub struct WorkProgress(Option<Arc<dyn Fn(u64, u64) + Send + Sync>>);

impl WorkProgress {
    /// `listens` is called often, also from other threads, and must not block.
    pub fn reporting_to(listens: impl Fn(u64, u64) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(listens)))
    }

    /// Tells the listener how much is done, of how much in all.
    pub fn at(&self, done: u64, all: u64) {
        if let Some(listens) = &self.0 {
            listens(done, all);
        }
    }
}

impl fmt::Debug for WorkProgress {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(if self.0.is_some() { "WorkProgress(told)" } else { "WorkProgress(nobody listens)" })
    }
}

thread_local! {
    static IN_STEP: Cell<bool> = const { Cell::new(false) };
}

/// As long as this lives, its thread does such work itself, and so do databases that it opens. In a simulation nothing else may happen
/// meanwhile, so that it can be played again.
#[derive(Debug)]
pub struct InStep(PhantomData<*const ()>);

impl InStep {
    /// Begins on this thread.
    pub fn begin() -> Self {
        IN_STEP.set(true);
        Self(PhantomData)
    }

    /// Whether this thread does such work itself.
    pub fn holds() -> bool {
        IN_STEP.get()
    }
}

impl Drop for InStep {
    fn drop(&mut self) {
        IN_STEP.set(false);
    }
}

/// Does `work` on another thread and waits for it.
///
/// # Errors
/// If it panicked.
pub async fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, JoinError> {
    if InStep::holds() { Ok(work()) } else { spawn_blocking(work).await }
}
