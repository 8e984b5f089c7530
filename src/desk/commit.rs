//! What a run adds to its journal: entries, what else changes with them, and their one commit.

use std::{collections::HashMap, sync::Arc};

use super::{DeskError, driver::Driver, look_up, pools::Claim, words};
use crate::{
    editorial::{decisions, flags, report},
    newsroom::{Entry, Event, EventRecord, Outcome, Pool, RunState, Step},
    ports::{Commit, Committed, Going, OverBudget, Put, Room, RunKey, RunSummary, Start},
    proof,
};

/// What is told of a commit once it is done.
pub(super) struct Left {
    at: String,
    events: Vec<Event>,
    /// Of the calls that begin where their step is taken.
    starts: Vec<(Option<Step>, Event)>,
}

impl Left {
    pub(super) fn of(commit: &Commit) -> Self {
        let starts = commit.queue.put.iter().filter_map(|put| match &put.start {
            Some(Start::Call(_, event) | Start::Repeat(_, event)) => Some((put.step, event.clone())),
            None => None,
        });
        Self { at: commit.at.clone(), events: commit.events.clone(), starts: starts.collect() }
    }
}

impl Driver {
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
        if self.queued.remove(&Some(step)) {
            self.pending.queue.done.push(Some(step));
        }
        let entry = Entry { step, outcome, at, usage: self.spent.remove(&step).unwrap_or_default() };
        self.pending.entries.push(entry.clone());
        Arc::make_mut(&mut self.journal).push(entry);
        if leaves {
            self.withdraw(step.round());
        }
        if step == Step::Publish {
            self.pending.queue.clear = true;
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
                .map(|p| p.flags.iter().map(|flag| flags::told(journal, *flag, proof::living)).collect())
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
        self.queue_up(waits.is_some());
        let mut commit = std::mem::take(&mut self.pending);
        commit.at = self.now();
        self.unwritten = (commit.entries.clone(), commit.memory.clone());
        commit.summary = Some(self.summary());
        commit
    }

    /// Puts what the run has to do next into the queue.
    fn queue_up(&mut self, at_gate: bool) {
        let published = self.journal.publication().is_some();
        let clear = self.pending.queue.clear;
        if clear {
            self.queued.clear();
        }
        // What was taken and is not to be done, or not any more.
        let files = published && !clear;
        let wants = &self.wants;
        let unneeded = self.mine.extract_if(|step, _| match step {
            Some(step) => !wants.contains_key(step),
            None => !files,
        });
        for (step, place) in unneeded {
            self.queued.remove(&step);
            self.pending.queue.done.push(step);
            self.over.push(place);
        }
        let ended = published && !self.queued.contains(&None);
        // Who only commits leaves the rest to whoever takes it, and who may not go on to whoever may.
        let leaves =
            self.bench.is_none() || self.going == Going::Paused && self.wants.is_empty() && self.flying.is_empty();
        let open = leaves && !published && !at_gate;
        if ended || open {
            let pool = if published { Pool::Publisher } else { Pool::Editor };
            self.pending.queue.put.push(Put::new(None, pool));
            self.queued.insert(None);
        }
        let now = self.desk.milliseconds_after(std::time::Duration::ZERO);
        for (step, want) in &self.wants {
            // One whose time has not come stands in the queue as it is, unless it was taken all the same.
            let due = want.not_before.is_none_or(|then| then <= now) || self.mine.contains_key(&Some(*step));
            if !self.queued.contains(&Some(*step)) || want.is_new || due {
                self.pending.queue.put.push(self.message_of(*step, want));
            }
        }
        for want in self.wants.values_mut() {
            want.is_new = false;
        }
        self.queued.extend(self.wants.keys().copied().map(Some));
        self.pending.queue.arrived = self.arrived;
    }

    /// Commits what is pending, then tells the watchers and writes the files.
    pub(super) async fn commit(&mut self) -> Result<(), DeskError> {
        let commit = self.take_pending();
        let Some(run) = self.run else { return Err(self.broken(Step::Draft, "the run is not open")) };
        let left = Left::of(&commit);
        let claim = self.claim();
        let room = claim.clone().map(|claim| claim as Arc<dyn Room>);
        let committed = self.desk.records.commit(run, commit, room).await?;
        self.committed(run, left, committed, claim)?;
        self.write_files().await
    }

    /// What the next commit gives back and takes.
    pub(super) fn claim(&mut self) -> Option<Arc<Claim>> {
        let over = std::mem::take(&mut self.over);
        self.bench.as_ref().map(|bench| Claim::new(&bench.pools, over))
    }

    /// Takes in what a commit led to: what was taken is begun, steps of other runs go to the worker, the watchers are told.
    pub(super) fn committed(
        &mut self,
        run: RunKey,
        left: Left,
        committed: Committed,
        claim: Option<Arc<Claim>>,
    ) -> Result<(), DeskError> {
        let Committed { going, taken, over_budget, put_off, events } = committed;
        self.going = going;
        let mut kept: HashMap<_, _> = claim.map(Claim::into_kept).unwrap_or_default().into_iter().collect();
        for taken in taken {
            let Some(place) = kept.remove(&(taken.run, taken.step)) else { continue };
            if taken.run == run {
                self.arrived = Some(taken.arrived);
                self.mine.insert(taken.step, place);
            } else if let Some(bench) = &self.bench {
                // Where the worker is gone its places are, too.
                let _ = bench.others.send((taken, place));
            }
        }
        // Their places are free again with the next commit.
        self.over.extend(put_off.iter().filter_map(|step| self.mine.remove(step)));
        let Left { at, events: told, starts } = left;
        self.tell(&at, told);
        self.over_budget.extend(over_budget.into_iter().filter_map(|(step, over)| Some((step?, over))));
        let is_over = |step: Option<Step>, over: &[(Step, OverBudget)]| over.iter().any(|(of, _)| Some(*of) == step);
        for (step, event) in starts {
            if self.mine.contains_key(&step) && !is_over(step, &self.over_budget) {
                self.say(&at, event);
            }
        }
        self.tell(&at, events);
        for step in self.wants.keys().copied().collect::<Vec<_>>() {
            if !is_over(Some(step), &self.over_budget)
                && let Some(place) = self.mine.remove(&Some(step))
                && let Some(want) = self.wants.remove(&step)
            {
                self.begins.push((step, self.work_of(step, want.attempt)?));
                self.flying.insert(step, Some(place));
            }
        }
        Ok(())
    }

    /// Writes the files of what was committed last.
    pub(super) async fn write_files(&mut self) -> Result<(), DeskError> {
        let (entries, memory) = std::mem::take(&mut self.unwritten);
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
