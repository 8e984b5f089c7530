//! The orders to a worker, and its news.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex},
};

use tokio::sync::oneshot;

use crate::{
    desk::{Assignment, DeskError, Reached},
    ports::RunKey,
};
use copydesk_newsroom::StoryKey;

/// The news of a worker.
#[derive(Debug)]
pub enum WorkerNews {
    /// It works on a run from now on.
    Began(RunKey),
    /// It works on it no more.
    Came {
        /// The run, as it was taken: in the place of one that was opened under other settings there is another by now.
        run: RunKey,
        /// How far it came. None if another program has taken or ended it.
        result: Result<Option<Reached>, DeskError>,
    },
    /// It cannot take anything from the queue for now; it goes on trying, and tells of the same trouble once.
    Trouble(DeskError),
}

/// How a shift ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Steps that are being done are finished.
    AfterTheStep,
    /// Calls on their way are given up.
    Now,
}

pub(super) enum WorkerOrder {
    Begin(Box<Assignment>, oneshot::Sender<Result<(StoryKey, RunKey), DeskError>>),
    Resume(RunKey, oneshot::Sender<Result<(), DeskError>>),
    Stop(RunKey, oneshot::Sender<bool>),
    End(Ending, Vec<RunKey>, oneshot::Sender<()>),
}

/// The runs that a worker works on at this moment.
pub(super) type AtThisMoment = Arc<Mutex<HashSet<RunKey>>>;
