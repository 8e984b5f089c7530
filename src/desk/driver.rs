//! Drives one run from what its journal says to its end.
//!
//! What is local (parsing, look-ups, gate, feedback, offline work, publication) rides in the commit of the step that made
//! it ready; a call's intent does too. So each commit leaves a journal that can be gone on from, and a run costs one sync
//! a call.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::Arc,
};

use futures_util::{FutureExt, StreamExt, future::BoxFuture, stream::FuturesUnordered};

use super::{
    Desk, DeskError,
    calls::{Flight, History, Landed, fly},
    derive::derived,
    look_up::Subject,
    open::Errand,
};
use crate::{
    agents::{Agents, Plan},
    editorial::{decisions, next_steps::next_steps},
    newsroom::{Event, Failure, Journal, Outcome, Step, StoryKey, Usage, Wait},
    ports::{Ask, Commit, Going, RunKey},
};

/// What is to be done after a commit.
#[derive(Default)]
pub(super) struct Ready {
    /// Calls to be made.
    flights: Vec<Flight>,
    /// Pages to be opened.
    errands: Vec<(Step, Errand)>,
    /// Whether there is offline work that waits for the next commit.
    more: bool,
}

/// Whether an agent does the step: then it may take a while.
fn is_agents_work(step: Step) -> bool {
    match step {
        Step::Draft
        | Step::Prove { .. }
        | Step::Review { .. }
        | Step::Map { .. }
        | Step::Questions { .. }
        | Step::Search { .. }
        | Step::Judge { .. }
        | Step::Revise { .. } => true,
        Step::Parse { .. }
        | Step::LookUp { .. }
        | Step::Open { .. }
        | Step::Decide { .. }
        | Step::Claims { .. }
        | Step::Gate { .. }
        | Step::Feedback { .. }
        | Step::Publish => false,
    }
}

/// One run at work.
pub(super) struct Driver<'d> {
    pub(super) desk: &'d Desk,
    pub(super) story: StoryKey,
    pub(super) journal: Arc<Journal>,
    /// None until the run is opened.
    pub(super) run: Option<RunKey>,
    pub(super) took_over: Option<RunKey>,
    pub(super) history: History,
    /// What the next commit adds.
    pub(super) pending: Commit,
    /// Questions that are ready to be asked, and those on their way.
    pub(super) asks: HashMap<Step, Arc<Ask>>,
    pub(super) flying: HashSet<Step>,
    pub(super) spent: HashMap<Step, Usage>,
    /// Verdicts that wait for those before them.
    held: BTreeMap<Step, Outcome>,
    /// Where the run waits, as it was last told.
    pub(super) told_to_wait: Option<Wait>,
    /// Whether the story goes on, as the records last said; nobody begins to work on one that is paused.
    pub(super) going: Going,
    /// The last event, until it is told.
    pub(super) closing: Option<(String, Event)>,
}

impl<'d> Driver<'d> {
    pub(super) fn new(desk: &'d Desk, journal: Journal, took_over: Option<RunKey>, history: History) -> Self {
        Self {
            desk,
            story: journal.opening.topic.story(),
            told_to_wait: decisions::waits(&journal),
            journal: Arc::new(journal),
            run: None,
            took_over,
            history,
            pending: Commit::default(),
            asks: HashMap::new(),
            flying: HashSet::new(),
            spent: HashMap::new(),
            held: BTreeMap::new(),
            going: Going::On,
            closing: None,
        }
    }

    /// Works until nothing is left to do. `ready` is what the last commit announced.
    pub(super) async fn work(&mut self, mut ready: Ready) -> Result<(), DeskError> {
        let desk = self.desk;
        let story = self.story.clone();
        let mut flying: FuturesUnordered<BoxFuture<'_, Landed>> = FuturesUnordered::new();
        // Nothing was prepared, because the story was paused.
        let mut held_back = false;
        loop {
            for flight in ready.flights {
                flying.push(fly(desk, &story, self.run, flight).boxed());
            }
            for (step, errand) in ready.errands {
                flying.push(desk.open(errand).map(move |result| Landed::Opened { step, result }).boxed());
            }
            let mut next = None;
            if self.going == Going::Paused && flying.is_empty() {
                return Ok(());
            }
            if !(ready.more || held_back) || self.going == Going::Paused {
                let Some(landed) = flying.next().await else { return Ok(()) };
                // Somebody may have paused the story while the call was on its way: then it is not tried again either.
                if let Some(run) = self.run {
                    self.going = desk.records.going(run).await?;
                }
                next = self.land(landed)?;
                if self.journal.failure().is_some() {
                    // The run is over: give up what else is on its way.
                    flying.clear();
                    next = None;
                    self.abandon();
                }
            }
            // A paused story takes in what is on its way and asks nothing new.
            held_back = self.going == Going::Paused;
            ready = if held_back { Ready::default() } else { self.prepare(1).await? };
            if self.journal.failure().is_some() {
                flying.clear();
            } else {
                ready.flights.extend(next);
            }
            self.commit().await?;
        }
    }

    /// Does the local steps that are ready, offline work on at most `rules` of them, and readies calls; all of it is pending
    /// until it is committed.
    pub(super) async fn prepare(&mut self, mut rules: usize) -> Result<Ready, DeskError> {
        let mut ready = Ready::default();
        loop {
            let mut progressed = false;
            ready.more = false;
            for step in self.workable() {
                if self.flying.contains(&step) || self.held.contains_key(&step) {
                    continue;
                }
                if is_agents_work(step) && matches!(*self.desk.agents, Agents::Offline) {
                    // One transaction a step: what comes after it waits for the next commit.
                    if rules == 0 {
                        ready.more = true;
                        continue;
                    }
                    rules -= 1;
                }
                if let Step::Open { round, concern } = step {
                    let errand = Errand::of(&self.journal, round, concern);
                    let errand = errand.ok_or_else(|| self.broken(step, "there is nothing to open"))?;
                    self.flying.insert(step);
                    ready.errands.push((step, errand));
                } else if let Some(outcome) = self.local(step).await? {
                    self.settle(step, outcome);
                    progressed = true;
                } else {
                    ready.flights.push(self.ready_call(step).await?);
                }
                // A failure ends the run: nothing else is worked on.
                if step != Step::Publish && self.journal.failure().is_some() {
                    ready.flights.clear();
                    ready.errands.clear();
                    self.abandon();
                    break;
                }
            }
            progressed |= self.release_held();
            if !progressed {
                return Ok(ready);
            }
        }
    }

    /// Takes back calls that are readied but not made.
    fn abandon(&mut self) {
        self.flying.clear();
        self.held.clear();
        self.pending.intents.clear();
        self.pending.repeats.clear();
        self.pending.events.retain(|event| !matches!(event, Event::CallStarted { .. } | Event::CallRepeated { .. }));
    }

    /// The ready steps that there is room for: those of the first concerns in order, as many as specialists may work.
    fn workable(&self) -> Vec<Step> {
        let mut concerns = Vec::new();
        let mut steps = next_steps(&self.journal);
        steps.retain(|step| match step.concern() {
            None => true,
            Some(concern) => {
                if !concerns.contains(&concern) {
                    concerns.push(concern);
                }
                concerns.len() <= self.desk.specialists_at_once
            }
        });
        steps
    }

    /// Does a step that needs no call; none where it needs one.
    async fn local(&mut self, step: Step) -> Result<Option<Outcome>, DeskError> {
        let missing = |detail: &str| self.broken(step, detail);
        Ok(Some(match step {
            Step::Parse { .. } | Step::Gate { .. } | Step::Feedback { .. } | Step::Publish => {
                derived(&self.journal, step, &self.now()).ok_or_else(|| missing("there is no review"))?
            }
            Step::Decide { .. } => return Err(missing("only an editor decides it")),
            Step::Open { .. } => return Err(missing("it is not done here")),
            Step::Questions { round, concern } => {
                let subject = Subject::of(&self.journal, round, concern).ok_or_else(|| missing("it is not mapped"))?;
                // The memory is looked up before any call (seed 002, section 7.3).
                if self.desk.recall(&self.journal, subject, &self.pending.memory).await?.needs_nobody() {
                    Outcome::Questions(Vec::new())
                } else {
                    return self.plan(step).await;
                }
            }
            Step::LookUp { round, concern } => {
                let subject = Subject::of(&self.journal, round, concern).ok_or_else(|| missing("it is not mapped"))?;
                self.desk.look_up(&self.journal, subject, &self.pending.memory).await?
            }
            Step::Claims { round } => {
                let rules = self.journal.opening.claims.ok_or_else(|| missing("its claims are not checked"))?;
                self.desk.check_claims(&self.journal, round, rules).await?
            }
            Step::Draft
            | Step::Prove { .. }
            | Step::Review { .. }
            | Step::Map { .. }
            | Step::Search { .. }
            | Step::Judge { .. }
            | Step::Revise { .. } => {
                return self.plan(step).await;
            }
        }))
    }

    /// Lets the agent plan a step: what it can do at once comes back, what must be asked is kept for [`Self::ready_call`].
    async fn plan(&mut self, step: Step) -> Result<Option<Outcome>, DeskError> {
        if self.asks.contains_key(&step) {
            return Ok(None);
        }
        let plan = match (&*self.desk.agents, step) {
            (Agents::Offline, _) | (_, Step::Prove { .. }) => {
                // Rules over a large source take a while: not on the thread that serves every story.
                let (agents, journal) = (Arc::clone(&self.desk.agents), Arc::clone(&self.journal));
                match tokio::task::spawn_blocking(move || agents.plan(&journal, step)).await {
                    Ok(plan) => plan,
                    Err(error) => {
                        let message =
                            format!("the offline rules broke off ({error}); please report this with the topic");
                        return Ok(Some(Outcome::Failure(Failure { message })));
                    }
                }
            }
            (Agents::Models { .. }, _) => self.desk.agents.plan(&self.journal, step),
        };
        match plan {
            Some(Plan::Done(outcome)) => Ok(Some(*outcome)),
            Some(Plan::Ask(ask)) => {
                self.asks.insert(step, Arc::from(ask));
                Ok(None)
            }
            None => Err(self.broken(step, "nobody can do this step")),
        }
    }

    /// A verdict waits for the verdicts on earlier concerns; everything else is appended at once.
    pub(super) fn settle(&mut self, step: Step, outcome: Outcome) {
        if matches!(outcome, Outcome::Verdict(_)) {
            self.held.insert(step, outcome);
            self.release_held();
        } else {
            self.append(step, outcome);
        }
    }

    /// Appends the verdicts whose turn it is.
    fn release_held(&mut self) -> bool {
        let mut released = false;
        while let Some(first) = next_steps(&self.journal).first().copied() {
            let Some(outcome) = self.held.remove(&first) else { break };
            self.append(first, outcome);
            released = true;
        }
        released
    }

    pub(super) fn now(&self) -> String {
        self.desk.now()
    }

    pub(super) fn broken(&self, step: Step, detail: &str) -> DeskError {
        DeskError::Journal { story: self.story.clone(), step: step.to_string(), detail: detail.to_owned() }
    }
}
