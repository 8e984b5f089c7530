//! The institutional memory as an editor looks after it: what it holds, what is struck out of it, what comes in from files.

use async_trait::async_trait;

use super::StoreError;
use crate::newsroom::{MemoryRecord, Usage};

/// Who took a record out of use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Strike {
    pub by: String,
    /// When: ISO 8601, UTC.
    pub at: String,
    /// Why; never empty.
    pub reason: String,
}

/// Whether a record may be offered. That it is too old is not said here: that depends on the hour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordState {
    Offered,
    /// An editor overruled its verdict at the gate of a story.
    Overruled,
    /// An editor struck it.
    Struck(Strike),
}

/// A record as the memory has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remembered {
    /// What was checked and found.
    pub record: MemoryRecord,
    /// The run that made it; none if it was imported.
    pub run: Option<String>,
    /// Whether it may be offered.
    pub standing: RecordState,
}

impl Remembered {
    /// How it stands, in a word: `offered`, `expired` if the check is older than `since`, `overruled` or `struck`.
    #[must_use]
    pub fn state(&self, since: Option<&str>) -> &'static str {
        match &self.standing {
            RecordState::Struck(_) => "struck",
            RecordState::Overruled => "overruled",
            RecordState::Offered if self.record.is_expired(since) => "expired",
            RecordState::Offered => "offered",
        }
    }

    /// Who struck it, if somebody did.
    #[must_use]
    pub fn strike(&self) -> Option<&Strike> {
        match &self.standing {
            RecordState::Struck(strike) => Some(strike),
            RecordState::Offered | RecordState::Overruled => None,
        }
    }
}

/// Records of the memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Book {
    /// Those that can be read, the latest check first.
    pub records: Vec<Remembered>,
    /// How many more there are that cannot be read.
    pub unreadable: usize,
}

/// What became of a record that was to be imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Imported {
    /// It is in the memory now and may be offered.
    New,
    /// It is in the memory now and is not offered: an editor overruled or struck one that says the same.
    Struck,
    /// The memory had it already.
    Known,
}

/// Looking after the memory. As everywhere: what a method returns from is durable, what it fails at did not happen.
#[async_trait]
pub trait MemoryBook: Send + Sync {
    /// All that the memory holds.
    async fn book(&self) -> Result<Book, StoreError>;

    /// What it holds under keys that begin with `hash`.
    async fn book_under(&self, hash: &str) -> Result<Book, StoreError>;

    /// Strikes the records under a key, with the event. Returns how many of them nobody had struck before.
    async fn strike(&self, cache_key_hash: &str, strike: Strike) -> Result<u64, StoreError>;

    /// Takes the striking of the records under a key back, with the event; one that was overruled stays so. Returns how many
    /// were struck.
    async fn restore(&self, cache_key_hash: &str, by: &str, at: &str) -> Result<u64, StoreError>;

    /// Keeps records that no run of this desk made, in one transaction, with one event. Says of each what became of it.
    async fn import(&self, records: Vec<MemoryRecord>, by: &str, at: &str) -> Result<Vec<Imported>, StoreError>;

    /// The tokens that the calls behind a record took; none if the run that made it is not known here any more, or made none.
    async fn spent_on(&self, record: &MemoryRecord) -> Result<Option<Usage>, StoreError>;
}
