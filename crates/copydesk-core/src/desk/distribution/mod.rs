//! Signed stories on their way out of the house: the release, the outbox before each attempt, the answer after it.
//!
//! The outbox has a row before anything is sent, and one key for a story's version and a target. So nothing goes out twice, however a
//! program ended, and a run that was forked, resumed or replayed sends nothing.

mod plan;
mod record;
mod send;

use std::{sync::Arc, time::Duration};

use super::{DeskError, Outputs, StoryLocks};
use crate::{
    editorial::{
        distribution::{NotReleased, NotWithdrawn},
        export::ExportFormat,
    },
    ports::{Archive, Carrier, Clock, Outbox, Records, RequestBooks, RequestLedger, StoreError, Stories},
};
use copydesk_newsroom::TargetKind;

pub use plan::{Planned, PublishStanding, TargetStanding};
pub use send::Dispatched;

/// A target, with the carrier to it.
#[derive(Clone)]
pub struct OutTarget {
    /// Its name in the configuration.
    pub name: String,
    pub format: ExportFormat,
    pub kind: TargetKind,
    /// The place, for a person: a folder, addresses, a server.
    pub place: String,
    pub carrier: Arc<dyn Carrier>,
}

/// How often something that surely did not arrive, or may arrive twice, is tried again within one command.
#[derive(Debug, Clone, Copy)]
pub struct SendRetries {
    pub most: u32,
    /// Before the first; each later one waits twice as long, up to `longest_backoff`.
    pub backoff: Duration,
    pub longest_backoff: Duration,
    /// The longest wait that a target may ask for.
    pub longest_wait: Duration,
}

/// A person's order to publish.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a word of its own that a person gives")]
pub struct PublishOrder {
    /// Names of targets; empty: all.
    pub targets: Vec<String>,
    /// The format to send instead of each target's own.
    pub format: Option<ExportFormat>,
    /// Whether versions are sent that were sent before, or may have been.
    pub again: bool,
    /// Whether other files in the place of this one are replaced.
    pub replaces: bool,
    pub despite_embargo: bool,
    /// Whether a confidential story may go to other machines, because the person said so.
    pub despite_confidence: bool,
}

/// Sends stories to the configured targets.
pub struct Distribution {
    pub archive: Arc<dyn Archive>,
    pub records: Arc<dyn Records>,
    pub outbox: Arc<dyn Outbox>,
    pub stories: Arc<dyn Stories>,
    /// Notes every request.
    pub ledger: Arc<dyn RequestLedger>,
    pub clock: Arc<dyn Clock>,
    pub outputs: Outputs,
    /// The locks that keep two programs from one story.
    pub locks: StoryLocks,
    pub targets: Vec<OutTarget>,
    /// Whether stories of `run --auto` may go without a signature.
    pub auto: bool,
    /// The name of the sender.
    pub by: String,
    pub retries: SendRetries,
}

impl Distribution {
    fn now(&self) -> String {
        format!("{:.3}", self.clock.now())
    }

    fn books(&self) -> RequestBooks {
        RequestBooks { ledger: Arc::clone(&self.ledger), clock: Arc::clone(&self.clock) }
    }
}

/// The reason why nothing was sent, and the remedy.
#[derive(Debug, thiserror::Error)]
pub enum DistributionError {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Among others, another program has the story.
    #[error(transparent)]
    Desk(#[from] DeskError),
    #[error(transparent)]
    NotReleased(#[from] NotReleased),
    #[error(
        "nothing was sent: the database is not as it was written ({flaw}). `copydesk audit verify` says what was changed, and \
         `copydesk restore` puts a backup in its place"
    )]
    Tampered { flaw: String },
    #[error("there is no target to publish to: add one to `publisher.targets` in the configuration")]
    NoTargets,
    #[error("there is no target {name:?} in `publisher.targets`; there are: {known}")]
    NoSuchTarget { name: String, known: String },
    #[error(transparent)]
    NotWithdrawn(#[from] NotWithdrawn),
    #[error("{story} was withdrawn, and no target has it, so there is no notice to send")]
    NobodyHasIt { story: String },
    #[error("{story} was withdrawn, and {target} never had it, so there is nothing to tell it")]
    NeverHad { story: String, target: String },
    #[error(
        "{target} ({place}) has {story}, which was withdrawn, and is not in `publisher.targets` any more. Add it again, or tell them \
         yourself and name the other targets with --to"
    )]
    HolderGone { story: String, target: String, place: String },
    #[error("the run {run} was deleted meanwhile")]
    RunGone { run: String },
    #[error("{story} cannot be written as a file: {detail}")]
    Unwritable { story: String, detail: String },
    #[error("another copydesk has just dealt with {target}: look at `copydesk show {story}`, then try again")]
    Overtaken { story: String, target: String },
}
