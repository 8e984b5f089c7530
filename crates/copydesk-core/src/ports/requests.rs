//! The ledger over all requests: when, where, why, how much; never what they said.

use async_trait::async_trait;
use serde::Serialize;

use super::StoreError;
use copydesk_newsroom::StoryKey;

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
