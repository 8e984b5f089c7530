//! Work that takes a while: on another thread than the one that serves every story.

use std::{cell::Cell, marker::PhantomData};

use tokio::task::{JoinError, spawn_blocking};

thread_local! {
    static IN_STEP: Cell<bool> = const { Cell::new(false) };
}

/// As long as this lives, its thread does such work itself, and so do databases that it opens. In a simulation nothing else may happen
/// meanwhile, so that it can be played again.
#[derive(Debug)]
pub struct InStep(PhantomData<*const ()>);

impl InStep {
    /// Begins on this thread.
    #[must_use]
    pub fn begin() -> Self {
        IN_STEP.set(true);
        Self(PhantomData)
    }

    /// Whether this thread does such work itself.
    #[must_use]
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
