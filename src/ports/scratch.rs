//! Texts that are being typed, so that a crash or a closed terminal takes none of them away.

use async_trait::async_trait;

use super::{RunKey, StoreError};

/// A text as it was last kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    pub text: String,
    /// When it was kept: ISO 8601, UTC.
    pub at: String,
}

/// Texts that are being typed, by run and by what they are (`r1.edit`).
#[async_trait]
pub trait Scratch: Send + Sync {
    /// Keeps `text` in place of what was kept under `what`.
    async fn keep(&self, run: RunKey, what: &str, text: &str, at: &str) -> Result<(), StoreError>;

    /// What was kept.
    async fn kept(&self, run: RunKey, what: &str) -> Result<Option<Kept>, StoreError>;

    /// Forgets it; the text does not stay in the file.
    async fn forget(&self, run: RunKey, what: &str) -> Result<(), StoreError>;
}
