//! The desk: takes a story from its topic to its canonical article, step by step, and resumes where it stopped.
//!
//! It decides nothing about text: `editorial` and the agents do. It performs no I/O except through ports and the files
//! that a run leaves. The journal is its only state: the contents of memory here can be lost at any moment.

mod calls;
mod claims;
mod commit;
mod decide;
mod delete;
mod derive;
mod distribution;
mod driver;
mod error;
mod examined;
mod failed_step;
mod files;
mod in_hand;
mod lock;
mod look_up;
mod memory;
mod next;
mod open;
mod opening;
mod opinion;
mod outputs;
mod pools;
mod queue_worker;
mod reached;
mod rejection;
mod replay;
mod retention;
mod retrieve;
mod run;
mod servers;
mod settle;
mod setup;
mod trial;
mod words;
mod work;
mod writable;

pub use decide::{Forked, ForkedAnswer, RecordedDecision};
pub use delete::{Deletion, delete, is_held};
pub use distribution::{
    Dispatched, Distribution, DistributionError, Killed, OutTarget, Planned, PublishOrder, PublishStanding,
    SendRetries, TargetStanding,
};
pub use error::DeskError;
pub use failed_step::{FailedStep, Happening, drop_failed_step, failed_steps};
pub use memory::import;
pub use opening::{Assignment, Replaces};
pub use outputs::{Outputs, Rejection};
pub use pools::QueueRules;
pub use queue_worker::{Ending, QueueWorker, WorkScope, WorkerNews};
pub use reached::{Ended, Reached, Waiting};
pub use rejection::reject;
pub use replay::{Replayed, replay};
pub use retention::{Policy, Really, Swept, SweptStory, sweep};
pub use setup::{Desk, ResearchSettings, RetrievalRules};
pub use trial::TrialError;
pub use words::{particulars, question};
