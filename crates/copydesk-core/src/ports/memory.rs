//! The institutional memory: looked up by runs; listed, struck, restored and filled from files by an editor.

use async_trait::async_trait;

use super::{RunKey, StoreError};
use copydesk_newsroom::{MemoryRecord, Usage};

/// Who struck a record, when and why.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Strike {
    pub by: String,
    /// When: ISO 8601, UTC.
    pub at: String,
    /// The reason; never empty.
    pub reason: String,
}

/// Whether a record may be offered. Its age is not considered here, because that depends on the time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordState {
    Offered,
    /// An editor overruled its verdict at a gate.
    Overruled,
    Struck(Strike),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remembered {
    pub record: MemoryRecord,
    /// The run that made it; none if it was imported.
    pub run: Option<String>,
    pub standing: RecordState,
}

impl Remembered {
    /// Its state in a word: `offered`, `outdated` if an earlier version made it, `expired` if the check is older than `since`, `overruled`
    /// or `struck`.
    pub fn state(&self, since: Option<&str>) -> &'static str {
        match &self.standing {
            RecordState::Struck(_) => "struck",
            RecordState::Overruled => "overruled",
            RecordState::Offered if self.record.is_expired(since) => "expired",
            RecordState::Offered if self.record.is_outdated() => "outdated",
            RecordState::Offered => "offered",
        }
    }

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
    /// The readable records, the latest check first.
    pub records: Vec<Remembered>,
    /// The number of further records that cannot be read.
    pub unreadable: usize,
}

/// The result for an imported record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Imported {
    /// It was added and may be offered.
    New,
    /// It was added but is not offered, because an editor overruled or struck an equal one.
    Struck,
    /// The memory had it already.
    Known,
}

/// The institutional memory. If a method returns, its change is durable; if it fails, nothing was changed.
#[async_trait]
pub trait Memory: Send + Sync {
    /// The latest record under this key that may be offered: it is neither overruled nor struck, and not older than `since` (ISO 8601, UTC,
    /// with milliseconds), if that is given.
    async fn recall(&self, cache_key_hash: &str, since: Option<&str>) -> Result<Option<MemoryRecord>, StoreError>;

    /// The records that a run has made.
    async fn records_of(&self, run: RunKey) -> Result<Vec<MemoryRecord>, StoreError>;

    /// The records under keys that begin with `hash`; all if it is empty.
    async fn book(&self, hash: &str) -> Result<Book, StoreError>;

    /// Strikes the records under a key and logs the event. Returns how many were not struck before.
    async fn strike(&self, cache_key_hash: &str, strike: Strike) -> Result<u64, StoreError>;

    /// Restores the struck records under a key and logs the event; an overruled record stays overruled. Returns how many were struck.
    async fn restore(&self, cache_key_hash: &str, by: &str, at: &str) -> Result<u64, StoreError>;

    /// Imports records in one transaction, with one event. Returns the result for each.
    async fn import(&self, records: Vec<MemoryRecord>, by: &str, at: &str) -> Result<Vec<Imported>, StoreError>;

    /// The tokens of the calls behind a record; none if the run that made it is no longer known, or made no calls.
    async fn spent_on(&self, record: &MemoryRecord) -> Result<Option<Usage>, StoreError>;
}
