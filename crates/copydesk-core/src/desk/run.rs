//! Opening runs, and going on with them.

use std::sync::Arc;

use tokio::sync::mpsc::UnboundedReceiver;

use super::{
    Desk, DeskError,
    commit::JournalWriter,
    driver::Driver,
    in_hand::{Handed, WorkerLink},
    lock::StoryLock,
    opening::{Assignment, ForkedFrom, Replaces, RunBegins},
    reached::{Reached, waiting},
};
use crate::{
    editorial::{decisions, next_steps::next_steps},
    ports::{PauseState, RunKey, StoredRun},
};
use copydesk_newsroom::{Event, Journal, Opening, Step, StoryKey};

/// A run that was just opened, at its worker's.
pub(super) struct Begun {
    pub(super) story: StoryKey,
    pub(super) key: RunKey,
    pub(super) driver: Driver,
    pub(super) lock: StoryLock,
}

/// Why a run is taken up again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ResumedBy {
    Person,
    /// One of its steps has come to its turn, also after a server's failure or another program's end.
    Queue,
}

impl Desk {
    /// Opens a run for a topic without working on it: from then on it is in the records, and the worker that takes its message has work.
    ///
    /// # Errors
    /// [`DeskError`] if the desk itself cannot continue; a run that fails by its own fault ends with `success: false`.
    pub async fn enlist(self: &Arc<Self>, assignment: Assignment) -> Result<RunKey, DeskError> {
        self.begin(assignment, None).await.map(|begun| begun.key)
    }

    /// The same, and begins with it if there is a worker that has a slot: else it waits in the queue.
    ///
    /// # Errors
    /// As [`Desk::enlist`].
    pub(super) async fn begin(
        self: &Arc<Self>,
        assignment: Assignment,
        worker_link: Option<WorkerLink>,
    ) -> Result<Begun, DeskError> {
        let story = assignment.topic.story();
        let lock = StoryLock::take(&self.locks, &story).await?;
        let beginning = RunBegins::of(&assignment);
        let opening = self.opening(assignment, &story).await?;
        let (driver, key) = self.create(opening, beginning, worker_link).await?;
        Ok(Begun { story, key, driver, lock })
    }

    /// The run of this very topic that is under way, or was interrupted: if a topic is handed in again, it goes on. None if it is to
    /// be replaced, waits for its editor, or is paused.
    ///
    /// # Errors
    /// [`DeskError::Store`].
    pub async fn unfinished_of(&self, assignment: &Assignment) -> Result<Option<RunKey>, DeskError> {
        if assignment.replaces != Replaces::Nothing {
            return Ok(None);
        }
        let runs = self.archive.runs_of(&assignment.topic.story().to_string()).await?;
        let Some((run, _)) =
            runs.into_iter().find(|(_, run)| run.current && run.state == copydesk_newsroom::RunState::Open)
        else {
            return Ok(None);
        };
        let unfinished = self.queue.unfinished_run(run).await?;
        if unfinished.is_none_or(|run| run.waits || run.paused) {
            return Ok(None);
        }
        let opening = &self.records.load(run).await?.journal.opening;
        let same = opening.topic == assignment.topic
            && opening.more_sources == assignment.more_sources
            && opening.given_draft == assignment.given_draft
            && opening.research.is_some_and(|rules| rules.assigned) == assignment.assigned
            && opening.secrecy.clone().and(&assignment.secrecy) == opening.secrecy
            && opening.gates == assignment.gates;
        Ok(same.then_some(run))
    }

    /// Resumes a run whose steps a worker has taken, or writes the files of one that has ended. Only if a person resumed it, it says so.
    ///
    /// A run that was opened under other prompts or settings is not mixed with these: a new one takes over from it and
    /// repeats only the calls whose input changed.
    ///
    /// None if another program has finished or replaced it since it was listed.
    ///
    /// # Errors
    /// As [`Desk::enlist`].
    pub(super) async fn resume(
        self: &Arc<Self>,
        run: RunKey,
        by: ResumedBy,
        worker_link: WorkerLink,
        inbox: &mut UnboundedReceiver<Handed>,
    ) -> Result<Option<Reached>, DeskError> {
        let Some(unfinished) = self.queue.unfinished_run(run).await? else { return Ok(None) };
        let _lock = StoryLock::take(&self.locks, &unfinished.story).await?;
        let Some(now) = self.queue.unfinished_run(run).await? else { return Ok(None) };
        self.outputs.prepare(&unfinished.story).await?;
        let StoredRun { journal, calls, took_over, acts, generation } = self.records.load(run).await?;
        let waits = decisions::waits(&journal).is_some();
        if now.paused && !waits && journal.publication().is_none() {
            return Ok(Some(Reached::Paused(unfinished.story)));
        }
        if journal.publication().is_none() && unfinished.pins != self.pins && !waits {
            // An editor's decision is never made anew: a run with decisions is shared to its end.
            let next = has_decisions(&journal).then(|| next_steps(&journal).first().copied()).flatten();
            let forked = ForkedFrom { from: run, run_id: unfinished.run_id, at: next, correction: None };
            let shared = if next.is_some() { journal.entries().len() } else { 0 };
            let mut beginning = RunBegins::forked(forked, &journal, shared);
            beginning.generation = Some(generation);
            let max_rounds = if next.is_some() { journal.opening.max_rounds } else { self.max_rounds };
            // A step that was to be asked anew still is, unless it has been.
            let anew = journal.opening.anew.filter(|step| journal.outcome(*step).is_none());
            let opening = Opening { max_rounds, anew, ..self.renewed(journal.opening) };
            // It waits in the queue under its own key: the worker that takes it has its lock from there on.
            self.create(opening, beginning, None).await?;
            return Ok(Some(Reached::Later(unfinished.story)));
        }
        let writer = JournalWriter::of(self, journal, generation);
        let mut driver =
            Driver::new(self, writer, took_over, Some(worker_link), PauseState::On).resumes(run, calls, acts);
        while let Ok(handed) = inbox.try_recv() {
            driver.receive(handed);
        }
        // Files that a crash left unwritten are written now.
        let journal = Arc::clone(&driver.writer.journal);
        self.outputs.write_entries(&journal, journal.entries()).await?;
        let remembered = self.memory.records_of(run).await?;
        self.outputs.write_memory(&unfinished.run_id, &remembered).await?;
        self.outputs.remove_halves(&journal.opening, &remembered).await?;
        if journal.publication().is_none() {
            if let Some(waiting) = waiting(&journal, run) {
                return Ok(Some(Reached::Gate(waiting)));
            }
            let steps_done = journal.entries().len();
            if steps_done > 0 && by == ResumedBy::Person {
                driver.writer.pending.events.push(Event::RunResumed { steps_done });
            }
            // The writer alone has it from here on: an entry is added without a copy of the rest.
            drop(journal);
            driver.prepare().await?;
            driver.commit().await?;
            driver.work(inbox).await?;
        }
        self.stop(&mut driver, run).await.map(Some)
    }
}

/// Whether an editor has decided something in a run: then it is never begun anew.
fn has_decisions(journal: &Journal) -> bool {
    journal.entries().iter().any(|entry| matches!(entry.step, Step::Decide { .. }))
}
