//! Reads numbers of what was done, and of what waits. It writes nothing.

use std::collections::BTreeMap;

use async_trait::async_trait;

use super::{MessageState, ServerDown, StoreError};
use crate::newsroom::{Facts, Pool, RunState};

/// What waits at this moment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QueueBacklog {
    /// Messages of each pool in each state.
    pub messages: Vec<(Pool, MessageState, u64)>,
    /// Since when the message that has waited longest could be taken, by pool; milliseconds since 1970.
    pub longest: Vec<(Pool, i64)>,
    /// The current runs of stories, by state and by whether they wait for an editor.
    pub stories: BTreeMap<(&'static str, bool), u64>,
    /// The servers that get no requests now.
    pub down: Vec<ServerDown>,
}

impl QueueBacklog {
    /// How many stories are in a state.
    pub fn count_story(&mut self, state: RunState, waits: bool, number: u64) {
        *self.stories.entry((state.as_str(), waits)).or_default() += number;
    }
}

/// Numbers of the record. Every method sees the commits of every program.
#[async_trait]
pub trait FactBook: Send + Sync {
    /// The work from `from` until before `until`; both ISO 8601, UTC, to the millisecond. Work that was deleted since
    /// is not counted.
    async fn facts(&self, from: &str, until: &str) -> Result<Facts, StoreError>;

    /// What waits now; milliseconds since 1970.
    async fn backlog(&self, now: i64) -> Result<QueueBacklog, StoreError>;
}
