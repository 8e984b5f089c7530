//! Signed stories on their way out of the house: the release, the outbox before each attempt, the answer after it.
//!
//! The outbox has a row before anything is sent, and one key for a story's version and a target. So nothing goes out twice, however a
//! program ended, and a run that was forked, resumed or replayed sends nothing.

mod error;
mod head;
mod kill;
mod plan;
mod record;
mod send;
mod standing;

use std::{path::PathBuf, sync::Arc, time::Duration};

pub use error::DistributionError;
pub use kill::Killed;
pub use plan::Planned;
pub use send::Dispatched;
pub use standing::{PublishStanding, TargetStanding};

use super::Outputs;
use crate::{
    editorial::export::ExportFormat,
    ports::{Archive, Carrier, Clock, Outbox, Records, RequestLedger, Stories},
};

/// A target, with the carrier to it.
#[derive(Clone)]
pub struct OutTarget {
    /// Its name in the configuration.
    pub name: String,
    pub format: ExportFormat,
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
    /// The folder of the locks that keep two programs from one story.
    pub locks: PathBuf,
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
}
