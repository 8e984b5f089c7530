//! Opening runs, going on with them, how far they came, and the work after their end.

use std::{path::PathBuf, sync::Arc};

use jiff::Timestamp;
use tokio::sync::mpsc::UnboundedReceiver;

use super::{
    Desk, DeskError,
    commit::JournalWriter,
    driver::Driver,
    in_hand::{Handed, WorkerLink},
    lock::StoryLock,
    opening::{Assignment, ForkedFrom, Replaces, RunBegins},
    words,
};
use crate::{
    editorial::{decisions, extract::is_untouched, flags, next_steps::next_steps, report},
    ports::{PauseState, RunKey, RunSummary, StoreError, StoredRun},
};
use copydesk_newsroom::{Event, Journal, Opening, RunState, Step, StoryKey, Wait};

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

    /// Puts a topic that cannot be used on the desk, as a flagged run that has failed with the reason. If the story has another run that did
    /// not fail, nothing is done, and the answer is none.
    ///
    /// # Errors
    /// As [`Desk::enlist`].
    pub async fn enlist_unusable(self: &Arc<Self>, assignment: Assignment) -> Result<Option<RunKey>, DeskError> {
        let Assignment { topic, desk, unusable: Some(why), .. } = assignment else { return Ok(None) };
        let story = topic.story();
        let _lock = self.locks.take(&story).await?;
        let current = self.archive.current_run(&story.to_string()).await?;
        if current.is_some_and(|(_, run)| run.state != RunState::Failed) {
            return Ok(None);
        }
        self.outputs.prepare(&story).await?;
        let opening = self.renewed(Opening { desk, ..Opening::of(topic, self.settings.max_rounds) });
        let (mut driver, key) = self.create(opening, RunBegins::failed(why, self.now()), None).await?;
        driver.prepare().await?;
        driver.commit().await?;
        self.close(&mut driver.writer, key).await?;
        Ok(Some(key))
    }

    /// The same as [`Desk::enlist`], and begins with it if there is a worker that has a slot: else it waits in the queue.
    ///
    /// # Errors
    /// As [`Desk::enlist`].
    pub(super) async fn begin(
        self: &Arc<Self>,
        assignment: Assignment,
        worker_link: Option<WorkerLink>,
    ) -> Result<Begun, DeskError> {
        let story = assignment.topic.story();
        let lock = self.locks.take(&story).await?;
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
        let current = self.archive.current_run(&assignment.topic.story().to_string()).await?;
        let Some((run, _)) = current.filter(|(_, run)| run.state == RunState::Open) else { return Ok(None) };
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
        let _lock = self.locks.take(&unfinished.story).await?;
        let Some(now) = self.queue.unfinished_run(run).await? else { return Ok(None) };
        self.outputs.prepare(&unfinished.story).await?;
        let StoredRun { journal, calls, took_over, acts, generation } = self.records.load(run).await?;
        let waits = decisions::waits(&journal).is_some();
        if now.paused && !waits && journal.publication().is_none() {
            return Ok(Some(Reached::Paused));
        }
        if journal.publication().is_none() && unfinished.pins != self.pins && !waits {
            // An editor's decision is never made anew: a run with decisions is shared to its end.
            let next = has_decisions(&journal).then(|| next_steps(&journal).first().copied()).flatten();
            let forked = ForkedFrom { from: run, run_id: unfinished.run_id, at: next, correction: None };
            let shared = if next.is_some() { journal.entries().len() } else { 0 };
            let mut beginning = RunBegins::forked(forked, &journal, shared);
            beginning.generation = Some(generation);
            let max_rounds =
                if next.is_some() { journal.opening.settings.max_rounds } else { self.settings.max_rounds };
            // A step that was to be asked anew still is, unless it has been.
            let anew = journal.opening.anew.filter(|step| journal.outcome(*step).is_none());
            let mut opening = Opening { anew, ..self.renewed(journal.opening) };
            opening.settings.max_rounds = max_rounds;
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
            if let Some(waiting) = waiting(&journal) {
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

/// How far a run came.
#[derive(Debug, Clone)]
pub enum Reached {
    End(Box<Ended>),
    /// To a place where it waits for its editor.
    Gate(Waiting),
    /// An editor has paused it.
    Paused,
    /// To a step that waits for its turn in the queue, or for its time.
    Later(StoryKey),
}

/// A run that waits for its editor.
#[derive(Debug, Clone)]
pub struct Waiting {
    pub at: Wait,
    pub question: String,
}

/// How a run ended.
#[derive(Debug, Clone)]
pub struct Ended {
    pub run_id: String,
    pub summary: RunSummary,
    /// Whether no model reviewed its drafts.
    pub unreviewed: bool,
    /// Whether its draft is a fact sheet that was not edited.
    pub extract: bool,
    /// The remarks of a program on the kept draft: that it is short, or that a quotation should be listened to.
    pub remarks: Vec<String>,
    /// How long it took from opened to ended, with every wait.
    pub seconds: f64,
    pub canonical: PathBuf,
    /// The folder of the run's artifacts.
    pub artifacts: PathBuf,
}

impl Desk {
    /// How far a run came that has ended, or has nothing left to do but wait.
    pub(super) async fn stop(&self, driver: &mut Driver, key: RunKey) -> Result<Reached, DeskError> {
        // A run that has ended writes its files as a step of their own.
        let journal = &driver.writer.journal;
        let published = journal.publication().is_some();
        if published && driver.hand.has_files() {
            return self.close(&mut driver.writer, key).await.map(|ended| Reached::End(Box::new(ended)));
        }
        Ok(match waiting(journal) {
            Some(waiting) => Reached::Gate(waiting),
            None if driver.going == PauseState::Paused && !published => Reached::Paused,
            None => Reached::Later(journal.opening.topic.story()),
        })
    }

    /// Writes the canonical file and notes that all files are there.
    async fn close(&self, writer: &mut JournalWriter, key: RunKey) -> Result<Ended, DeskError> {
        let journal = Arc::clone(&writer.journal);
        let story = journal.opening.topic.story();
        let publication = journal.publication().ok_or_else(|| DeskError::Journal {
            story: story.clone(),
            step: "publish".into(),
            detail: "the run stopped before its end".into(),
        })?;
        // A program that hung may wake long after another one has written these files, and perhaps later ones.
        if self.queue.unfinished_run(key).await?.is_none() {
            return Err(StoreError::TakenOver { story }.into());
        }
        let canonical = self.outputs.canonical(&story);
        if self.may_replace(&journal, &story).await? {
            self.outputs.write_canonical(&story, &report::result(&journal, publication)).await?;
        } else {
            let message = "the article that was signed off stays as it is; `run --replace` replaces it".to_owned();
            writer.pending.events.push(Event::Noted { step: Step::Publish, message });
            writer.commit(key).await?;
        }
        self.records.files_written(key).await?;
        writer.tell_closing();
        let summary = writer.summary();
        Ok(Ended {
            run_id: journal.opening.run_id.clone(),
            unreviewed: journal.opening.settings.no_reviewer,
            extract: is_untouched(&journal, summary.rounds),
            remarks: report::kept_round(&journal)
                .into_iter()
                .flat_map(|round| report::remarks(&journal, round))
                .chain(flags::unsure_words(&journal))
                .collect(),
            seconds: seconds_of(&journal),
            canonical,
            artifacts: self.outputs.artifacts(&journal.opening)?,
            summary,
        })
    }

    /// Whether a finished run's result may stand in the story's canonical file. A signed result is only replaced by
    /// another that is signed, or if the person said so.
    async fn may_replace(&self, journal: &Journal, story: &StoryKey) -> Result<bool, DeskError> {
        if journal.opening.replaces_signed || decisions::signed_by(journal).is_some() {
            return Ok(true);
        }
        let runs = self.archive.runs_of(&story.to_string()).await?;
        Ok(!runs.iter().any(|(_, run)| run.signed_by.is_some() && run.run != journal.opening.run_id))
    }
}

/// From the opening of a run to its last step, in seconds.
fn seconds_of(journal: &Journal) -> f64 {
    let at = |time: &str| time.parse::<Timestamp>().ok();
    let ended = journal.entries().last().and_then(|entry| at(&entry.at));
    let lasted = ended.zip(at(&journal.opening.opened_at)).map(|(ended, opened)| ended.duration_since(opened));
    lasted.map_or(0.0, |lasted| lasted.as_secs_f64().max(0.0))
}

/// What the run waits for, and the question to its editor; none if it does not wait.
fn waiting(journal: &Journal) -> Option<Waiting> {
    let at = decisions::waits(journal)?;
    Some(Waiting { at, question: words::question(journal, at) })
}
