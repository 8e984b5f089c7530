//! The text around a passage that was found.

use async_trait::async_trait;

use super::StoreError;
use crate::newsroom::{Passage, StoryKey};

/// What stands around a passage in its text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Around {
    /// Up to its first byte.
    pub before: String,
    /// From behind its last byte on.
    pub after: String,
}

/// The texts that passages are stretches of.
#[async_trait]
pub trait Texts: Send + Sync {
    /// What stands before and behind a passage of a story's text, or of the knowledge base if there is no story; at most `most` bytes of
    /// either. None if the text is not indexed any more, or is another one by now.
    async fn around(
        &self,
        story: Option<&StoryKey>,
        passage: &Passage,
        most: usize,
    ) -> Result<Option<Around>, StoreError>;
}
