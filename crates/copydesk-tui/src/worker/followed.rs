//! The records that the screen was told last: the list, the open run, the failed steps. Each look reports the changes.

use std::{collections::HashSet, sync::Arc};

use crate::app::{Backlog, News, Ticket};
use crate::worker::errands::no_run;
use crate::worker::{RequestResult, WorkerContext};
use copydesk_core::desk::{self, FailedStep};
use copydesk_core::ports::RunKey;
use copydesk_newsroom::RunState;

pub(crate) struct Followed {
    backlog: Backlog,
    /// The last event that was told.
    last: Option<i64>,
    failed_steps: Vec<FailedStep>,
    /// The run on the screen, with the number of its last entry that was told.
    open: Option<(RunKey, i64)>,
    /// Runs of stories that this program is deleting.
    deleting: HashSet<RunKey>,
}

impl Followed {
    pub(crate) fn new(backlog: Backlog) -> Self {
        Self { backlog, last: None, failed_steps: Vec::new(), open: None, deleting: HashSet::new() }
    }

    pub(crate) async fn read_desk(&mut self, context: &WorkerContext) -> RequestResult {
        // The end of the log first: an event between the two reads is then told twice, not lost.
        self.last = Some(context.tools.desk.archive.tail(i64::MAX).await?.last);
        let runs = context.tools.desk.archive.list(false).await?;
        context.say(News::Desk(runs));
        Ok(())
    }

    /// Tells everything that any program committed since the last look.
    pub(crate) async fn catch_up(&mut self, context: &WorkerContext) {
        if let Err(error) = self.look_or_fail(context).await {
            context.say(News::Trouble(error));
        }
    }

    async fn look_or_fail(&mut self, context: &WorkerContext) -> RequestResult {
        // A later look tells it.
        if self.backlog.is_long() {
            return Ok(());
        }
        if self.backlog.is_over() {
            context.say(News::Missed);
        }
        // Before the list is read there is nothing to compare with.
        let Some(last) = self.last else { return Ok(()) };
        let tail = context.tools.desk.archive.tail(last).await?;
        if tail.runs.is_empty() {
            return Ok(());
        }
        self.last = Some(tail.last);
        let changed = context.tools.desk.archive.listed(&tail.runs).await?;
        let known: HashSet<RunKey> = changed.iter().map(|(key, _)| *key).collect();
        // A deletion by this program is told by the deletion itself.
        let is_gone = |run: &&RunKey| !known.contains(run) && !self.deleting.contains(run);
        let gone = tail.runs.iter().filter(is_gone).copied().collect();
        // A failed step comes with a run that fails, and goes when its story changes.
        let may_differ = !self.failed_steps.is_empty() || changed.iter().any(|(_, run)| run.state == RunState::Failed);
        self.backlog.put();
        context.say(News::Runs { changed, gone });
        if let Some((key, seq)) = self.open.filter(|(key, _)| tail.runs.contains(key)) {
            let entries = context.tools.desk.archive.entries_after(key, seq).await?;
            if let Some((last, _)) = entries.last() {
                self.open = Some((key, *last));
                context.say(News::Added { key, entries });
            }
        }
        if may_differ { self.read_failed_steps(context).await } else { Ok(()) }
    }

    /// Tells the failed steps if they have changed.
    pub(crate) async fn read_failed_steps(&mut self, context: &WorkerContext) -> RequestResult {
        let failed_steps = desk::failed_steps(&*context.tools.desk.queue).await?;
        if failed_steps != self.failed_steps {
            self.failed_steps.clone_from(&failed_steps);
            context.say(News::FailedSteps(failed_steps));
        }
        Ok(())
    }

    pub(crate) async fn open(&mut self, context: &WorkerContext, key: RunKey, ticket: Option<Ticket>) -> RequestResult {
        let Some((_, run)) = context.tools.desk.archive.listed(&[key]).await?.pop() else {
            return Err(no_run());
        };
        let stored = context.tools.desk.records.load(key).await?;
        let seq = i64::try_from(stored.journal.entries().len()).unwrap_or(i64::MAX);
        context.say(News::Opened { ticket, key, run, journal: Arc::new(stored.journal), seq });
        Ok(())
    }

    /// Tells from now on what is added to a run, beginning after entry `seq`.
    pub(crate) async fn watch(&mut self, context: &WorkerContext, run: RunKey, seq: i64) -> RequestResult {
        let entries = context.tools.desk.archive.entries_after(run, seq).await?;
        self.open = Some((run, entries.last().map_or(seq, |(last, _)| *last)));
        if !entries.is_empty() {
            context.say(News::Added { key: run, entries });
        }
        Ok(())
    }

    pub(crate) fn close(&mut self) {
        self.open = None;
    }

    /// This program deletes the run and tells it itself, until [`Self::deleted`].
    pub(crate) fn deleting(&mut self, run: RunKey) {
        self.deleting.insert(run);
    }

    pub(crate) async fn deleted(&mut self, context: &WorkerContext, run: RunKey) {
        // The look takes in the deletion's own event; afterwards the run is like any other that is gone.
        self.catch_up(context).await;
        self.deleting.remove(&run);
    }
}
