//! A worker's shift: the orders of its caller, and its news. The worker itself is a task of its own, so that no taken step is
//! lost if its caller turns to something else.

mod dispatcher;

use std::sync::{Arc, PoisonError};

use tokio::{
    sync::{
        mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
        oneshot,
    },
    task::JoinHandle,
};

use super::{Assignment, Desk, DeskError, pools::Pools};
use crate::ports::RunKey;
use copydesk_newsroom::StoryKey;
use dispatcher::{AtThisMoment, Dispatcher, WorkerOrder};
pub use dispatcher::{Ending, WorkerNews};

/// The stories that a shift works on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorkScope {
    /// All stories, the most urgent first.
    Everything,
    Story(StoryKey),
}

/// A worker.
pub struct QueueWorker {
    orders: UnboundedSender<WorkerOrder>,
    told: UnboundedReceiver<WorkerNews>,
    at_work: AtThisMoment,
    task: JoinHandle<()>,
}

impl QueueWorker {
    /// Starts a worker on at most `stories` stories at once. `name` names its program.
    #[must_use]
    pub fn start(desk: Arc<Desk>, name: &str, stories: usize, only: WorkScope) -> Self {
        let (orders, ordered) = unbounded_channel();
        let (tell, told) = unbounded_channel();
        let only = match only {
            WorkScope::Everything => None,
            WorkScope::Story(story) => Some(story.folded()),
        };
        // No other worker of this machine has the process's number, nor another of this process the time.
        let worker = format!("{name} {}.{}", std::process::id(), desk.clock.now().as_microsecond());
        let rules = Arc::clone(&desk.queue_rules);
        let pools = Arc::new(Pools::new(worker, rules, desk.pins.clone(), stories, only));
        let at_work = AtThisMoment::default();
        let task = tokio::spawn(Dispatcher::new(desk, pools, tell, Arc::clone(&at_work)).work(ordered));
        Self { orders, told, at_work, task }
    }

    /// Begins a story: its run is in the records when this returns, and is worked on as soon as there is a place.
    ///
    /// # Errors
    /// As [`Desk::enlist`].
    pub async fn begin(&self, assignment: Assignment) -> Result<(StoryKey, RunKey), DeskError> {
        self.order(|reply| WorkerOrder::Begin(Box::new(assignment), reply)).await.unwrap_or(Err(DeskError::Ended))
    }

    /// Resumes a run as soon as a slot is free, for whatever reason it was held.
    ///
    /// # Errors
    /// [`DeskError::Store`].
    pub async fn resume(&self, run: RunKey) -> Result<(), DeskError> {
        self.order(|reply| WorkerOrder::Resume(run, reply)).await.unwrap_or(Err(DeskError::Ended))
    }

    /// Gives a run up: calls on their way are cancelled, and no worker resumes it until a person orders it. Returns whether it was
    /// this worker's, once nothing of it is held any more.
    pub async fn stop(&self, run: RunKey) -> bool {
        self.order(|reply| WorkerOrder::Stop(run, reply)).await.unwrap_or(false)
    }

    /// Gives an order and waits for its reply; none from a worker that has ended.
    async fn order<T>(&self, order: impl FnOnce(oneshot::Sender<T>) -> WorkerOrder) -> Option<T> {
        let (reply, answer) = oneshot::channel();
        self.orders.send(order(reply)).ok()?;
        answer.await.ok()
    }

    /// Whether it works on a run at this moment.
    pub fn works_on(&self, run: RunKey) -> bool {
        self.at_work.lock().unwrap_or_else(PoisonError::into_inner).contains(&run)
    }

    /// Waits for the worker's next news. The waiting may be given up at any time.
    pub async fn next_news(&mut self) -> Option<WorkerNews> {
        self.told.recv().await
    }

    /// Whether [`Self::next_news`] has something at once.
    pub fn has_told(&self) -> bool {
        !self.told.is_empty()
    }

    /// Ends the shift. Runs of `held` are held until a person resumes them; other workers resume the rest.
    pub async fn end(&self, ending: Ending, held: Vec<RunKey>) {
        self.order(|reply| WorkerOrder::End(ending, held, reply)).await;
    }
}

impl Drop for QueueWorker {
    fn drop(&mut self) {
        self.task.abort();
    }
}
