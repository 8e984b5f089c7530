//! The desk: takes a story from its topic to its canonical article, step by step, and resumes where it stopped.
//!
//! It decides nothing about text: `editorial` and the agents do. It performs no I/O except through ports and the files
//! that a run leaves. The journal is its only state: the contents of memory here can be lost at any moment.

mod ask;
mod calls;
mod claims;
mod commit;
mod decide;
mod delete;
mod derive;
mod distribution;
mod driver;
mod error;
mod failed_step;
mod files;
mod in_hand;
mod lock;
mod look_up;
mod opening;
mod outputs;
mod pools;
mod queue_worker;
mod replay;
mod retention;
mod retrieve;
mod run;
mod setup;
mod trial;
mod words;
mod work;

pub use ask::{NotAnswered, SourceAnswer};
pub use decide::{Forked, ForkedAnswer, RecordedDecision};
pub use delete::{Deletion, delete, import, reject};
pub use distribution::{
    Dispatched, Distribution, DistributionError, OutTarget, Planned, PublishOrder, PublishStanding, SendRetries,
    TargetStanding,
};
pub use error::DeskError;
pub use failed_step::{FailedStep, Happening, drop_failed_step, failed_steps};
pub use files::private;
pub use lock::StoryLocks;
pub use opening::{Assignment, Replaces};
pub use outputs::{Outputs, Rejection};
pub use pools::QueueRules;
pub use queue_worker::{Ending, QueueWorker, WorkScope, WorkerNews};
pub use replay::{Replayed, replay};
pub use retention::{Policy, Really, Swept, SweptStory, sweep};
pub use run::{Ended, Reached, Waiting};
pub use setup::{Desk, RetrievalRules};
pub use trial::TrialError;
pub use words::{particulars, question};
