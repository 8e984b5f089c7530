//! The ledger over all requests: when, where, why, how much; never what they said. The time, and the reasons why a request was not sent.
//!
//! Code that works for a story states the story and the purpose of its requests once, around the work. The one place that sends reads them.
//! They are bound to the task, so that no adapter passes them on and none can forget them. A request without them goes to no other machine.

use std::sync::Arc;

use async_trait::async_trait;
use jiff::Timestamp;
use serde::Serialize;

use super::StoreError;
use copydesk_newsroom::{Secrecy, StoryKey};

/// A request as it is about to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestStart {
    /// ISO 8601, UTC.
    pub at: String,
    /// None if it is no story's.
    pub story: Option<StoryKey>,
    /// Such as `r1.review: reviewer`.
    pub why: String,
    pub host: String,
    pub port: u16,
    /// Whether the host is this machine.
    pub here: bool,
    /// Bytes of the address's path and of the body.
    pub bytes_out: u64,
}

/// The handle of a request between its beginning and its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RequestTicket(pub u64);

/// A request as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KeptRequest {
    pub at: String,
    /// `channel/slug`; none if it was no story's.
    pub story: Option<String>,
    /// Whether it was of a story that was deleted since.
    pub deleted_story: bool,
    pub why: String,
    pub host: String,
    pub port: u16,
    /// Whether it went to another machine.
    pub left: bool,
    pub bytes_out: u64,
    /// Bytes of the answer; none if it is not known.
    pub bytes_in: Option<u64>,
    /// The status, or what went wrong; none if the program ended first.
    pub outcome: Option<String>,
}

/// Keeps the requests.
#[async_trait]
pub trait RequestLedger: Send + Sync {
    /// Notes a request before it is sent. If it goes to another machine, the note is durable when this returns. One to this machine is
    /// written with the next commit after its end.
    async fn begin(&self, request: RequestStart) -> Result<RequestTicket, StoreError>;

    /// Notes how a request ended; it is written with the next commit.
    fn end(&self, ticket: RequestTicket, bytes_in: u64, outcome: &str);

    /// Notes a request that was not sent, and why not; it is written with the next commit.
    fn refuse(&self, request: RequestStart, why: &str);

    /// The requests of a story, or all, oldest first.
    async fn requests(&self, story: Option<&StoryKey>) -> Result<Vec<KeptRequest>, StoreError>;
}

tokio::task_local! {
    static OCCASION: Arc<Occasion>;
}

/// Where requests are noted, and the clock beside it.
#[derive(Clone)]
pub struct RequestBooks {
    pub ledger: Arc<dyn RequestLedger>,
    pub clock: Arc<dyn Clock>,
}

/// The purpose of a request.
#[derive(Clone, Default)]
pub struct Occasion {
    /// None if it is no story's.
    pub story: Option<StoryKey>,
    pub secrecy: Secrecy,
    /// Such as `r1.review: reviewer`.
    pub why: String,
    /// None if there is no database: in `init`, and in tests.
    pub books: Option<RequestBooks>,
}

impl Occasion {
    /// Work for no story.
    pub fn of_house(why: &str, books: Option<RequestBooks>) -> Self {
        Self { why: why.to_owned(), books, ..Self::default() }
    }

    /// The occasion of the current task; none if the task has none.
    pub fn now() -> Option<Arc<Self>> {
        OCCASION.try_with(Arc::clone).ok()
    }

    /// Does work on this occasion.
    pub fn during<F: Future>(self, work: F) -> impl Future<Output = F::Output> + use<F> {
        // In a box: the work of a whole step would make every future around it large.
        OCCASION.scope(Arc::new(self), Box::pin(work))
    }

    /// The same for work that does not wait.
    pub fn around<T>(self, work: impl FnOnce() -> T) -> T {
        OCCASION.sync_scope(Arc::new(self), work)
    }

    /// The same for an occasion that is shared; without one the work is done on none.
    pub async fn again<F: Future>(occasion: Option<Arc<Self>>, work: F) -> F::Output {
        match occasion {
            Some(occasion) => OCCASION.scope(occasion, work).await,
            None => work.await,
        }
    }
}

/// Why nothing was sent, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Withheld {
    #[error(
        "{story} is confidential, and {host} is not this machine{}. Nothing was sent. Name a server on this machine, or use `engine: \
         offline`",
        named(.setting)
    )]
    Confidential {
        story: String,
        host: String,
        /// The key that names the host; empty if none does.
        setting: String,
    },
    #[error(
        "the request to {host} would have named the person behind {label}, so it was not sent. Take the name out, or add the way it is \
         written to the aliases of {story}"
    )]
    Named { story: String, host: String, label: String },
    #[error(
        "{story} is confidential, and the program of {setting} may send on what it is given. Nothing was given to it. Set stays_home to true \
         there if the program sends nothing to other machines"
    )]
    Program { story: String, setting: String },
    #[error("what would go to {host} cannot be searched for the names that {story} hides, so it was not sent")]
    Opaque { story: String, host: String },
    #[error("the request to {host} could not be noted in the ledger, so it was not sent: {detail}")]
    Unnoted { host: String, detail: String },
    #[error("nobody said what the request to {host} is for, so it was not sent; please report this")]
    Unexplained { host: String },
}

fn named(setting: &str) -> String {
    if setting.is_empty() { String::new() } else { format!(" ({setting} names it)") }
}

impl Withheld {
    /// Whether another attempt may be sent without a change by a person.
    pub fn passes(&self) -> bool {
        matches!(self, Self::Unnoted { .. })
    }

    /// In a word or two, for the ledger.
    pub fn in_short(&self) -> &'static str {
        match self {
            Self::Confidential { .. } | Self::Program { .. } => "not sent: confidential",
            Self::Named { .. } => "not sent: a hidden name in it",
            Self::Opaque { .. } => "not sent: cannot be searched for hidden names",
            Self::Unnoted { .. } => "not sent: not noted",
            Self::Unexplained { .. } => "not sent: no reason given",
        }
    }
}

/// Tells the time. It is a trait so that a replay can set the time.
pub trait Clock: Send + Sync {
    fn now(&self) -> Timestamp;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_innermost_occasion_counts_and_another_task_has_none() {
        let why = || Occasion::now().map(|now| now.why.clone());
        let inner = async { (why(), tokio::spawn(async move { why() }).await.unwrap()) };
        let outer = async {
            let before = why();
            (before, Occasion::of_house("inner", None).during(inner).await, why())
        };
        let found = Occasion::of_house("outer", None).during(outer).await;
        let said = |why: &str| Some(why.to_owned());
        assert_eq!(found, (said("outer"), (said("inner"), None), said("outer")));
        assert_eq!(why(), None);
        assert_eq!(Occasion::again(None, async { why() }).await, None);
    }
}
