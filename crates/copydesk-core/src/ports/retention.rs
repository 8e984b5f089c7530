//! Deletes data that may go after a while: prompts and answers of stories that are over, expired records of the memory.

use async_trait::async_trait;

use super::{HeldRun, StoreError};
use copydesk_newsroom::{MemoryRecord, StoryKey};

/// A story that is over: it has ended, its files are written, and no question about it is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resting {
    pub story: StoryKey,
    /// When any of its runs was last changed: ISO 8601, UTC.
    pub changed_at: String,
    /// Calls whose texts are still there.
    pub calls: u64,
    /// Passages of its texts that have vectors.
    pub vectors: u64,
}

/// The deletion of a story's data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taking {
    pub story: StoryKey,
    /// Whether the texts of its calls go.
    pub texts: bool,
    /// Folders of artifacts that were deleted, for the log.
    pub folders: u64,
}

/// The data that was freed in the database.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Freed {
    /// Calls whose texts went.
    pub calls: u64,
    /// Texts that nothing else refers to.
    pub texts: u64,
    /// Bytes that they took, as they were stored.
    pub bytes: u64,
    /// Whether nothing of them is left in the database's files, as with a deleted story.
    pub wiped: bool,
}

/// Records that went.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lapsed {
    pub records: Vec<MemoryRecord>,
    /// Those that stay under the same keys: their file may be the same.
    pub others: Vec<MemoryRecord>,
    pub freed: Freed,
}

/// Retention. With `really` false a method works out the deletion and changes nothing. As everywhere, a change is durable if the method
/// returns, and did not happen if it fails.
#[async_trait]
pub trait Retention: Send + Sync {
    /// The stories that are over, the one that has rested longest first. An open story is none, nor one that waits for its editor. Nor
    /// is a flagged story that nobody has signed and whose flags nobody has accepted.
    async fn resting(&self) -> Result<Vec<Resting>, StoreError>;

    /// A story's runs, as far as their files go.
    async fn held_runs(&self, story: &StoryKey) -> Result<Vec<HeldRun>, StoreError>;

    /// Takes the prompts and answers of stories' calls away, in one transaction; the calls stay, with digests of both, and an event of
    /// each story says so. The caller holds the stories' locks.
    async fn take_texts(&self, stories: Vec<Taking>, by: &str, at: &str, really: bool) -> Result<Freed, StoreError>;

    /// Deletes the vectors of stories' texts, in one transaction. The texts are found by their words from then on and get no vectors again.
    /// Returns the number of passages. No event is logged, because an index is not a record.
    async fn take_vectors(&self, stories: Vec<StoryKey>, really: bool) -> Result<u64, StoreError>;

    /// Deletes records of the memory whose check is older than `before` (ISO 8601, UTC, with milliseconds), with one event. A record that
    /// was struck or overruled stays, or the same verdict would be offered again; so does one that an open story made.
    async fn drop_expired(&self, before: &str, by: &str, at: &str, really: bool) -> Result<Lapsed, StoreError>;
}
