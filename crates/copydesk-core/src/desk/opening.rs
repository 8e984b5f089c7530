//! Makes the openings of runs, and opens runs.

use std::{sync::Arc, time::Duration};

use jiff::{Timestamp, ToSpan};

use super::{Desk, DeskError, commit::JournalWriter, driver::Driver, in_hand::WorkerLink};
use crate::{
    agents::Agents,
    editorial::{aliasing, run_id},
    ports::{NewRun, PauseState, RunKey},
};
use copydesk_newsroom::{
    ArticleResponse, Correction, Entry, Event, Failure, Gates, HidingSource, Journal, Opening, Outcome, Priority,
    RecordedSource, RunSettings, Secrecy, Source, Step, StoryKey, Topic, Usage, Wait, Workflow,
};

/// A topic with the properties of its story.
#[derive(Debug, Clone)]
pub struct Assignment {
    pub topic: Topic,
    /// Sources beyond the topic's own text.
    pub more_sources: Vec<Source>,
    /// The sources that have text which no reader sees.
    pub hidden: Vec<HidingSource>,
    /// The sources that a program wrote down from recordings.
    pub recorded: Vec<RecordedSource>,
    /// Whether the topic's text is an assignment, which is researched before anything is written.
    pub assigned: bool,
    /// A draft that exists.
    pub given_draft: Option<ArticleResponse>,
    pub desk: Option<String>,
    /// The limits on what leaves this machine: whether the story is confidential, and the names that get aliases.
    pub secrecy: Secrecy,
    /// The one who decides at the gates.
    pub gates: Gates,
    /// The earlier run that its run may replace.
    pub replaces: Replaces,
    /// How urgent the story is; none: as it was, or normal.
    pub priority: Option<Priority>,
    /// The batch that it is begun in, whose budget counts for it as well.
    pub batch: Option<String>,
    /// Which way it takes.
    pub workflow: Workflow,
    /// Why its topic cannot be used, for a person. Then it has no text, and only [`Desk::enlist_unusable`] takes it.
    pub unusable: Option<String>,
}

impl Assignment {
    /// A topic and nothing else, with gates for an editor.
    pub fn of(topic: Topic) -> Self {
        Self {
            topic,
            more_sources: Vec::new(),
            hidden: Vec::new(),
            recorded: Vec::new(),
            assigned: false,
            given_draft: None,
            desk: None,
            secrecy: Secrecy::default(),
            gates: Gates::Editor,
            replaces: Replaces::default(),
            priority: None,
            batch: None,
            workflow: Workflow::default(),
            unusable: None,
        }
    }
}

/// The earlier run that a new run of a story may replace. The earlier run stays in the records in any case.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Replaces {
    /// No run that waits for its editor, and none that was signed off.
    #[default]
    Nothing,
    /// A run that waits for its editor.
    Waiting,
    /// That, and an article that was signed off.
    Signed,
}

/// The run that another takes over from.
pub(super) struct ForkedFrom {
    pub(super) from: RunKey,
    pub(super) run_id: String,
    /// The first step that is not taken over.
    pub(super) at: Option<Step>,
    /// The correction that begins with it.
    pub(super) correction: Option<Correction>,
}

/// The values beside its opening that a run begins with.
#[derive(Default)]
pub(super) struct RunBegins {
    priority: Option<Priority>,
    batch: Option<String>,
    forked: Option<ForkedFrom>,
    /// The entries taken over from the earlier run, which has paid for them.
    done: Vec<Entry>,
    /// The generation of the story's lease under which a worker opens it.
    pub(super) generation: Option<i64>,
}

impl RunBegins {
    pub(super) fn of(assignment: &Assignment) -> Self {
        Self { priority: assignment.priority, batch: assignment.batch.clone(), ..Self::default() }
    }

    /// With a failure as its only entry: no step is begun.
    pub(super) fn failed(why: String, at: String) -> Self {
        let outcome = Outcome::Failure(Failure::of(why));
        let entry = Entry { step: Step::Draft, outcome, at, usage: Usage::default(), shown: None };
        Self { done: vec![entry], ..Self::default() }
    }

    /// Takes the first `shared` entries of a run over.
    pub(super) fn forked(forked: ForkedFrom, journal: &Journal, shared: usize) -> Self {
        let paid = |entry: &Entry| Entry { usage: Usage::default(), ..entry.clone() };
        let done = journal.entries().iter().take(shared).map(paid).collect();
        Self { forked: Some(forked), done, ..Self::default() }
    }
}

impl Desk {
    /// Makes the opening of a run of this topic. Results must be writable, and no decision may be open that a new run
    /// would take away.
    pub(super) async fn opening(&self, assignment: Assignment, story: &StoryKey) -> Result<Opening, DeskError> {
        self.outputs.prepare(story).await?;
        let runs = match assignment.replaces {
            Replaces::Nothing | Replaces::Waiting => self.archive.runs_of(&story.to_string()).await?,
            Replaces::Signed => Vec::new(),
        };
        let mut current = runs.iter().filter(|(_, run)| run.current);
        if let Some(by) = current.clone().find_map(|(_, run)| run.signed_by.clone()) {
            return Err(DeskError::Signed { story: story.clone(), by });
        }
        let waits = current.find(|(_, run)| run.waits.is_some() && assignment.replaces == Replaces::Nothing);
        if let Some((_, run)) = waits {
            let what = run.waits_at().map_or_else(|| "your decision".to_owned(), Wait::in_words);
            return Err(DeskError::Waits { story: story.clone(), what });
        }
        let max_rounds = assignment.workflow.max_rounds(self.settings.max_rounds);
        Ok(self.renewed(Opening {
            more_sources: assignment.more_sources,
            hidden: assignment.hidden,
            recorded: assignment.recorded,
            given_draft: assignment.given_draft,
            desk: assignment.desk,
            gates: assignment.gates,
            workflow: assignment.workflow,
            replaces_signed: assignment.replaces == Replaces::Signed,
            research: self.research_rules(assignment.assigned),
            secrecy: assignment.secrecy,
            ..Opening::of(assignment.topic, max_rounds)
        }))
    }

    /// The same opening under today's prompts and settings.
    pub(super) fn renewed(&self, opening: Opening) -> Opening {
        let writer_mode = self.settings.writer_mode.filter(|_| opening.given_draft.is_none());
        let max_rounds = opening.settings.max_rounds;
        let by_rules = matches!(*self.agents, Agents::Offline);
        Opening {
            review_room: self.agents.review_room(&opening.topic.style_mode),
            opened_at: self.now(),
            settings: RunSettings { writer_mode, max_rounds, ..self.settings.clone() },
            research: self.research_rules(opening.research.is_some_and(|rules| rules.assigned)),
            // No draft was given, and rules write it.
            extract: opening.given_draft.is_none() && by_rules,
            by_rules,
            pins: self.pins.clone(),
            ..opening
        }
    }

    /// Opens a run that begins with `done`, and begins with its first steps if a worker has slots for them. Until it is open nothing is
    /// changed.
    pub(super) async fn create(
        self: &Arc<Self>,
        mut opening: Opening,
        beginning: RunBegins,
        worker_link: Option<WorkerLink>,
    ) -> Result<(Driver, RunKey), DeskError> {
        let RunBegins { priority, batch, forked, done, generation } = beginning;
        // A story that was secret once stays secret, even if this run asks for less.
        let story = opening.topic.story();
        opening.secrecy = self.stories.secrecy(&story).await?.and(&opening.secrecy);
        // A search outside sends its words to other machines.
        opening.settings.seeks_evidence &= !opening.secrecy.confidential;
        let texts = opening.texts().map(|(_, text)| text);
        aliasing::checked(&opening.secrecy.aliases, texts).map_err(|errors| DeskError::aliases(&story, &errors))?;
        let opened = Event::RunOpened {
            title: opening.topic.source_metadata.topic_title.clone(),
            engine: self.engine.to_owned(),
            max_rounds: opening.settings.max_rounds,
        };
        let takes_over = forked.as_ref().map(|forked| forked.from);
        let begins = forked.iter().filter_map(|forked| forked.correction.as_ref()).map(correction_begun).next();
        let forked = forked.map(|ForkedFrom { run_id, at, .. }| Event::RunForked { from: run_id, at });
        // A paused story stays paused if a new run of it is opened: the run begins when the story is unpaused.
        let earlier = self.archive.runs_of(&opening.topic.story().to_string()).await?;
        let going = if earlier.iter().any(|(_, run)| run.paused) { PauseState::Paused } else { PauseState::On };
        let mut second = self.clock.now();
        loop {
            opening.run_id = run_id::run_id(&stamp(second), &opening.topic);
            opening.artifacts_dir = run_id::artifacts_dir(&self.outputs.runs, &opening.topic.story(), &opening.run_id);
            let mut journal = Journal::new(opening.clone());
            for entry in &done {
                journal.push(entry.clone());
            }
            let mut writer = JournalWriter::of_new(self, journal);
            writer.generation = generation;
            let mut driver = Driver::new(self, writer, takes_over, worker_link.clone(), going);
            driver.hand.arrives(self.milliseconds_after(Duration::ZERO));
            let pending = &mut driver.writer.pending;
            pending.events.extend([opened.clone()].into_iter().chain(forked.clone()).chain(begins.clone()));
            pending.entries.clone_from(&done);
            if worker_link.is_some() && going == PauseState::On {
                driver.prepare().await?;
            }
            let new = |first| NewRun { opening: opening.clone(), takes_over, priority, batch: batch.clone(), first };
            if let Some(key) = driver.open(new).await? {
                return Ok((driver, key));
            }
            // Another run of this topic began within the same second.
            second = second.checked_add(1.second()).unwrap_or(second);
        }
    }
}

fn correction_begun(correction: &Correction) -> Event {
    let Correction { note, by, corrects, .. } = correction.clone();
    Event::CorrectionBegun { of: corrects.run, number: corrects.number.saturating_add(1), note, by }
}

/// `YYYYMMDDTHHMMSSZ`.
fn stamp(time: Timestamp) -> String {
    time.strftime("%Y%m%dT%H%M%SZ").to_string()
}
