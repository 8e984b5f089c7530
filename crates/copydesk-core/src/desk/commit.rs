//! The additions to a run's journal: entries, the changes that go with them, and the news told after a commit.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use super::{
    Desk, DeskError,
    calls::Spent,
    in_hand::{AtCommit, Call},
    look_up, words,
};
use crate::{
    editorial::{accusations, decisions, extract::is_untouched, flags, passage_use, remarks::is_remark, report},
    ports::{Commit, PauseState, RunKey, RunState, RunSummary, Start, Times},
};
use copydesk_newsroom::{Decision, Entry, Event, EventRecord, Journal, MemoryRecord, Outcome, Step, Wait};
use copydesk_proof as proof;
use copydesk_text::share;

/// The news of a commit, told once it is done.
pub(super) struct Announcements {
    pub(super) at: String,
    pub(super) events: Vec<Event>,
    /// Of the calls that begin if their step is taken.
    pub(super) starts: Vec<(Step, Event)>,
}

impl Announcements {
    fn of(commit: &Commit) -> Self {
        let starts = commit.queue.put.iter().filter_map(|put| {
            let (Start::Call(_, event) | Start::Repeat(_, event) | Start::Act(event)) = put.start.as_ref()?;
            Some((put.step?, event.clone()))
        });
        Self { at: commit.at.clone(), events: commit.events.clone(), starts: starts.collect() }
    }
}

/// The journal of one run, and the content of its next commit.
pub(super) struct JournalWriter {
    desk: Arc<Desk>,
    /// The generation of the story's lease when the journal was read; none until the run is opened.
    pub(super) generation: Option<i64>,
    pub(super) journal: Arc<Journal>,
    /// The content of the next commit.
    pub(super) pending: Commit,
    /// The times of steps that asked no model, until the steps are appended.
    took: HashMap<Step, Spent>,
    /// The wait that was last announced; none if the run did not wait.
    told_to_wait: Option<Wait>,
    /// The last event, until it is told.
    closing: Option<(String, Event)>,
    /// The number of entries whose files are written, counting all entries that were read with the run.
    written: usize,
    /// Records that were committed last and have no files yet.
    unwritten: Vec<MemoryRecord>,
}

impl JournalWriter {
    /// Continues a journal that is in the records, as it was read in that generation.
    pub(super) fn of(desk: &Arc<Desk>, journal: Journal, generation: i64) -> Self {
        let (told_to_wait, written) = (decisions::waits(&journal), journal.entries().len());
        Self { generation: Some(generation), told_to_wait, written, ..Self::of_new(desk, journal) }
    }

    /// Begins a journal: if it waits at once, its own log says so too.
    pub(super) fn of_new(desk: &Arc<Desk>, journal: Journal) -> Self {
        Self {
            desk: Arc::clone(desk),
            generation: None,
            journal: Arc::new(journal),
            pending: Commit::default(),
            took: HashMap::new(),
            told_to_wait: None,
            closing: None,
            written: 0,
            unwritten: Vec::new(),
        }
    }

    pub(super) fn error(&self, step: Step, detail: &str) -> DeskError {
        let story = self.journal.opening.topic.story();
        DeskError::Journal { story, step: step.to_string(), detail: detail.to_owned() }
    }

    /// Notes how long a step took that no model was asked for, or one more delivery of it.
    pub(super) fn takes(&mut self, step: Step, times: Times) {
        self.took.entry(step).or_default().add_times(times);
    }

    /// Adds an entry to the journal and to the next commit. `call` is the last one that was made for it.
    pub(super) fn append(&mut self, step: Step, outcome: Outcome, call: Option<&Call>) {
        let at = self.desk.now();
        self.pending.events.push(match &outcome {
            Outcome::Decision(decision) => words::decided(step, decision),
            outcome => Event::StepDone { step, summary: words::summary(&self.journal, outcome) },
        });
        match &outcome {
            Outcome::Verdict(verdict) => {
                let round = step.round();
                let prompt = call.map(|call| call.question.ask.prompt.text());
                self.pending.memory.extend(look_up::record(&self.journal, round, verdict, prompt, &at));
                let concern = self.journal.concern(round, verdict.concern_id);
                let excerpt = concern.map(|concern| concern.excerpt.clone()).unwrap_or_default();
                self.pending.events.push(Event::VerdictGiven { step, excerpt, status: verdict.status });
            }
            Outcome::Draft(draft) => {
                let stripped = draft.stripped.iter().map(|what| format!("removed, no verdict supports it: {what}"));
                let undone = draft.undone.iter().map(|what| match what {
                    remark if is_remark(remark) => remark.clone(),
                    to_do => format!("left undone: {to_do}"),
                });
                self.pending.events.extend(stripped.chain(undone).map(|message| Event::Noted { step, message }));
            }
            _ => {}
        }
        let shown = call.and_then(|call| call.question.ask.shown.clone());
        if let Some(shown) = &shown {
            let read: usize = shown.places.iter().map(|place| place.end - place.start).sum();
            let share = share(read, shown.bytes);
            let message =
                format!("the sources do not fit the prompt: it shows {share} of them, what bears most on this step");
            self.pending.events.push(Event::Noted { step, message });
        }
        let leaves = matches!(&outcome, Outcome::Decision(decision) if decision.choice.leaves());
        let local = self.took.remove(&step).unwrap_or_default();
        let Spent { usage, times } = call.map_or(local, |call| call.spent);
        let entry = Entry { step, outcome, at, usage, shown };
        self.pending.times.insert(step, times);
        self.pending.entries.push(entry.clone());
        Arc::make_mut(&mut self.journal).push(entry);
        if leaves {
            self.withdraw(step.round());
        }
        if step == Step::Publish {
            self.stands_otherwise();
            self.pending.queue.clear = true;
            let RunSummary { state, rounds, open_concerns, flags, error, extract, .. } = self.summary();
            let success = state == RunState::Succeeded;
            self.pending.events.push(Event::RunClosed { success, rounds, open_concerns, flags, error, extract });
        }
    }

    /// Notes what is looked up by the draft that stands now.
    fn stands_otherwise(&mut self) {
        self.pending.passages = Some(passage_use::used(&self.journal));
        self.pending.accused = Some(accusations::accused(&self.journal, proof::living));
    }

    /// A verdict that an editor overruled is not offered to another story, from the moment at which it can no longer be undone.
    fn withdraw(&mut self, round: u32) {
        let journal = &self.journal;
        let hashes = decisions::overruled_concerns(journal, round)
            .into_iter()
            .filter_map(|concern| journal.look_up(round, concern))
            .flat_map(|look_up| look_up::keys(journal, look_up));
        self.pending.withdrawn.extend(hashes);
    }

    /// How the run stands now.
    pub(super) fn summary(&self) -> RunSummary {
        let journal = &self.journal;
        let publication = journal.publication();
        let round = if publication.is_some() { report::kept_round(journal).unwrap_or(0) } else { journal.rounds() };
        let (prompt_tokens, completion_tokens) = journal.tokens();
        // At a gate, concerns that the editor fixed in the text are no longer open.
        let fixed = if publication.is_some() { BTreeSet::new() } else { decisions::applied(journal, round) };
        let open = report::open_concerns(journal, round).into_iter();
        let open = open.filter(|concern| !fixed.contains(&concern.concern_id)).count();
        RunSummary {
            state: match publication {
                None => RunState::Open,
                Some(publication) if publication.success => RunState::Succeeded,
                Some(_) => RunState::Failed,
            },
            headline: report::new_headline(journal).map(str::to_owned),
            waits: decisions::waits(journal).map(|wait| wait.to_string()),
            signed_by: publication.and_then(|_| decisions::signed_by(journal)).map(str::to_owned),
            rounds: journal.rounds(),
            max_rounds: decisions::max_rounds(journal),
            open_concerns: u32::try_from(open).unwrap_or(u32::MAX),
            flags: publication
                .map(|p| p.flags.iter().map(|flag| flags::in_words(journal, *flag, proof::living)).collect())
                .unwrap_or_default(),
            prompt_tokens,
            completion_tokens,
            error: publication.and_then(|_| report::error(journal)),
            extract: match journal.latest_draft() {
                0 => journal.opening.extract,
                latest => is_untouched(journal, report::shown_round(journal, latest)),
            },
        }
    }

    /// Says where the run waits, if that is news. Returns how it stands for its messages.
    pub(super) fn stands(&mut self, going: PauseState) -> AtCommit {
        let waits = decisions::waits(&self.journal);
        if let Some(wait) = waits.filter(|_| self.told_to_wait != waits) {
            let question = words::question(&self.journal, wait);
            self.pending.events.push(Event::GateWaits { gate: wait.to_string(), question });
            self.stands_otherwise();
        }
        self.told_to_wait = waits;
        AtCommit {
            published: self.journal.publication().is_some(),
            at_gate: waits.is_some(),
            paused: going == PauseState::Paused,
            now: self.desk.milliseconds_after(std::time::Duration::ZERO),
        }
    }

    /// Takes the pending commit, with the news to tell after it.
    pub(super) fn seal(&mut self) -> (Commit, Announcements) {
        let mut commit = std::mem::take(&mut self.pending);
        commit.generation = self.generation;
        commit.at = self.desk.now();
        commit.summary = Some(self.summary());
        self.unwritten.clone_from(&commit.memory);
        let told = Announcements::of(&commit);
        (commit, told)
    }

    /// Commits an editor's decision of a run that no worker has, and leaves the rest to the worker that takes it.
    pub(super) async fn decide(&mut self, run: RunKey, step: Step, decision: Decision) -> Result<(), DeskError> {
        self.append(step, Outcome::Decision(decision), None);
        let left = self.stands(PauseState::On).left_to_others();
        self.pending.queue.put.extend(left);
        self.commit(run).await
    }

    /// Makes the pending commit without any worker.
    pub(super) async fn commit(&mut self, run: RunKey) -> Result<(), DeskError> {
        let (commit, told) = self.seal();
        let committed = self.desk.records.commit(run, commit, None).await?;
        self.tell(&told.at, told.events.into_iter().chain(committed.events));
        self.write_files().await
    }

    /// Writes the files of the last commit.
    pub(super) async fn write_files(&mut self) -> Result<(), DeskError> {
        let memory = std::mem::take(&mut self.unwritten);
        let entries = self.journal.entries();
        let new = entries.get(std::mem::replace(&mut self.written, entries.len())..).unwrap_or_default();
        self.desk.outputs.write_entries(&self.journal, new).await?;
        self.desk.outputs.write_memory(&self.journal.opening.run_id, &memory).await
    }

    /// Tells the watchers of committed events. The end of the run is told when its files are there, too.
    pub(super) fn tell(&mut self, at: &str, events: impl IntoIterator<Item = Event>) {
        for event in events {
            if matches!(event, Event::RunClosed { .. }) {
                self.closing = Some((at.to_owned(), event));
            } else {
                self.say(at, event);
            }
        }
    }

    /// Tells the watchers that the run is closed.
    pub(super) fn tell_closing(&mut self) {
        if let Some((at, event)) = self.closing.take() {
            self.say(&at, event);
        }
    }

    fn say(&self, at: &str, event: Event) {
        self.desk.watch.happened(&EventRecord {
            at: at.to_owned(),
            story: self.journal.opening.topic.story().to_string(),
            run: self.journal.opening.run_id.clone(),
            event,
        });
    }
}
