//! A desk on a server, where programs of many machines work.

use std::collections::HashMap;

use async_trait::async_trait;

use super::StoreError;
use copydesk_newsroom::StoryKey;

/// The locks of stories that hold for all machines, and news of what other programs commit.
#[async_trait]
pub trait SharedDesk: Send + Sync {
    /// Takes a story's lock without waiting; none if another program has it. The lock is free once the value is dropped, or the program
    /// has ended in any way.
    async fn take_lock(&self, story: &StoryKey) -> Result<Option<Box<dyn Send + Sync>>, StoreError>;

    /// The programs that hold locks of these stories, each as a person may see it: by the story's folded name.
    async fn holders(&self, stories: &[StoryKey]) -> Result<HashMap<String, String>, StoreError>;

    /// Differs from its last value if a program has committed something since. None if that is not known now.
    fn commits(&self) -> Option<u64>;
}
