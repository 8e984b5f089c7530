//! Drives one run from what its journal says, as far as the queue lets it.
//!
//! What is local (parsing, look-ups, gate, feedback, publication) rides in the commit of the step that made it ready; so do the
//! messages of the steps that come next, and, where there is a place for one of these at once, the intent of its call. So each
//! commit leaves a journal that can be gone on from, and a run costs one sync a call.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::Arc,
};

use futures_util::{FutureExt, StreamExt, future::BoxFuture, stream::FuturesUnordered};
use tokio::sync::mpsc;

use super::{
    Desk, DeskError,
    calls::{History, Landed, Want, Work},
    derive::derived,
    look_up::Subject,
    open::Errand,
    pools::{Place, Pools},
};
use crate::{
    agents::{Agents, Plan},
    editorial::{decisions, next_steps::next_steps},
    newsroom::{CallKey, Entry, Event, Failure, Journal, MemoryRecord, Outcome, Step, StoryKey, Usage, Wait},
    ports::{Ask, Commit, Going, OverBudget, RunKey, Taken},
};

/// A step that a worker has taken, with its place.
pub(super) type Handed = (Taken, Place);

/// What joins a driver to its worker.
#[derive(Clone)]
pub(super) struct Bench {
    /// The worker's places.
    pub(super) pools: Arc<Pools>,
    /// Takes steps of other runs that a commit has handed out.
    pub(super) others: mpsc::UnboundedSender<Handed>,
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
pub(super) struct Driver {
    pub(super) desk: Arc<Desk>,
    pub(super) story: StoryKey,
    pub(super) journal: Arc<Journal>,
    /// None until the run is opened.
    pub(super) run: Option<RunKey>,
    pub(super) took_over: Option<RunKey>,
    pub(super) history: History,
    /// The worker that it works for; none where it only commits.
    pub(super) bench: Option<Bench>,
    /// What the next commit adds.
    pub(super) pending: Commit,
    /// Questions that are ready to be asked, and those on their way.
    pub(super) asks: HashMap<Step, Arc<Ask>>,
    /// Steps that wait to be taken.
    pub(super) wants: BTreeMap<Step, Want>,
    /// Steps that were taken and are not begun yet, and the files of a run that has ended.
    pub(super) mine: HashMap<Option<Step>, Place>,
    /// Steps on their way.
    pub(super) flying: HashMap<Step, Option<Place>>,
    /// Places of steps that are over: given back with the next commit.
    pub(super) over: Vec<Place>,
    /// Steps that have a message.
    pub(super) queued: HashSet<Option<Step>>,
    /// Attempts and redeliveries of steps, as their messages had them.
    pub(super) delivered: HashMap<Step, (u32, u32)>,
    /// When the story came into the queue.
    pub(super) arrived: Option<i64>,
    /// Taken steps that are to be begun.
    pub(super) begins: Vec<(Step, Work)>,
    /// Steps whose call could pass the budget.
    pub(super) over_budget: Vec<(Step, OverBudget)>,
    pub(super) spent: HashMap<Step, Usage>,
    /// Verdicts that wait for those before them.
    held: BTreeMap<Step, Outcome>,
    /// Where the run waits, as it was last told.
    pub(super) told_to_wait: Option<Wait>,
    /// Whether the story goes on, as the records last said; nobody begins to work on one that is paused.
    pub(super) going: Going,
    /// The last event, until it is told.
    pub(super) closing: Option<(String, Event)>,
    /// What was committed last and has no files yet.
    pub(super) unwritten: (Vec<Entry>, Vec<MemoryRecord>),
}

impl Driver {
    pub(super) fn new(desk: &Arc<Desk>, journal: Journal, took_over: Option<RunKey>, history: History) -> Self {
        Self {
            desk: Arc::clone(desk),
            story: journal.opening.topic.story(),
            told_to_wait: decisions::waits(&journal),
            journal: Arc::new(journal),
            run: None,
            took_over,
            history,
            bench: None,
            pending: Commit::default(),
            asks: HashMap::new(),
            wants: BTreeMap::new(),
            mine: HashMap::new(),
            flying: HashMap::new(),
            over: Vec::new(),
            queued: HashSet::new(),
            delivered: HashMap::new(),
            arrived: None,
            begins: Vec::new(),
            over_budget: Vec::new(),
            spent: HashMap::new(),
            held: BTreeMap::new(),
            going: Going::On,
            closing: None,
            unwritten: Default::default(),
        }
    }

    /// Takes what its worker has taken for it.
    pub(super) fn receive(&mut self, (taken, place): Handed) {
        // What is on its way already is not begun again, nor taken out.
        if taken.step.is_some_and(|step| self.flying.contains_key(&step) || self.held.contains_key(&step)) {
            return;
        }
        self.arrived = Some(taken.arrived);
        self.queued.insert(taken.step);
        if let Some(step) = taken.step {
            self.delivered.insert(step, (taken.attempts, taken.redeliveries));
        }
        self.mine.insert(taken.step, place);
    }

    /// Works until nothing of the run is on its way any more: it has ended, waits for its editor, or for its turn. `inbox` brings steps
    /// that the worker takes meanwhile.
    pub(super) async fn work(&mut self, inbox: &mut mpsc::UnboundedReceiver<Handed>) -> Result<(), DeskError> {
        let mut flying: FuturesUnordered<BoxFuture<'static, Landed>> = FuturesUnordered::new();
        loop {
            for (step, work) in std::mem::take(&mut self.begins) {
                flying.push(work.fly(Arc::clone(&self.desk), self.story.clone(), step).boxed());
            }
            if let Some((step, over)) = self.over_budget.pop() {
                self.stop_for_budget(step, &over);
            } else {
                tokio::select! {
                    landed = flying.next() => match landed {
                        Some(landed) => self.land(landed).await?,
                        None => return Ok(()),
                    },
                    Some(handed) = inbox.recv() => self.receive(handed),
                }
            }
            if self.journal.failure().is_some() {
                // The run is over: give up what else is on its way.
                flying.clear();
                self.abandon();
            }
            self.prepare().await?;
            self.commit().await?;
        }
    }

    /// Does the local steps that are ready, and notes those that are to be queued; all of it is pending until it is committed.
    pub(super) async fn prepare(&mut self) -> Result<(), DeskError> {
        // One step at a time: what it comes to may have done others that were ready with it, as a verdict lets those go that waited for it.
        while let Some(step) = self.next() {
            let offline = is_agents_work(step) && matches!(*self.desk.agents, Agents::Offline);
            if offline || matches!(step, Step::Open { .. }) {
                let (attempts, redeliveries) = self.delivered.get(&step).copied().unwrap_or_default();
                self.wants.insert(step, Want { attempts, redeliveries, ..Want::default() });
            } else if let Some(outcome) = self.local(step).await? {
                self.settle(step, outcome);
            } else {
                self.ready_call(step).await?;
            }
            // A failure ends the run: nothing else is worked on.
            if step != Step::Publish && self.journal.failure().is_some() {
                self.abandon();
            }
        }
        Ok(())
    }

    /// The first ready step that nobody has in hand.
    fn next(&self) -> Option<Step> {
        let in_hand = |step: &Step| {
            self.flying.contains_key(step) || self.held.contains_key(step) || self.wants.contains_key(step)
        };
        self.workable().into_iter().find(|step| !in_hand(step))
    }

    /// What is done where a step is taken.
    pub(super) fn work_of(&self, step: Step, attempt: u32) -> Result<Work, DeskError> {
        Ok(match step {
            Step::Open { round, concern } => Work::Open(
                Errand::of(&self.journal, round, concern)
                    .ok_or_else(|| self.broken(step, "there is nothing to open"))?,
            ),
            step => match self.asks.get(&step) {
                Some(ask) => Work::Ask(CallKey { step, attempt }, Arc::clone(ask)),
                None => Work::Rules(Arc::clone(&self.desk.agents), Arc::clone(&self.journal)),
            },
        })
    }

    /// Takes back what is readied and not begun, and gives up what is on its way.
    fn abandon(&mut self) {
        self.flying.clear();
        self.held.clear();
        self.wants.clear();
        self.begins.clear();
        self.over_budget.clear();
    }

    /// Ends the run before a call that could pass a budget.
    fn stop_for_budget(&mut self, step: Step, over: &OverBudget) {
        let message = format!(
            "the budget is used up: {} of {} ({}) is used or on its way, and this call may use up to {}; raise it, then `copydesk \
             decide {} reopen` goes on from {step}",
            over.said(over.used),
            over.said(over.limit),
            over.key,
            over.said(over.call),
            self.story
        );
        self.append(step, Outcome::Failure(Failure { over_budget: true, ..Failure::of(message) }));
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
                concerns.len() <= self.desk.specialists_of_a_story
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
        if matches!(step, Step::Prove { .. }) {
            let work = Work::Rules(Arc::clone(&self.desk.agents), Arc::clone(&self.journal));
            let landed = work.fly(Arc::clone(&self.desk), self.story.clone(), step).await;
            let Landed::Ruled { outcome, .. } = landed else { return Ok(None) };
            return outcome.map(|outcome| Some(*outcome)).ok_or_else(|| self.broken(step, "nobody can do this step"));
        }
        match self.desk.agents.plan(&self.journal, step) {
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
    fn release_held(&mut self) {
        while let Some(first) = next_steps(&self.journal).first().copied() {
            let Some(outcome) = self.held.remove(&first) else { break };
            self.append(first, outcome);
        }
    }

    pub(super) fn now(&self) -> String {
        self.desk.now()
    }

    pub(super) fn broken(&self, step: Step, detail: &str) -> DeskError {
        DeskError::Journal { story: self.story.clone(), step: step.to_string(), detail: detail.to_owned() }
    }
}
