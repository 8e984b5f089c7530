//! What a run adds to its journal: entries, what else changes with them, and their one commit.

use std::sync::Arc;

use super::{DeskError, driver::Driver, look_up, words};
use crate::{
    editorial::{decisions, report},
    newsroom::{Entry, Event, EventRecord, Outcome, Step},
    ports::{Commit, RunState, RunSummary},
};

impl Driver<'_> {
    /// Adds an entry to the journal and to the pending commit.
    pub(super) fn append(&mut self, step: Step, outcome: Outcome) {
        let at = self.now();
        let ask = self.asks.remove(&step);
        self.pending.events.push(match &outcome {
            Outcome::Decision(decision) => words::decided(step, decision),
            outcome => Event::StepDone { step, summary: words::summary(outcome) },
        });
        match &outcome {
            Outcome::Verdict(verdict) => {
                let round = step.round();
                let prompt = ask.map_or_else(|| "decided by the offline rules".to_owned(), |ask| ask.prompt.text());
                self.pending.memory.extend(look_up::record(&self.journal, round, verdict, &prompt, &at));
                let excerpt = self
                    .journal
                    .concerns(round)
                    .and_then(|result| result.concerns.iter().find(|concern| concern.concern_id == verdict.concern_id))
                    .map(|concern| concern.excerpt.clone())
                    .unwrap_or_default();
                self.pending.events.push(Event::VerdictGiven { step, excerpt, status: verdict.status });
            }
            Outcome::Draft(draft) => {
                let stripped = draft.stripped.iter().map(|what| format!("taken out, no verdict supports it: {what}"));
                let undone = draft.undone.iter().map(|what| format!("left undone: {what}"));
                self.pending.events.extend(stripped.chain(undone).map(|message| Event::Noted { step, message }));
            }
            _ => {}
        }
        let leaves = matches!(&outcome, Outcome::Decision(decision) if decision.choice.leaves());
        let entry = Entry { step, outcome, at, usage: self.spent.remove(&step).unwrap_or_default() };
        self.pending.entries.push(entry.clone());
        Arc::make_mut(&mut self.journal).push(entry);
        if leaves {
            self.withdraw(step.round());
        }
        if step == Step::Publish {
            let summary = self.summary();
            self.pending.events.push(Event::RunClosed {
                success: summary.state == RunState::Succeeded,
                rounds: summary.rounds,
                open_concerns: summary.open_concerns,
                flags: summary.flags,
                error: summary.error,
            });
        }
    }

    /// A verdict that an editor overruled is not offered to another story, from the moment at which it can no longer be undone
    /// (DESIGN.md, section 8, memory keys).
    fn withdraw(&mut self, round: u32) {
        let journal = &self.journal;
        let hashes = decisions::overruled_concerns(journal, round)
            .into_iter()
            .filter_map(|concern| journal.look_up(round, concern))
            .map(|look_up| look_up.cache_key_hash.clone());
        self.pending.withdrawn.extend(hashes);
    }

    /// How the run stands now.
    pub(super) fn summary(&self) -> RunSummary {
        let journal = &self.journal;
        let publication = journal.publication();
        let round = if publication.is_some() { report::kept_round(journal).unwrap_or(0) } else { journal.rounds() };
        let (prompt_tokens, completion_tokens) = journal.tokens();
        RunSummary {
            state: match publication {
                None => RunState::Open,
                Some(publication) if publication.success => RunState::Succeeded,
                Some(_) => RunState::Failed,
            },
            waits: decisions::waits(journal).map(|wait| wait.to_string()),
            signed_by: publication.and_then(|_| decisions::signed_by(journal)).map(str::to_owned),
            rounds: journal.rounds(),
            max_rounds: decisions::max_rounds(journal),
            open_concerns: u32::try_from(report::open_concerns(journal, round).len()).unwrap_or(u32::MAX),
            flags: publication
                .map(|p| p.flags.iter().map(|flag| flag.words().to_owned()).collect())
                .unwrap_or_default(),
            prompt_tokens,
            completion_tokens,
            error: publication.and_then(|_| report::error(journal)),
        }
    }

    /// Takes what is pending, ready to be committed.
    pub(super) fn take_pending(&mut self) -> Commit {
        let waits = decisions::waits(&self.journal);
        if let Some(wait) = waits.filter(|_| self.told_to_wait != waits) {
            let question = words::question(&self.journal, wait);
            self.pending.events.push(Event::GateWaits { gate: wait.to_string(), question });
        }
        self.told_to_wait = waits;
        let mut commit = std::mem::take(&mut self.pending);
        commit.at = self.now();
        commit.summary = Some(self.summary());
        commit
    }

    /// Commits what is pending, then tells the watchers and writes the files.
    pub(super) async fn commit(&mut self) -> Result<(), DeskError> {
        let commit = self.take_pending();
        let Some(run) = self.run else { return Err(self.broken(Step::Draft, "the run is not open")) };
        let (at, events) = (commit.at.clone(), commit.events.clone());
        let (entries, memory) = (commit.entries.clone(), commit.memory.clone());
        self.going = self.desk.records.commit(run, commit).await?;
        self.tell(&at, events);
        self.desk.outputs.write_entries(&self.journal, &entries).await?;
        self.desk.outputs.write_memory(&self.journal.opening.run_id, &memory).await
    }

    /// Tells the watchers what is committed. That the run is closed is told when its files are there, too.
    pub(super) fn tell(&mut self, at: &str, events: Vec<Event>) {
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
            story: self.story.to_string(),
            run: self.journal.opening.run_id.clone(),
            event,
        });
    }
}
