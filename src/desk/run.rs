//! Opening runs, and going on with them.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use jiff::{Timestamp, ToSpan};
use tokio::sync::mpsc::UnboundedReceiver;

use super::{
    Desk, DeskError,
    calls::History,
    commit::Left,
    decide::shared,
    driver::{Bench, Driver, Handed},
    lock::StoryLock,
    reached::{Reached, waiting},
};
use crate::{
    editorial::{decisions, next_steps::next_steps, run_id},
    newsroom::{
        ArticleGenerationResult, ArticleResponse, Entry, Event, Gates, Journal, Opening, Priority, RunState, Source,
        Step, StoryKey, Topic,
    },
    ports::{Going, NewRun, Room, RunKey, StoredRun},
};

/// A topic with the properties of its story.
#[derive(Debug, Clone)]
pub struct Assignment {
    /// The topic.
    pub topic: Topic,
    /// Sources beyond the topic's own text.
    pub more_sources: Vec<Source>,
    /// A draft that exists.
    pub given_draft: Option<ArticleResponse>,
    /// The newsroom desk.
    pub desk: Option<String>,
    /// Who decides the gates.
    pub gates: Gates,
    /// What its run may take the place of.
    pub replaces: Replaces,
    /// How urgent the story is; none: as it was, or normal.
    pub priority: Option<Priority>,
    /// The batch that it is begun in, whose budget counts for it as well.
    pub batch: Option<String>,
}

/// What a new run of a story may take the place of. The run before stays in the records, whatever this says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Replaces {
    /// Nothing that somebody is asked about, or has signed.
    #[default]
    Nothing,
    /// A run that waits for its editor.
    Waiting,
    /// That, and an article that was signed off.
    Signed,
}

/// What a run is begun with beside its opening.
#[derive(Default)]
pub(super) struct Beginning {
    priority: Option<Priority>,
    batch: Option<String>,
}

impl Beginning {
    fn of(assignment: &Assignment) -> Self {
        Self { priority: assignment.priority, batch: assignment.batch.clone() }
    }
}

/// A run that was just opened, at its worker's.
pub(super) struct Begun {
    pub(super) story: StoryKey,
    pub(super) key: RunKey,
    pub(super) began: Instant,
    pub(super) driver: Driver,
    pub(super) lock: StoryLock,
}

impl Desk {
    /// Opens a run for a topic without working on it: from then on it is in the records, and whoever takes its message has work.
    ///
    /// # Errors
    /// [`DeskError`] where the desk itself cannot go on; a run that fails by its own fault ends with `success: false`.
    pub async fn enlist(self: &Arc<Self>, assignment: Assignment) -> Result<RunKey, DeskError> {
        let story = assignment.topic.story();
        let _lock = StoryLock::take(&self.locks, &story).await?;
        let beginning = Beginning::of(&assignment);
        let opening = self.opening(assignment, &story).await?;
        let (_, key) = self.create(opening, beginning, None, None, Vec::new(), None).await?;
        Ok(key)
    }

    /// Opens a run for a topic and begins with it where the worker has a place: else it waits in the queue.
    ///
    /// # Errors
    /// As [`Desk::enlist`].
    pub(super) async fn begin(self: &Arc<Self>, assignment: Assignment, bench: Bench) -> Result<Begun, DeskError> {
        let began = Instant::now();
        let story = assignment.topic.story();
        let lock = StoryLock::take(&self.locks, &story).await?;
        let beginning = Beginning::of(&assignment);
        let opening = self.opening(assignment, &story).await?;
        let (driver, key) = self.create(opening, beginning, None, None, Vec::new(), Some(bench)).await?;
        Ok(Begun { story, key, began, driver, lock })
    }

    /// The run of this very topic that is under way, or was interrupted: where a topic is handed in again, it goes on. None where it is to
    /// be replaced, waits for its editor, or is paused.
    ///
    /// # Errors
    /// [`DeskError::Store`].
    pub async fn unfinished_of(&self, assignment: &Assignment) -> Result<Option<RunKey>, DeskError> {
        if assignment.replaces != Replaces::Nothing {
            return Ok(None);
        }
        let runs = self.archive.runs_of(&assignment.topic.story().to_string()).await?;
        let Some((run, _)) = runs.into_iter().find(|(_, run)| run.current && run.state == RunState::Open) else {
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
            && opening.gates == assignment.gates;
        Ok(same.then_some(run))
    }

    /// What a run of this topic is opened with, once it is sure that results can be written and that nobody is asked for a
    /// decision that a new run would take away.
    async fn opening(&self, assignment: Assignment, story: &StoryKey) -> Result<Opening, DeskError> {
        self.outputs.prepare(story).await?;
        let runs = match assignment.replaces {
            Replaces::Nothing => self.archive.runs_of(&story.to_string()).await?,
            Replaces::Waiting | Replaces::Signed => Vec::new(),
        };
        if let Some(gate) = runs.into_iter().find(|(_, run)| run.current).and_then(|(_, run)| run.waits) {
            return Err(DeskError::Waits { story: story.clone(), gate });
        }
        Ok(Opening {
            run_id: String::new(),
            opened_at: self.now(),
            artifacts_dir: String::new(),
            topic: assignment.topic,
            more_sources: assignment.more_sources,
            given_draft: assignment.given_draft,
            desk: assignment.desk,
            gates: assignment.gates,
            max_rounds: self.max_rounds,
            anew: None,
            replaces_signed: assignment.replaces == Replaces::Signed,
            proves: self.proves,
            claims: self.claims,
            flags: self.flags.clone(),
            asks_questions: self.asks_questions,
            seeks_evidence: self.seeks_evidence,
            pins: self.pins.clone(),
        })
    }

    /// Goes on with a run whose steps a worker has taken, or writes the files of one that has ended.
    ///
    /// A run that was opened under other prompts or settings is not mixed with these: a new one takes over from it and
    /// repeats only the calls whose input changed (DESIGN.md, section 6).
    ///
    /// None where another program has finished or replaced it since it was listed.
    ///
    /// # Errors
    /// As [`Desk::enlist`].
    pub(super) async fn go_on(
        self: &Arc<Self>,
        run: RunKey,
        bench: Bench,
        inbox: &mut UnboundedReceiver<Handed>,
    ) -> Result<Option<Reached>, DeskError> {
        let began = Instant::now();
        let Some(unfinished) = self.queue.unfinished_run(run).await? else { return Ok(None) };
        let _lock = StoryLock::take(&self.locks, &unfinished.story).await?;
        let Some(now) = self.queue.unfinished_run(run).await? else { return Ok(None) };
        self.outputs.prepare(&unfinished.story).await?;
        let StoredRun { journal, calls, took_over } = self.records.load(run).await?;
        let waits = decisions::waits(&journal).is_some();
        if now.paused && !waits && journal.publication().is_none() {
            return Ok(Some(Reached::Paused(unfinished.story)));
        }
        if journal.publication().is_none() && unfinished.pins != self.pins && !waits {
            let from = Some((run, unfinished.run_id.as_str()));
            // What an editor decided is never decided anew: such a run is shared to its end.
            let next = has_decisions(&journal).then(|| next_steps(&journal).first().copied()).flatten();
            let done = if next.is_some() { shared(journal.entries().iter()) } else { Vec::new() };
            let max_rounds = if next.is_some() { journal.opening.max_rounds } else { self.max_rounds };
            // A step that was to be asked anew still is, unless it has been.
            let anew = journal.opening.anew.filter(|step| journal.outcome(*step).is_none());
            let opening = Opening { max_rounds, anew, ..self.renewed(journal.opening) };
            // It waits in the queue under its own key: whoever takes it has its lock from there on.
            self.create(opening, Beginning::default(), from, next, done, None).await?;
            return Ok(Some(Reached::Later(unfinished.story)));
        }
        let mut driver = Driver::new(self, journal, took_over, History::new(calls));
        driver.run = Some(run);
        driver.bench = Some(bench);
        while let Ok(handed) = inbox.try_recv() {
            driver.receive(handed);
        }
        // What a crash left unwritten is written again.
        let done = driver.journal.entries().to_vec();
        self.outputs.write_entries(&driver.journal, &done).await?;
        let remembered = self.memory.records_of(run).await?;
        self.outputs.write_memory(&unfinished.run_id, &remembered).await?;
        if driver.journal.publication().is_none() {
            if let Some(waiting) = waiting(&driver, run) {
                return Ok(Some(Reached::Gate(waiting)));
            }
            if !done.is_empty() {
                driver.pending.events.push(Event::RunResumed { steps_done: done.len() });
            }
            driver.prepare().await?;
            driver.commit().await?;
            driver.work(inbox).await?;
        }
        self.stop(&mut driver, run, began).await.map(Some)
    }

    /// Writes the canonical file of a topic that could not be worked on, unless an article stands there. Returns whether it did.
    ///
    /// # Errors
    /// [`DeskError`] where another program has the story or the file cannot be written.
    pub async fn reject(&self, story: &StoryKey, result: &ArticleGenerationResult) -> Result<bool, DeskError> {
        let _lock = StoryLock::take(&self.locks, story).await?;
        if self.outputs.has_article(story).await {
            return Ok(false);
        }
        self.outputs.write_canonical(story, result).await?;
        Ok(true)
    }

    /// Opens a run that begins with `done`, and begins with its first steps where a worker has places for them. `at` is the first step
    /// that is not taken over from the run `takes_over`.
    pub(super) async fn create(
        self: &Arc<Self>,
        mut opening: Opening,
        beginning: Beginning,
        takes_over: Option<(RunKey, &str)>,
        at: Option<Step>,
        done: Vec<Entry>,
        bench: Option<Bench>,
    ) -> Result<(Driver, RunKey), DeskError> {
        let opened = Event::RunOpened {
            title: opening.topic.source_metadata.topic_title.clone(),
            engine: self.engine.to_owned(),
            max_rounds: opening.max_rounds,
        };
        let forked = takes_over.map(|(_, from)| Event::RunForked { from: from.to_owned(), at });
        let took_over = takes_over.map(|(key, _)| key);
        // A story that was paused stays so, whatever run of it is opened: this one begins when it is let go on.
        let earlier = self.archive.runs_of(&opening.topic.story().to_string()).await?;
        let paused = earlier.iter().any(|(_, run)| run.paused);
        let mut second = self.clock.now();
        loop {
            opening.run_id = run_id::run_id(&stamp(second), &opening.topic);
            opening.artifacts_dir = run_id::artifacts_dir(&self.outputs.runs, &opening.topic.story(), &opening.run_id);
            let mut journal = Journal::new(opening.clone());
            for entry in &done {
                journal.push(entry.clone());
            }
            let mut driver = Driver::new(self, journal, took_over, History::default());
            // Where it waits at once, its own log says so too.
            driver.told_to_wait = None;
            driver.pending.events.push(opened.clone());
            driver.pending.events.extend(forked.clone());
            driver.pending.entries.clone_from(&done);
            driver.going = if paused { Going::Paused } else { Going::On };
            driver.arrived = Some(self.milliseconds_after(Duration::ZERO));
            driver.bench.clone_from(&bench);
            if bench.is_some() && !paused {
                driver.prepare().await?;
            }
            let first = driver.take_pending();
            let left = Left::of(&first);
            let claim = driver.claim();
            let room = claim.clone().map(|claim| claim as Arc<dyn Room>);
            let new = NewRun {
                opening: opening.clone(),
                takes_over: took_over,
                priority: beginning.priority,
                batch: beginning.batch.clone(),
                first,
            };
            let Some((key, committed)) = self.records.open_run(new, room).await? else {
                // Another run of this topic began within the same second.
                second = second.checked_add(1.second()).unwrap_or(second);
                continue;
            };
            driver.run = Some(key);
            driver.committed(key, left, committed, claim)?;
            driver.write_files().await?;
            return Ok((driver, key));
        }
    }

    /// The time, ISO 8601 in UTC with milliseconds.
    pub(super) fn now(&self) -> String {
        format!("{:.3}", self.clock.now())
    }

    /// The time after a while, in milliseconds since 1970.
    pub(super) fn milliseconds_after(&self, wait: Duration) -> i64 {
        self.clock.now().as_millisecond().saturating_add(i64::try_from(wait.as_millis()).unwrap_or(i64::MAX))
    }
}

/// Whether an editor has decided something in a run: then it is never begun anew.
fn has_decisions(journal: &Journal) -> bool {
    journal.entries().iter().any(|entry| matches!(entry.step, Step::Decide { .. }))
}

/// `YYYYMMDDTHHMMSSZ`.
fn stamp(time: Timestamp) -> String {
    time.strftime("%Y%m%dT%H%M%SZ").to_string()
}
