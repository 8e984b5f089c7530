//! The queue: which step of which story may be worked on, how urgently, by whom and until when.
//!
//! A message is one step of one story. It changes in the commit that its step's output is in ([`super::Commit`]), and a worker takes
//! what comes next in the same transaction. No journal depends on it: what is lost here is put in again from the journal.
//!
//! Times are milliseconds since 1970 by the machine's clock.

use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;

use super::{Budget, Intent, RunKey, StoreError, Unfinished};
use crate::newsroom::{Agent, CallKey, Event, Pool, Priority, Step, StoryKey};

/// A step to be done.
#[derive(Debug, Clone, PartialEq)]
pub struct Put {
    /// The step; none for whatever is ready, and for the files of a run that has ended.
    pub step: Option<Step>,
    /// Whose work it is.
    pub pool: Pool,
    /// Whose model is asked; none if none is.
    pub asks: Option<Agent>,
    /// Whether the worker has it already.
    pub taken: bool,
    /// Not before then; none: at once.
    pub not_before: Option<i64>,
    /// Attempts of this delivery that were no use.
    pub attempts: u32,
    /// How often the step was put in again.
    pub redeliveries: u32,
    /// Tokens that its call may use, reckoned before it is made.
    pub tokens: u64,
    /// What is written if a worker takes it in the same commit.
    pub start: Option<Start>,
    /// Why it is put in again.
    pub error: Option<String>,
}

impl Put {
    /// A step that may be done at once.
    #[must_use]
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

/// What is written before a call is made.
#[derive(Debug, Clone, PartialEq)]
pub enum Start {
    /// A new call, with its event.
    Call(Box<Intent>, Event),
    /// A call that was in flight at an interruption.
    Repeat(CallKey, Event),
}

/// A step that could not be done and is given up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dead {
    pub step: Step,
    /// Whose model was asked.
    pub asks: Option<Agent>,
    /// How often it was put in again.
    pub redeliveries: u32,
    pub error: String,
}

/// What a server did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerNews {
    /// The host with its port.
    pub server: String,
    pub what: ServerDid,
}

/// See [`ServerNews`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServerDid {
    Answered {
        /// The step that asked.
        step: Step,
        /// Tokens sent and received, if it said so.
        tokens: Option<u64>,
    },
    /// It could not be reached, gave no answer in time, or said that it is broken.
    Failed { error: String },
    /// It asks to be left alone until then.
    Busy { until: i64 },
}

/// What a commit does to its run's messages.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Dealings {
    /// Steps that are over.
    pub done: Vec<Option<Step>>,
    /// Whether all messages of the run are over but those that are put in now.
    pub clear: bool,
    /// Steps to be done, in order.
    pub put: Vec<Put>,
    /// A step that is given up.
    pub dead: Option<Dead>,
    pub heard: Vec<ServerNews>,
    /// When the story came into the queue; none: now.
    pub arrived: Option<i64>,
}

/// A step that a worker has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    pub run: RunKey,
    /// The step; none for whatever is ready.
    pub step: Option<Step>,
    /// Whose work it is.
    pub pool: Pool,
    /// Attempts of this delivery that were no use.
    pub attempts: u32,
    /// How often the step was put in again.
    pub redeliveries: u32,
    /// When the story came into the queue.
    pub arrived: i64,
}

/// Whether there is a slot for a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    /// There is, and it is kept.
    Admitted,
    /// Its pool is full.
    PoolFull,
    /// No other story can be worked on.
    StoriesFull,
}

/// What a server may be asked of at most.
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

/// When a server that fails is left alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Breaker {
    /// After so many failures, one after the other; 0: never.
    pub failures: u32,
    /// For so long at first, twice as long after each probe that fails.
    pub rest: Duration,
    /// At most so long.
    pub longest: Duration,
}

/// A worker's slots, asked within the transaction that takes.
pub trait Room: Send + Sync {
    /// The worker's name; no other has it.
    fn worker(&self) -> &str;
    /// How long a step is the worker's unless it says that it is still at it.
    fn lease(&self) -> Duration;
    /// The pins of the runs that the worker resumes; others it does not take.
    fn pins(&self) -> &str;
    /// The one story that it works on, `channel/slug` in lower case; none for all.
    fn only(&self) -> Option<&str>;
    /// Gives back the slots of the steps that are over. Called once, before the first [`Room::admit`].
    fn give_back(&self);
    /// Keeps a slot for a step, if there is one.
    fn admit(&self, run: RunKey, step: Option<Step>, pool: Pool) -> Admission;
    /// The limits of the server that the agent of this name asks; none if the worker knows no such agent.
    fn limits(&self, asks: &str) -> Option<ServerLimits>;
    /// Whether it is the turn of a step that has waited longest, if one has waited since before `now` less the time that this
    /// returns; none: of the most urgent. It is until a step was admitted.
    fn ageing(&self) -> Option<Duration>;
    /// When servers are left alone.
    fn breaker(&self) -> Breaker;
    /// What may be used.
    fn budget(&self) -> &Budget;
}

/// What is in the queue for a worker.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Outlook {
    /// Whether a step can be taken.
    pub waiting: bool,
    /// When the next one can be that may not be yet, or could not be when it was last looked.
    pub due: Option<i64>,
}

/// How a message stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageState {
    /// It can be taken.
    Waiting,
    Later,
    /// A worker has it.
    Leased,
    /// A person stopped or paused the story.
    Held,
    /// It was given up.
    Dead,
}

impl MessageState {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Waiting, Self::Later, Self::Leased, Self::Held, Self::Dead];

    /// Its name in the database and for programs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Later => "later",
            Self::Leased => "leased",
            Self::Held => "held",
            Self::Dead => "dead",
        }
    }
}

/// A message as lists show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueuedMessage {
    pub id: i64,
    pub run: RunKey,
    pub run_id: String,
    pub story: StoryKey,
    /// The step; none for whatever is ready.
    pub step: Option<Step>,
    /// Whose work it is.
    pub pool: Pool,
    pub state: MessageState,
    /// How urgent its story is.
    pub priority: Priority,
    /// Since when it stands so.
    pub since: i64,
    /// When it may be taken.
    pub not_before: Option<i64>,
    /// How often it was put in again.
    pub redeliveries: u32,
    /// The worker that has it.
    pub worker: Option<String>,
    /// Why it was put in again, or given up.
    pub error: Option<String>,
}

impl QueuedMessage {
    /// Since when it stands so: ISO 8601, UTC.
    #[must_use]
    pub fn stands_since(&self) -> String {
        Timestamp::from_millisecond(self.since).map_or_else(|_| self.since.to_string(), |since| format!("{since:.3}"))
    }
}

/// A server that is left alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerDown {
    /// The host with its port.
    pub server: String,
    /// Since when; none if it only asked for a pause.
    pub since: Option<i64>,
    /// When it is tried again.
    pub until: i64,
    /// What it said last.
    pub error: Option<String>,
}

/// What a worker has of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leased {
    pub run: RunKey,
    pub story: StoryKey,
    pub worker: String,
    /// Since when it has the last of it.
    pub since: i64,
}

/// How a server has failed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Failing {
    /// How often, one time after the other.
    pub failures: u32,
    /// Whether it was down and has rested: the call that is made now finds out whether it is back.
    pub probed: bool,
}

/// The queue. As everywhere: what a method returns from is durable, what it fails at did not happen.
#[async_trait]
pub trait Queue: Send + Sync {
    /// Takes what there is room for, the most urgent first, then who came first. Steps whose time has come and leases that ran out
    /// by `now` can be taken again from then on.
    async fn take(&self, room: std::sync::Arc<dyn Room>, now: i64) -> Result<Vec<Taken>, StoreError>;

    /// What [`Queue::take`] does before it takes: steps whose time has come can be taken again.
    async fn wake(&self, room: std::sync::Arc<dyn Room>, now: i64) -> Result<(), StoreError>;

    /// What [`Queue::take`] would find. Writes nothing.
    async fn outlook(&self, pins: &str, only: Option<&str>) -> Result<Outlook, StoreError>;

    /// Puts back what `worker` has of a run, not to be taken before then.
    async fn put_back(&self, worker: &str, run: RunKey, not_before: Option<i64>, now: i64) -> Result<(), StoreError>;

    /// Puts back whatever `worker` has.
    async fn put_all_back(&self, worker: &str, now: i64) -> Result<(), StoreError>;

    /// Takes out what `worker` has of a run: nothing of it is to be done.
    async fn take_out(&self, worker: &str, run: RunKey) -> Result<(), StoreError>;

    /// What `worker` has stays its own until then.
    async fn renew(&self, worker: &str, until: i64) -> Result<(), StoreError>;

    /// Which worker has which run.
    async fn leases(&self) -> Result<Vec<Leased>, StoreError>;

    /// `worker` is no more: what it had of a run can be taken. What another has taken since stays that one's.
    async fn release(&self, worker: &str, run: RunKey, now: i64) -> Result<(), StoreError>;

    /// Puts runs in that are unfinished, wait for nobody and have no message: none should be, and none is to be stuck for that.
    async fn mend(&self, pins: &str, now: i64) -> Result<(), StoreError>;

    /// Holds what nobody has of a run: it is not taken until it is resumed.
    async fn hold(&self, run: RunKey, now: i64) -> Result<(), StoreError>;

    /// Lets a run be taken by workers with these pins, whatever had become of its messages; puts it in if it has none.
    async fn let_go(&self, run: RunKey, pins: &str, now: i64) -> Result<(), StoreError>;

    /// How a run stands; none if it is over, files and all, or another has taken its place.
    async fn unfinished_run(&self, run: RunKey) -> Result<Option<Unfinished>, StoreError>;

    /// The messages in that state, or all, as they would be taken.
    async fn messages(&self, state: Option<MessageState>) -> Result<Vec<QueuedMessage>, StoreError>;

    /// Takes a step of a run out that was given up, with its event. False if there is none.
    async fn drop_dead(&self, run: RunKey, step: Step, by: &str, reason: &str, at: &str) -> Result<bool, StoreError>;

    /// How a server has failed until now.
    async fn failing(&self, server: &str, now: i64) -> Result<Failing, StoreError>;

    /// Servers that are left alone at that time.
    async fn servers_down(&self, now: i64) -> Result<Vec<ServerDown>, StoreError>;
}
