//! The text around a passage that was found.

use async_trait::async_trait;

use super::StoreError;
use copydesk_newsroom::{Passage, StoryKey};

/// The text before and after a passage.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Around {
    /// The text up to its first byte.
    pub before: String,
    /// The text after its last byte.
    pub after: String,
}

/// The texts that passages are taken from.
#[async_trait]
pub trait Texts: Send + Sync {
    /// The text before and after a passage of a story's text, or of the knowledge base if there is no story; at most `most` bytes of each.
    /// None if the text is no longer indexed or has changed.
    async fn around(
        &self,
        story: Option<&StoryKey>,
        passage: &Passage,
        most: usize,
    ) -> Result<Option<Around>, StoreError>;
}
