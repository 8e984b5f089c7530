//! The queue: the steps that may be worked on, how urgent they are, which worker has each, and until when.
//!
//! A message is one step of one story. It changes in the same commit as its step's output ([`super::Commit`]), and a worker takes the
//! next steps in the same transaction. Journals do not depend on messages: a lost message is created again from the journal.
//!
//! Times are milliseconds since 1970 by the machine's clock.

use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;

use super::{Budget, Intent, RunKey, StoreError, Unfinished};
use copydesk_newsroom::{Agent, CallKey, Event, Pool, Priority, Step, StoryKey, named};

/// A step to be done.
#[derive(Debug, Clone, PartialEq)]
pub struct QueuedStep {
    /// The step; none for any step that is ready, and for the files of a run that has ended.
    pub step: Option<Step>,
    /// The kind of work, which has its own slots.
    pub pool: Pool,
    /// The agent whose model is asked; none if no model is.
    pub asks: Option<Agent>,
    /// Whether the worker holds it already.
    pub taken: bool,
    /// The earliest time to start it; none: at once.
    pub not_before: Option<i64>,
    /// Failed attempts of this delivery.
    pub attempts: u32,
    /// How often the step was delivered again.
    pub redeliveries: u32,
    /// The most tokens that its call may use, estimated before it is made.
    pub tokens: u64,
    /// The record to write if a worker takes it in the same commit.
    pub start: Option<Start>,
    /// Why it is delivered again, or why it failed.
    pub error: Option<String>,
}

impl QueuedStep {
    /// A step that may start at once.
    pub fn new(step: Option<Step>, pool: Pool) -> Self {
        Self {
            step,
            pool,
            asks: None,
            taken: false,
            not_before: None,
            attempts: 0,
            redeliveries: 0,
            tokens: 0,
            start: None,
            error: None,
        }
    }
}

/// The record that is written before a call is made.
#[derive(Debug, Clone, PartialEq)]
pub enum Start {
    /// A new call, with its event.
    Call(Box<Intent>, Event),
    /// A call that was under way at an interruption.
    Repeat(CallKey, Event),
    /// A call of a tool that acts: its event, from which [`super::StoredRun::acts`] knows it.
    Act(Event),
}

/// A server's reaction to a call, for its limits and its circuit breaker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerNews {
    /// The host with its port.
    pub server: String,
    pub what: ServerDid,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServerDid {
    Answered {
        /// The step that asked.
        step: Step,
        /// Tokens sent and received, if the server reported them.
        tokens: Option<u64>,
    },
    /// It could not be reached, gave no answer in time, or said that it is broken.
    Failed { error: String },
    /// It asks for no requests until then.
    Busy { until: i64 },
}

/// The changes of a commit to its run's messages.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct QueueChanges {
    /// Steps that are finished.
    pub done: Vec<Option<Step>>,
    /// Whether to remove all messages of the run, except those that are added now.
    pub clear: bool,
    /// Steps to add, in order.
    pub put: Vec<QueuedStep>,
    /// A step that failed after its last retry.
    pub dead: Option<QueuedStep>,
    pub heard: Vec<ServerNews>,
    /// When the story entered the queue; none: now.
    pub arrived: Option<i64>,
}

/// A step that a worker has taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    pub run: RunKey,
    /// The step; none for any step that is ready.
    pub step: Option<Step>,
    /// The kind of work, which has its own slots.
    pub pool: Pool,
    /// Failed attempts of this delivery.
    pub attempts: u32,
    /// How often the step was delivered again.
    pub redeliveries: u32,
    /// When the story entered the queue.
    pub arrived: i64,
    /// Since when it could be taken.
    pub ready: i64,
}

/// Whether there is a slot for a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    /// There is one, and it is reserved.
    Admitted,
    /// Its pool is full.
    PoolFull,
    /// The worker has as many stories as it can take.
    StoriesFull,
}

/// The limits of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerLimits {
    /// The host with its port.
    pub server: String,
    pub at_once: u32,
    /// Requests in a minute.
    pub per_minute: Option<u32>,
    /// Tokens in a minute.
    pub tokens_per_minute: Option<u64>,
}

/// The circuit breaker: when a failing server gets no requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Breaker {
    /// It opens after this many failures in a row; 0: never.
    pub failures: u32,
    /// The first rest. It doubles after each probe that fails.
    pub rest: Duration,
    /// The longest rest.
    pub longest: Duration,
}

/// A worker's slots. The queue asks for them in the transaction that takes steps.
pub trait Slots: Send + Sync {
    /// The worker's name, which is unique.
    fn worker(&self) -> &str;
    /// How long a lease lasts unless the worker renews it.
    fn lease(&self) -> Duration;
    /// The pins of the runs that the worker resumes; it takes no others.
    fn pins(&self) -> &str;
    /// The only story that it works on, `channel/slug` in lower case; none for all stories.
    fn only(&self) -> Option<&str>;
    /// Releases the slots of finished steps, and those that an earlier try of the transaction reserved. Called before the first
    /// [`Slots::admit`] of each try.
    fn give_back(&self);
    /// Reserves a slot for a step, if there is one.
    fn admit(&self, run: RunKey, step: Option<Step>, pool: Pool) -> Admission;
    /// The limits of the server that the agent of this name asks; none if the worker knows no such agent.
    fn limits(&self, asks: &str) -> Option<ServerLimits>;
    /// If a step has waited longer than this time, the longest-waiting step comes first; none: the most urgent does. It changes when a step
    /// is admitted.
    fn ageing(&self) -> Option<Duration>;
    fn breaker(&self) -> Breaker;
    fn budget(&self) -> &Budget;
}

/// The work in the queue for a worker.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Outlook {
    /// Whether a step can be taken.
    pub waiting: bool,
    /// When the next step that must wait, or that could not be taken at the last look, can be taken.
    pub due: Option<i64>,
    /// Whether a worker has a step.
    pub leased: bool,
}

/// The state of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr, strum::EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum MessageState {
    /// It can be taken.
    Waiting,
    Later,
    /// A worker has it.
    Leased,
    /// A person stopped or paused the story.
    Held,
    /// It failed.
    Dead,
}

named!(MessageState);

impl MessageState {
    pub const ALL: [Self; 5] = [Self::Waiting, Self::Later, Self::Leased, Self::Held, Self::Dead];
}

/// A message as lists show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueuedMessage {
    pub id: i64,
    pub run: RunKey,
    pub run_id: String,
    pub story: StoryKey,
    /// The step; none for any step that is ready.
    pub step: Option<Step>,
    /// The kind of work, which has its own slots.
    pub pool: Pool,
    pub state: MessageState,
    /// The priority of its story.
    pub priority: Priority,
    /// When it got into this state.
    pub since: i64,
    /// When it may be taken.
    pub not_before: Option<i64>,
    /// How often it was delivered again.
    pub redeliveries: u32,
    /// The worker that has it.
    pub worker: Option<String>,
    /// Why it was delivered again, or why it failed.
    pub error: Option<String>,
}

impl QueuedMessage {
    /// When it got into this state: ISO 8601, UTC.
    pub fn stands_since(&self) -> String {
        Timestamp::from_millisecond(self.since).map_or_else(|_| self.since.to_string(), |since| format!("{since:.3}"))
    }
}

/// A server that gets no requests for now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerDown {
    /// The host with its port.
    pub server: String,
    /// When it went down; none if it only asked for a pause.
    pub since: Option<i64>,
    /// When it is tried again.
    pub until: i64,
    /// Its last error.
    pub error: Option<String>,
}

/// A worker's lease on steps of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leased {
    pub run: RunKey,
    pub story: StoryKey,
    pub worker: String,
    /// When it took the latest of the steps.
    pub since: i64,
    /// When the lease runs out unless it is renewed.
    pub until: i64,
}

impl Leased {
    /// Whether the lease has run out by `now`. One that ends later than any can was written before the clock was set back.
    pub fn has_run_out(&self, now: i64, length: Duration) -> bool {
        let length = i64::try_from(length.as_millis()).unwrap_or(i64::MAX);
        self.until < now || self.until > now.saturating_add(length.saturating_mul(2))
    }
}

/// A server's failures.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Failing {
    /// The number of failures in a row.
    pub failures: u32,
    /// Whether its rest has ended, so that the next call probes whether it is back.
    pub probed: bool,
}

/// The queue. If a method returns, its change is durable; if it fails, nothing was changed.
#[async_trait]
pub trait Queue: Send + Sync {
    /// Takes the steps that there are slots for: the most urgent first, then the oldest. Steps whose time has come by `now` can be taken,
    /// too.
    async fn take(&self, slots: std::sync::Arc<dyn Slots>, now: i64) -> Result<Vec<Taken>, StoreError>;

    /// The first part of [`Queue::take`]: steps whose time has come become ready.
    async fn wake(&self, now: i64) -> Result<(), StoreError>;

    /// The steps that [`Queue::take`] would find for `worker`, so none of a story that another one works on. It writes nothing.
    async fn outlook(&self, worker: &str, pins: &str, only: Option<&str>) -> Result<Outlook, StoreError>;

    /// Puts back the steps of a run that `worker` has, not to be taken before `not_before`.
    async fn put_back(&self, worker: &str, run: RunKey, not_before: Option<i64>, now: i64) -> Result<(), StoreError>;

    /// Puts back all steps that `worker` has.
    async fn put_all_back(&self, worker: &str, now: i64) -> Result<(), StoreError>;

    /// Removes the steps of a run that `worker` has: there is nothing left to do.
    async fn take_out(&self, worker: &str, run: RunKey) -> Result<(), StoreError>;

    /// Renews the leases of `worker` until then.
    async fn renew(&self, worker: &str, until: i64) -> Result<(), StoreError>;

    /// The leases of all workers.
    async fn leases(&self) -> Result<Vec<Leased>, StoreError>;

    /// Begins a new generation of a story's lease: a program that works on the story can commit nothing more of it.
    async fn pass_on(&self, story: &StoryKey) -> Result<(), StoreError>;

    /// Frees the steps of a run that `worker` had, because it has ended. Steps that another worker has taken since stay with that worker.
    async fn release(&self, worker: &str, run: RunKey, now: i64) -> Result<(), StoreError>;

    /// Adds a message for each unfinished run that has no message and waits for no person. There should be none, and none must get stuck.
    async fn mend(&self, pins: &str, now: i64) -> Result<(), StoreError>;

    /// Holds the steps of a run that no worker has. They are not taken until the run is resumed.
    async fn hold(&self, run: RunKey, now: i64) -> Result<(), StoreError>;

    /// Resumes a run: workers with these pins can take it, whatever its messages were. A run without a message gets one.
    async fn resume(&self, run: RunKey, pins: &str, now: i64) -> Result<(), StoreError>;

    /// An unfinished run; none if it has ended and its files are written, or if another run has replaced it.
    async fn unfinished_run(&self, run: RunKey) -> Result<Option<Unfinished>, StoreError>;

    /// The messages in that state, or all, in the order in which they would be taken.
    async fn messages(&self, state: Option<MessageState>) -> Result<Vec<QueuedMessage>, StoreError>;

    /// Drops a failed step of a run and logs the event. False if there is none.
    async fn drop_dead(&self, run: RunKey, step: Step, by: &str, reason: &str, at: &str) -> Result<bool, StoreError>;

    /// A server's failures until now.
    async fn failing(&self, server: &str, now: i64) -> Result<Failing, StoreError>;

    /// The servers that get no requests at that time.
    async fn servers_down(&self, now: i64) -> Result<Vec<ServerDown>, StoreError>;
}
