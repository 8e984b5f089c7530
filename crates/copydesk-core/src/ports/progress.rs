//! The progress of a piece of work that takes longer than a moment.

use std::{fmt, sync::Arc};

/// A listener to the progress of a piece of work: how much is done, of how much in all. By default there is no listener.
#[derive(Clone, Default)]
pub struct WorkProgress(Option<Arc<dyn Fn(u64, u64) + Send + Sync>>);

impl WorkProgress {
    /// `listens` is called often, also from other threads, and must not block.
    #[must_use]
    pub fn told(listens: impl Fn(u64, u64) + Send + Sync + 'static) -> Self {
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
