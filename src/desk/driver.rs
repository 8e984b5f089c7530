//! Drives one run from what its journal says to its end.
//!
//! What is local (parsing, look-ups, gate, feedback, offline work, publication) rides in the commit of the step that made
//! it ready; a call's intent does too. So each commit leaves a journal that can be gone on from, and a run costs one sync
//! a call.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::Arc,
    time::Duration,
};

use futures_util::{StreamExt, stream::FuturesUnordered};

use super::{
    Desk, DeskError,
    calls::{self, Beginning, Flight, History, Landed},
    look_up, words,
};
use crate::{
    agents::{self, Agents, Plan},
    editorial::{bullets, decisions, next_steps::next_steps, report},
    newsroom::{
        CallKey, Entry, Event, EventRecord, Failure, Journal, Outcome, Publication, Step, StoryKey, Usage, Wait,
    },
    ports::{Ask, Commit, Going, Intent, Rejected, RunKey, RunState, RunSummary},
};

/// What is to be done after a commit.
#[derive(Default)]
pub(super) struct Ready {
    /// Calls to be made.
    flights: Vec<Flight>,
    /// Whether there is offline work that waits for the next commit.
    more: bool,
}

/// Whether an agent does the step: then it may take a while.
fn is_agents_work(step: Step) -> bool {
    match step {
        Step::Draft
        | Step::Review { .. }
        | Step::Map { .. }
        | Step::Search { .. }
        | Step::Judge { .. }
        | Step::Revise { .. } => true,
        Step::Parse { .. }
        | Step::LookUp { .. }
        | Step::Decide { .. }
        | Step::Gate { .. }
        | Step::Feedback { .. }
        | Step::Publish => false,
    }
}

/// One run at work.
pub(super) struct Driver<'d> {
    desk: &'d Desk,
    story: StoryKey,
    pub(super) journal: Arc<Journal>,
    /// None until the run is opened.
    pub(super) run: Option<RunKey>,
    took_over: Option<RunKey>,
    history: History,
    /// What the next commit adds.
    pub(super) pending: Commit,
    /// Questions that are ready to be asked, and those on their way.
    asks: HashMap<Step, Arc<Ask>>,
    flying: HashSet<Step>,
    spent: HashMap<Step, Usage>,
    /// Verdicts that wait for those before them.
    held: BTreeMap<Step, Outcome>,
    /// Where the run waits, as it was last told.
    told_to_wait: Option<Wait>,
    /// Whether the story goes on, as it was said last.
    pub(super) going: Going,
    /// The last event, until it is told.
    closing: Option<(String, Event)>,
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
        let mut flying = FuturesUnordered::new();
        // Nothing was prepared, because the story was paused.
        let mut held_back = false;
        loop {
            for flight in ready.flights {
                flying.push(fly(desk, &story, flight));
            }
            let mut next = Vec::new();
            if self.going == Going::Paused && flying.is_empty() {
                return Ok(());
            }
            if !(ready.more || held_back) || self.going == Going::Paused {
                let Some(landed) = flying.next().await else { return Ok(()) };
                next = self.land(landed);
                // What was decided during the call counts before another one is asked.
                if let Some(run) = self.run {
                    self.going = desk.records.going(run).await?;
                }
                if self.journal.failure().is_some() {
                    // The run is over: give up what else is on its way.
                    flying.clear();
                    self.abandon(&mut next);
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
                if let Some(outcome) = self.local(step).await? {
                    self.settle(step, outcome);
                    progressed = true;
                } else {
                    ready.flights.push(self.ready_call(step).await?);
                }
                // A failure ends the run: nothing else is worked on.
                if step != Step::Publish && self.journal.failure().is_some() {
                    self.abandon(&mut ready.flights);
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
    fn abandon(&mut self, flights: &mut Vec<Flight>) {
        flights.clear();
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
            Step::Parse { round } => {
                let review = self.journal.review(round).ok_or_else(|| missing("there is no review"))?;
                match bullets::parse(&review.raw) {
                    Ok(concerns) => Outcome::Concerns(concerns),
                    Err(error) => Outcome::Failure(Failure { message: error.to_string() }),
                }
            }
            Step::Decide { .. } => return Err(missing("only an editor decides it")),
            Step::Gate { round } => Outcome::Gate(decisions::outcome(&self.journal, round)),
            Step::Feedback { round } => Outcome::Feedback(decisions::feedback(&self.journal, round)),
            Step::LookUp { round, concern } => {
                let specialist =
                    agents::specialist_of(&self.journal, round, concern).ok_or_else(|| missing("it is not mapped"))?;
                let concerns = &self.journal.concerns(round).ok_or_else(|| missing("there are no concerns"))?.concerns;
                let claim = concerns
                    .iter()
                    .find(|candidate| candidate.concern_id == concern)
                    .map(|concern| concern.excerpt.clone())
                    .ok_or_else(|| missing("there is no such concern"))?;
                self.desk.look_up(&self.journal, specialist, &claim, &self.pending.memory).await?
            }
            Step::Publish => Outcome::Publication(Publication {
                generated_at: self.now(),
                success: report::succeeded(&self.journal),
                flags: report::flags(&self.journal),
            }),
            Step::Draft
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
        let plan = match *self.desk.agents {
            Agents::Models { .. } => self.desk.agents.plan(&self.journal, step),
            // Rules over a large source take a while: not on the thread that serves every story.
            Agents::Offline => {
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

    /// Readies the call of a step: its intent is pending, or its recorded answer is at hand.
    async fn ready_call(&mut self, step: Step) -> Result<Flight, DeskError> {
        let ask = self.asks.get(&step).cloned().ok_or_else(|| self.broken(step, "there is nothing to ask"))?;
        let card = self.desk.model.card(ask.agent);
        let digest = calls::digest(&ask, &card);
        let (beginning, spent) = self.history.begin(step, &digest);
        self.spent.insert(step, spent);
        self.flying.insert(step);
        let flight = |attempt, known| Flight {
            key: CallKey { step, attempt },
            ask: Arc::clone(&ask),
            wait: Duration::ZERO,
            known,
        };
        match beginning {
            Beginning::Answered { attempt, answer } => Ok(flight(attempt, Some(answer))),
            Beginning::Again { attempt } => {
                self.pending.repeats.push(CallKey { step, attempt });
                self.pending.events.push(Event::CallRepeated { step, attempt });
                // A later attempt had been told to wait; how much of that is over is not known.
                let wait = if attempt > 1 { card.retry_delay } else { Duration::ZERO };
                Ok(Flight { wait, ..flight(attempt, None) })
            }
            Beginning::New { attempt } => {
                let known = match self.took_over {
                    Some(run) => self.desk.records.answer_for(run, &digest).await?,
                    None => None,
                };
                self.intend(CallKey { step, attempt }, &ask, known.is_none());
                if let Some(mut answer) = known {
                    // Paid for by the run that this one took over from.
                    answer.usage = Usage::default();
                    self.pending.answers.push((CallKey { step, attempt }, answer.clone()));
                    return Ok(flight(attempt, Some(answer)));
                }
                Ok(flight(attempt, None))
            }
        }
    }

    /// Writes an intent into the pending commit.
    fn intend(&mut self, key: CallKey, ask: &Arc<Ask>, called: bool) {
        let card = self.desk.model.card(ask.agent);
        if called {
            self.pending.events.push(Event::CallStarted {
                step: key.step,
                attempt: key.attempt,
                agent: ask.agent.name().to_owned(),
                model: card.model.clone(),
                host: card.host.clone(),
            });
        }
        self.pending.intents.push(Intent {
            key,
            agent: ask.agent,
            digest: calls::digest(ask, &card),
            model: card.model,
            host: card.host,
            prompt: ask.prompt.clone(),
        });
    }

    /// Takes a call's result in. Returns the next attempt, where there is one.
    fn land(&mut self, landed: Landed) -> Vec<Flight> {
        let Landed { key, ask, result, recorded } = landed;
        let step = key.step;
        let answer = match result {
            Ok(answer) => answer,
            Err(error) => {
                return self.reject(key, &ask, &error.to_string(), None, error.may_retry(), error.retry_after());
            }
        };
        match Agents::read(&self.journal, step, &answer) {
            Ok(mut outcome) => {
                calls::add(self.spent.entry(step).or_default(), answer.usage);
                if !recorded {
                    self.pending.answers.push((key, answer));
                }
                if let Outcome::Evidence(found) = &mut outcome {
                    found.prompt = ask.prompt.text();
                }
                self.flying.remove(&step);
                self.settle(step, outcome);
                Vec::new()
            }
            Err(error) => self.reject(key, &ask, &error.to_string(), Some(answer), true, None),
        }
    }

    fn reject(
        &mut self,
        key: CallKey,
        ask: &Arc<Ask>,
        error: &str,
        answer: Option<crate::newsroom::Answer>,
        may_retry: bool,
        retry_after: Option<Duration>,
    ) -> Vec<Flight> {
        let step = key.step;
        let attempt = key.attempt;
        if let Some(answer) = &answer {
            calls::add(self.spent.entry(step).or_default(), answer.usage);
        }
        let wait = calls::next_wait(&self.desk.model.card(ask.agent), attempt, may_retry, retry_after);
        self.pending.events.push(Event::CallFailed {
            step,
            attempt,
            message: error.to_owned(),
            again_in_seconds: wait.map(|wait| wait.as_secs_f64()),
        });
        self.pending.rejected.push(Rejected { key, error: error.to_owned(), answer });
        if let Some(wait) = wait {
            let key = CallKey { step, attempt: attempt.saturating_add(1) };
            self.intend(key.clone(), ask, true);
            return vec![Flight { key, ask: Arc::clone(ask), wait, known: None }];
        }
        self.flying.remove(&step);
        let attempts = if attempt > 1 { format!(" ({attempt} attempts)") } else { String::new() };
        self.append(step, Outcome::Failure(Failure { message: format!("{error}{attempts}") }));
        Vec::new()
    }

    /// A verdict waits for the verdicts on earlier concerns; everything else is appended at once.
    fn settle(&mut self, step: Step, outcome: Outcome) {
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
            // A verdict that an editor overruled is not offered to another story (DESIGN.md, section 8, memory keys).
            Outcome::Gate(_) => {
                let round = step.round();
                let overruled = self
                    .journal
                    .verdicts(round)
                    .into_iter()
                    .map(|verdict| verdict.concern_id)
                    .filter(|concern| decisions::overruled(&self.journal, round, *concern).is_some());
                let hashes = overruled
                    .filter_map(|concern| self.journal.look_up(round, concern))
                    .map(|look_up| look_up.cache_key_hash.clone());
                self.pending.withdrawn.extend(hashes);
            }
            _ => {}
        }
        let entry = Entry { step, outcome, at, usage: self.spent.remove(&step).unwrap_or_default() };
        self.pending.entries.push(entry.clone());
        Arc::make_mut(&mut self.journal).push(entry);
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

    fn now(&self) -> String {
        self.desk.now()
    }

    fn broken(&self, step: Step, detail: &str) -> DeskError {
        DeskError::Journal { story: self.story.clone(), step: step.to_string(), detail: detail.to_owned() }
    }
}

/// Makes a call, or brings its known answer.
async fn fly(desk: &Desk, story: &StoryKey, flight: Flight) -> Landed {
    let Flight { key, ask, wait, known } = flight;
    if let Some(answer) = known {
        return Landed { key, ask, result: Ok(answer), recorded: true };
    }
    if !wait.is_zero() {
        tokio::time::sleep(wait).await;
    }
    let step = key.step;
    let result = desk.model.ask(&ask, &|text| desk.watch.heard(story, step, text)).await;
    Landed { key, ask, result, recorded: false }
}
