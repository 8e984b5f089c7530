//! Stores texts while they are typed, so that a crash or a closed terminal loses none of them.

use async_trait::async_trait;

use super::{RunKey, StoreError};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedText {
    pub text: String,
    /// When it was stored: ISO 8601, UTC.
    pub at: String,
}

/// Texts that are being typed, by run and by what they are (`r1.edit`).
#[async_trait]
pub trait Scratch: Send + Sync {
    /// Stores `text` in place of the earlier text under `what`.
    async fn keep(&self, run: RunKey, what: &str, text: &str, at: &str) -> Result<(), StoreError>;

    /// The stored text.
    async fn kept(&self, run: RunKey, what: &str) -> Result<Option<SavedText>, StoreError>;

    /// Deletes it, also from the database file.
    async fn forget(&self, run: RunKey, what: &str) -> Result<(), StoreError>;
}
