//! The deliveries that are to leave the house, and those that have left it.

use async_trait::async_trait;

use super::{RunKey, StoreError};
use copydesk_newsroom::{StoryDelivery, StoryKey, StoryWithdrawal, TargetKind};

/// A delivery with its story and the run whose article it is.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct KeptDelivery {
    /// `channel/slug`.
    #[serde(skip)]
    pub story: String,
    /// The run's id.
    pub run: String,
    /// When it was put into the outbox: ISO 8601, UTC.
    pub queued_at: String,
    /// When it came into its state.
    pub changed_at: String,
    pub delivery: StoryDelivery,
}

/// The outbox: a row for each version of a story and each target. If a method returns, its change is durable.
#[async_trait]
pub trait Outbox: Send + Sync {
    /// The deliveries of a story, oldest first.
    async fn deliveries(&self, story: &StoryKey) -> Result<Vec<KeptDelivery>, StoreError>;

    /// Brings a delivery from the state that was `seen` (none: it is not known) to its next, with the event, in one transaction. False if it
    /// is not in that state any more: another program was quicker, and nothing is changed.
    async fn advance(
        &self,
        run: RunKey,
        seen: Option<&StoryDelivery>,
        next: StoryDelivery,
        at: &str,
    ) -> Result<bool, StoreError>;

    /// Notes that the version of a run was taken back, with the event. False if it has been already.
    async fn kill(&self, run: RunKey, withdrawal: &StoryWithdrawal) -> Result<bool, StoreError>;
}

/// Why nothing was sent, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotSent(pub String);

/// The way out for a program that asks for one: signed stories alone, to the configured targets, each version once.
#[async_trait]
pub trait DeliveryService: Send + Sync {
    /// The names of the targets, with what they are.
    fn targets(&self) -> Vec<(String, TargetKind)>;

    /// Sends a story (`channel/slug`, or a slug) to these targets. A target that got it before does not get it again.
    async fn publish(&self, story: &str, targets: Vec<String>) -> Result<Vec<StoryDelivery>, NotSent>;
}

/// A file on its way to a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parcel {
    /// The delivery's key, the same for every attempt.
    pub key: String,
    /// `channel/slug`.
    pub story: String,
    pub file_name: String,
    pub media_type: &'static str,
    pub bytes: Vec<u8>,
    /// For a mail: its subject and its text, each without any character that could end a header or reorder a line.
    pub subject: String,
    pub text: String,
    /// Whether another file in its place may be replaced.
    pub replaces: bool,
    /// SHA-256 of the files of this story that were sent there before, hex: such a file may be replaced by this one.
    pub earlier: Vec<String>,
}

/// Why it is not known that a target has a parcel.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CarryError {
    /// The target surely does not have it, and would not take it either if it were sent again.
    #[error("{0}")]
    Refused(String),
    /// The target surely does not have it, and may take it later.
    #[error("{detail}")]
    NotNow {
        detail: String,
        /// The seconds after which the target asks to be tried again.
        after: Option<u64>,
    },
    /// It may have it.
    #[error("{0}")]
    Doubtful(String),
}

/// Carries parcels to one target.
#[async_trait]
pub trait Carrier: Send + Sync {
    /// Carries one parcel, within a time of its own. Returns what the target answered.
    ///
    /// # Errors
    /// [`CarryError`] if the target has not said that it has it.
    async fn carry(&self, parcel: &Parcel) -> Result<String, CarryError>;
}
