//! Reads the numbers of finished and of waiting work. It writes nothing.

use std::collections::BTreeMap;

use async_trait::async_trait;

use super::{MessageState, RunKey, ServerDown, StoreError};
use copydesk_newsroom::{AttemptEnd, Facts, Pool, RunState, Step, StoryKey};

/// The waiting messages and stories, and the servers that are down, at this moment.
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

/// A period, in parts that follow each other.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PeriodFacts {
    /// As many as there are pairs of bounds.
    pub parts: Vec<Facts>,
    /// The calls that took longest, the slowest first.
    pub slowest: Vec<SlowCall>,
}

/// A call that took long. Calls that no model was asked for are not among them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlowCall {
    pub run: RunKey,
    pub story: StoryKey,
    pub step: Step,
    pub attempt: u32,
    pub agent: String,
    pub model: String,
    pub end: AttemptEnd,
    /// Milliseconds from sent to ended.
    pub worked_ms: u64,
}

/// Numbers of the record. Every method sees the commits of every program.
#[async_trait]
pub trait FactBook: Send + Sync {
    /// The work from `from` until before `until`; both ISO 8601, UTC, to the millisecond. Deleted stories are not counted.
    async fn facts(&self, from: &str, until: &str) -> Result<Facts, StoreError> {
        let bounds = vec![from.to_owned(), until.to_owned()];
        Ok(self.period(bounds, 0).await?.parts.pop().unwrap_or_default())
    }

    /// The same for each two bounds that follow each other, read together; and the `slowest` calls between the first bound and the last.
    async fn period(&self, bounds: Vec<String>, slowest: usize) -> Result<PeriodFacts, StoreError>;

    /// The backlog at `now`, in milliseconds since 1970.
    async fn backlog(&self, now: i64) -> Result<QueueBacklog, StoreError>;
}
