//! The editor's actions on a run: deciding at a gate, going back to an earlier step, reopening a story, accepting flags. Each is committed
//! under the story's lock before it is reported as done.
//!
//! A run that has ended takes no more entries, so the acceptance of its flags is an event of its log. So is a note of what an editor had on
//! the screen: nothing follows from it, and a replay has nothing to do again.

use std::sync::Arc;

use super::{
    Desk, DeskError,
    commit::JournalWriter,
    lock::StoryLock,
    opening::{ForkedFrom, RunBegins},
};
use crate::{
    editorial::{
        choices::{self, GateSeen, Refused},
        corrections, decisions,
        distribution::notice_due,
        reopening::{KeptEarlier, reopening},
    },
    ports::{RunKey, StoredRun},
};
use copydesk_newsroom::{
    Choice, Correction, Decision, Entry, Event, EventRecord, ExaminedObject, Gates, Journal, ListedRun, Opening,
    Outcome, RunState, Step, StoryKey, Wait,
};

/// A run that was opened and not yet worked on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forked {
    pub key: RunKey,
    pub run_id: String,
    /// The first step that is done anew.
    pub at: Step,
    /// The wait of the run, if it waits for its editor at once.
    pub waits: Option<Wait>,
    /// For a story that was reopened: the draft that it had kept, if that is of an earlier round.
    pub kept: Option<KeptEarlier>,
}

/// A decision that is in the database.
#[derive(Debug)]
pub struct RecordedDecision {
    /// If the run waits now: none if the decision left the gate, and `Desk::resume` has work.
    pub waits: Option<Wait>,
    /// Why its file could not be written: the decision stands all the same.
    pub unwritten: Option<DeskError>,
}

/// The use of the known answer to the step at which a run is forked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ForkedAnswer {
    /// It is taken if the question is the same.
    Taken,
    /// The step is asked again.
    AskedAgain,
}

/// How a run is forked.
pub(super) struct ForkOrder {
    /// The first step to be done anew.
    pub(super) at: Step,
    pub(super) gates: Gates,
    pub(super) known: ForkedAnswer,
    /// The correction that begins with it; it is in the opening, too.
    pub(super) correction: Option<Correction>,
}

/// Why a withdrawn version is not forked or reopened.
const WITHDRAWN: &str = "it was withdrawn, and a run that shares its sign-off would take that back: `copydesk correct` takes the text up \
                         again, with a note and a signature of its own";

fn is_sign_off(entry: &Entry) -> bool {
    matches!(&entry.outcome, Outcome::Decision(Decision { choice: Choice::SignOff { .. }, .. }))
}

impl Desk {
    /// Commits an editor's decision on a run that waits. `seen` is the state that the editor had on the screen, if that
    /// is known.
    ///
    /// # Errors
    /// [`DeskError::Refused`] with the reason if it cannot be decided now; nothing is changed then.
    pub async fn decide(
        self: &Arc<Self>,
        run: RunKey,
        story: &StoryKey,
        choice: Choice,
        seen: Option<GateSeen>,
    ) -> Result<RecordedDecision, DeskError> {
        let _lock = self.locks.take(story).await?;
        let current = self.archive.listed(&[run]).await?.iter().all(|(_, listed)| listed.current);
        let StoredRun { journal, generation, .. } = self.records.load(run).await?;
        let (step, mut choice) = choices::admit(&journal, current, choice, seen)
            .map_err(|reason| DeskError::Refused { story: story.clone(), reason })?;
        if let Choice::SignOff { chain, .. } = &mut choice {
            *chain = self.archive.chain_head().await?;
        }
        let mut writer = JournalWriter::of(self, journal, generation);
        let unwritten = match writer.decide(run, step, Decision { by: self.editor.clone(), choice }).await {
            Ok(()) => None,
            Err(error @ (DeskError::Output { .. } | DeskError::Full { .. })) => Some(error),
            Err(error) => return Err(error),
        };
        Ok(RecordedDecision { waits: decisions::waits(&writer.journal), unwritten })
    }

    /// Opens a new run of the story of `from` that shares its journal up to `at`, which is the first step to be done anew. No
    /// call is repeated whose input is the same, but `at`'s own if it is to be [`ForkedAnswer::AskedAgain`]. The
    /// new run becomes the story's current one; it is not worked on here.
    ///
    /// # Errors
    /// [`DeskError::NoSuchStep`] if `from` has not done `at`; [`DeskError::Locked`] while the story is worked on.
    pub async fn fork(
        self: &Arc<Self>,
        from: RunKey,
        story: &StoryKey,
        at: Step,
        gates: Gates,
        known: ForkedAnswer,
    ) -> Result<Forked, DeskError> {
        let lock = self.locks.take(story).await?;
        let runs = self.archive.runs_of(&story.to_string()).await?;
        let (keys, listed): (Vec<RunKey>, Vec<ListedRun>) = runs.into_iter().unzip();
        let own = keys.iter().position(|key| *key == from).and_then(|place| listed.get(place));
        // A signature from before a withdrawal must not cancel it.
        if notice_due(&listed).is_some() && own.is_some_and(|run| run.signed_by.is_some() || run.withdrawn.is_some()) {
            return Err(DeskError::Refused { story: story.clone(), reason: Refused::Text(WITHDRAWN) });
        }
        let journal = self.records.load(from).await?.journal;
        self.fork_held(&lock, (from, journal), story, ForkOrder { at, gates, known, correction: None }).await
    }

    /// Takes a version that was signed off up again, to correct it: a new run that shares everything up to the sign-off, waits there, and
    /// has the note. Nothing of it goes out until it is signed in its turn. `sent`: the version went to a target.
    ///
    /// # Errors
    /// As [`Desk::fork`]; [`DeskError::Refused`] if the run has no version that was out, or the note is no note.
    pub async fn correct(
        self: &Arc<Self>,
        run: RunKey,
        story: &StoryKey,
        note: &str,
        sent: bool,
    ) -> Result<Forked, DeskError> {
        let lock = self.locks.take(story).await?;
        let mut journal = self.records.load(run).await?.journal;
        let refused = |reason| DeskError::Refused { story: story.clone(), reason };
        let runs = self.archive.runs_of(&story.to_string()).await?;
        if runs.iter().any(|(key, listed)| listed.current && *key != run && listed.state == RunState::Open) {
            return Err(refused(Refused::Text("a later run of it has not ended: sign it off or spike it first")));
        }
        let number = runs.iter().find(|(key, _)| *key == run).map_or(1, |(_, listed)| listed.version);
        let at = corrections::taken_up_at(&journal, sent).map_err(refused)?;
        let correction = corrections::correction(&journal, note, &self.editor, &self.now(), number).map_err(refused)?;
        journal.opening.corrections.push(correction.clone());
        let order = ForkOrder { at, gates: Gates::Editor, known: ForkedAnswer::Taken, correction: Some(correction) };
        self.fork_held(&lock, (run, journal), story, order).await
    }

    /// Likewise, for a caller that holds the story's lock and has read the journal under it.
    pub(super) async fn fork_held(
        self: &Arc<Self>,
        _lock: &StoryLock,
        (from, journal): (RunKey, Journal),
        story: &StoryKey,
        ForkOrder { at, gates, known, correction }: ForkOrder,
    ) -> Result<Forked, DeskError> {
        self.outputs.prepare(story).await?;
        let Some(place) = journal.entries().iter().position(|entry| entry.step == at) else {
            let steps: Vec<String> = journal.entries().iter().map(|entry| entry.step.to_string()).collect();
            return Err(DeskError::NoSuchStep {
                run: journal.opening.run_id.clone(),
                step: at.to_string(),
                steps: steps.join(", "),
            });
        };
        let forked = ForkedFrom { from, run_id: journal.opening.run_id.clone(), at: Some(at), correction };
        let beginning = RunBegins::forked(forked, &journal, place);
        let anew = (known == ForkedAnswer::AskedAgain).then_some(at);
        // The earlier run's permission to replace signed versions does not cover versions signed since.
        let replaces_signed = journal.opening.replaces_signed && !self.signed_since(from, story).await?;
        // A signed version keeps what its readers are told beside it.
        let is_signed = journal.entries().iter().take(place).any(is_sign_off);
        let (disclosure, citations) = (journal.opening.settings.disclosure, journal.opening.settings.citations);
        let renewed = self.renewed(journal.opening);
        let mut opening = Opening { gates, anew, replaces_signed, ..renewed };
        if is_signed {
            opening.settings.disclosure = disclosure;
            opening.settings.citations = citations;
        }
        let (driver, key) = self.create(opening, beginning, None).await?;
        let journal = &driver.writer.journal;
        Ok(Forked { key, run_id: journal.opening.run_id.clone(), at, waits: decisions::waits(journal), kept: None })
    }

    /// Reopens a story that has ended, as a new run. If the last place can be decided otherwise ([`reopening`]), the
    /// new run shares the journal up to there and waits for its editor. Otherwise it tries the failed step again.
    ///
    /// # Errors
    /// As [`Desk::fork`]; [`DeskError::Refused`] if the run has not ended.
    pub async fn reopen(self: &Arc<Self>, run: RunKey, story: &StoryKey) -> Result<Forked, DeskError> {
        let journal = self.records.load(run).await?.journal;
        let reopened = reopening(&journal).map_err(|reason| DeskError::Refused { story: story.clone(), reason })?;
        let forked = self.fork(run, story, reopened.at, Gates::Editor, ForkedAnswer::Taken).await?;
        Ok(Forked { kept: reopened.kept, ..forked })
    }

    /// Whether `run` or a later one of its story is signed off.
    async fn signed_since(&self, run: RunKey, story: &StoryKey) -> Result<bool, DeskError> {
        let runs = self.archive.runs_of(&story.to_string()).await?;
        Ok(runs.iter().any(|(key, listed)| key.0 >= run.0 && listed.signed_by.is_some()))
    }

    /// Accepts the flags of a run, for a reason.
    ///
    /// # Errors
    /// [`DeskError::Refused`] if it has none that are open, or nothing is said; [`DeskError::Locked`] while the story is worked on.
    pub async fn accept_flags(&self, run: RunKey, story: &StoryKey, reason: &str) -> Result<(), DeskError> {
        let _lock = self.locks.take(story).await?;
        let refused = |reason| DeskError::Refused { story: story.clone(), reason };
        let listed = self.archive.listed(&[run]).await?;
        let (_, listed) = listed.first().ok_or_else(|| refused(Refused::Overtaken(None)))?;
        let reason = choices::accept_flags(listed, reason).map_err(refused)?;
        let (by, at) = (self.editor.clone(), self.now());
        if !self.stories.settle_flags(run, &reason, &by, &at).await? {
            return Err(refused(Refused::Overtaken(None)));
        }
        let (story, flags) = (listed.story.clone(), listed.reasons());
        let event = Event::FlagsSettled { by, flags, reason };
        self.watch.happened(&EventRecord { at, story, run: listed.run.clone(), event });
        Ok(())
    }

    /// Notes that this desk's editor had a part of a run on the screen while it waited at `gate`, if it did. It is noted once. It takes no
    /// lock: a story can be read while it is worked on.
    ///
    /// # Errors
    /// [`DeskError::Store`] if the log cannot be written.
    pub async fn note_examined(&self, run: RunKey, gate: Option<Wait>, what: ExaminedObject) -> Result<(), DeskError> {
        let gate = gate.map(|gate| gate.to_string());
        self.stories.note_examined(run, gate, what, &self.editor, &self.now()).await?;
        Ok(())
    }
}
