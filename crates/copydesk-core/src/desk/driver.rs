//! Drives one run from its journal, as far as the queue lets it.
//!
//! Local work (parsing, look-ups, gate, feedback, publication) is in the commit of the step that made it ready. So are
//! the messages of the next steps. If a worker has a slot for one of these at once, so is the intent of its call. Each
//! commit leaves a journal that can be resumed, and a run costs one sync a call.
//!
//! [`next`] chooses the next step, [`History`] begins the calls, [`InHand`] holds the steps that wait, are taken or on their way, and
//! [`JournalWriter`] commits; none of them knows the others' work.

use std::{
    collections::{BTreeMap, HashSet},
    sync::Arc,
    time::{Duration, Instant},
};

use futures_util::{FutureExt, StreamExt, future::BoxFuture, stream::FuturesUnordered};
use tokio::sync::mpsc;

use super::{
    Desk, DeskError,
    calls::{CallBegins, EarlierCalls, History, NextTry, PosedQuestion, Useless, digest, intent, message},
    commit::{Announcements, JournalWriter},
    derive::{derived, is_an_agents, next},
    in_hand::{Call, Delivery, Handed, InHand, StepBegins, Want, WorkerLink},
    pools::SlotRequest,
    work::{CitedPages, Landed, StepWork, given_up, is_optional, worked_since},
};
use crate::{
    agents::{self, Agents, Plan, UnusableAnswer},
    editorial::{consent, next_steps::next_steps, research},
    ports::{
        Ask, CallError, CallNumbers, Commit, Committed, Intent, NewRun, OverBudget, PauseState, QueuedStep, Rejected,
        RunKey, Slots, StoreError, StoredCall, StoredRun, Times, ToolEnd, ToolError, ToolTried, aside,
    },
};
use copydesk_newsroom::{
    Answer, CallKey, Event, Failure, Gates, Journal, Outcome, Pool, ResearchErrand, ResearchTurn, Step, Tool, ToolCall,
    ToolEffect, ToolResult, Usage,
};

/// How long work that may hold an answer waits for a database that is locked, or whose server is away.
const PATIENCE: Duration = Duration::from_mins(10);

/// One run at work.
pub(super) struct Driver {
    desk: Arc<Desk>,
    /// None until the run is opened.
    run: Option<RunKey>,
    took_over: Option<RunKey>,
    pub(super) writer: JournalWriter,
    history: History,
    /// The calls of the runs that this one took over from; none until they are needed.
    earlier: Option<EarlierCalls>,
    pub(super) hand: InHand,
    /// Taken steps that are to be begun.
    begins: Vec<StepBegins>,
    /// Verdicts that wait for those before them, each with its call.
    held: BTreeMap<Step, (Outcome, Option<Call>)>,
    /// Whether the story goes on, by the last look into the records; no worker begins work on a paused one.
    pub(super) going: PauseState,
}

impl Driver {
    /// Drives a run that is yet to be opened.
    pub(super) fn new(
        desk: &Arc<Desk>,
        writer: JournalWriter,
        took_over: Option<RunKey>,
        worker_link: Option<WorkerLink>,
        going: PauseState,
    ) -> Self {
        Self {
            desk: Arc::clone(desk),
            run: None,
            took_over,
            writer,
            history: History::default(),
            earlier: None,
            hand: InHand::new(worker_link),
            begins: Vec::new(),
            held: BTreeMap::new(),
            going,
        }
    }

    /// The same for a run that is in the records, with its calls, and the steps whose tool may have acted.
    pub(super) fn resumes(self, run: RunKey, calls: Vec<StoredCall>, acts: HashSet<Step>) -> Self {
        Self { run: Some(run), history: History::new(calls, acts), ..self }
    }

    /// Receives a step that the worker has taken for this run.
    pub(super) fn receive(&mut self, handed: Handed) {
        if !handed.0.step.is_some_and(|step| self.held.contains_key(&step)) {
            self.hand.receive(handed);
        }
    }

    /// Works until nothing of the run is on its way any more: it has ended, waits for its editor, or for its turn. `inbox` brings steps
    /// that the worker takes meanwhile.
    pub(super) async fn work(&mut self, inbox: &mut mpsc::UnboundedReceiver<Handed>) -> Result<(), DeskError> {
        let story = self.writer.journal.opening.topic.story();
        let mut flying: FuturesUnordered<BoxFuture<'static, (Step, Landed, Times)>> = FuturesUnordered::new();
        loop {
            for StepBegins { step, call, ready } in std::mem::take(&mut self.begins) {
                let work = self.work_of(step, call)?;
                let occasion = self.desk.occasion(&self.writer.journal.opening, format!("{step}: {}", work.whose()));
                let work = work.fly(Arc::clone(&self.desk), story.clone(), step, ready);
                flying.push(occasion.during(work).boxed());
            }
            if let Some((step, over, call)) = self.hand.stopped_by_budget() {
                self.stop_for_budget(step, &over, call.as_ref());
            } else {
                // In this order, so that a simulation can be played again.
                tokio::select! {
                    biased;
                    Some(handed) = inbox.recv() => self.receive(handed),
                    landed = flying.next() => match landed {
                        Some((step, landed, times)) => {
                            let occasion = self.desk.occasion(&self.writer.journal.opening, "offered tools".to_owned());
                            occasion.during(self.land(step, landed, times)).await?;
                        }
                        None => return Ok(()),
                    },
                }
            }
            if self.writer.journal.failure().is_some() {
                // The run is over: give up all other work on its way.
                flying.clear();
                self.abandon();
            }
            self.prepare().await?;
            self.commit().await?;
        }
    }

    /// Does the local steps that are ready, and notes those that are to be queued; all of it is pending until it is committed.
    pub(super) async fn prepare(&mut self) -> Result<(), DeskError> {
        // One step at a time: a step that is done may have released others that were ready with it.
        while let Some(step) = self.next() {
            let occasion = self.desk.occasion(&self.writer.journal.opening, format!("{step}: look-ups"));
            occasion.during(self.prepare_step(step)).await?;
            // A failure ends the run: nothing else is worked on.
            if step != Step::Publish && self.writer.journal.failure().is_some() {
                self.abandon();
            }
        }
        Ok(())
    }

    /// Does a step that is ready, if it is local; else notes that it is to be queued.
    async fn prepare_step(&mut self, step: Step) -> Result<(), DeskError> {
        let offline =
            is_an_agents(step) && !matches!(step, Step::Turn { .. }) && matches!(*self.desk.agents, Agents::Offline);
        if let Some(known) = self.known_result(step).await? {
            self.settle(step, Outcome::Tool(known), None);
        } else if offline || matches!(step, Step::Open { .. } | Step::Tool { .. }) {
            match self.acting_tool(step).await {
                Some(tool) if tool.effect == ToolEffect::Asks && !consent::is_allowed(&self.writer.journal, step) => {
                    let why = format!(
                        "Nobody has allowed a call of {}, and without an editor's word it is not made. Go on without it.",
                        tool.name
                    );
                    self.settle(step, Outcome::Tool(ToolResult::failure(why)), None);
                    return Ok(());
                }
                Some(tool) => self.hand.acts(step, tool.name),
                None => {}
            }
            self.hand.want(step, None);
        } else {
            let begun = Instant::now();
            match self.local_patiently(step).await? {
                Plan::Done(outcome) => {
                    self.writer.takes(step, worked_since(begun));
                    self.settle(step, *outcome, None);
                }
                Plan::Ask(ask) => self.ready_call(step, ask.into()).await?,
            }
        }
        Ok(())
    }

    fn next(&self) -> Option<Step> {
        let in_hand = |step| self.hand.has(step) || self.held.contains_key(&step);
        next(&self.writer.journal, self.desk.specialists_of_a_story, in_hand)
    }

    fn work_of(&self, step: Step, call: Option<Call>) -> Result<StepWork, DeskError> {
        let journal = &self.writer.journal;
        Ok(match (step, call) {
            (Step::Open { round, concern }, _) => StepWork::Open(
                CitedPages::of(journal, round, concern)
                    .ok_or_else(|| self.writer.error(step, "there is nothing to open"))?,
            ),
            (Step::Tool { errand, .. }, _) => {
                let wanted = consent::call(journal, step).cloned();
                let wanted = wanted.ok_or_else(|| self.writer.error(step, "nobody asked for this call"))?;
                StepWork::Tool(agents::agent_of(journal, errand), wanted)
            }
            (Step::Prove { .. }, _) => StepWork::Prove(Arc::clone(journal)),
            (_, Some(call)) => StepWork::Ask(call),
            (_, None) => StepWork::Rules(Arc::clone(journal)),
        })
    }

    /// Takes back the steps that are ready and not begun, and gives up those on their way.
    fn abandon(&mut self) {
        self.hand.abandon();
        self.held.clear();
        self.begins.clear();
    }

    /// Ends the run before a call that could pass a budget, or goes on without an opinion.
    fn stop_for_budget(&mut self, step: Step, over: &OverBudget, call: Option<&Call>) {
        let mut message = format!(
            "the budget is used up: {} of {} ({}) is used or about to be, and this call may use up to {}",
            over.said(over.used),
            over.said(over.limit),
            over.key,
            over.said(over.call)
        );
        if !is_optional(step) {
            let story = self.writer.journal.opening.topic.story();
            message = format!("{message}; raise it, then `copydesk decide {story} reopen` continues at {step}");
        }
        let failure = Failure { over_budget: true, ..Failure::of(message) };
        self.append(step, given_up(&self.writer.journal, step, failure), call);
    }

    /// The same as [`Self::local`], also if the database is locked or its server is away for a while: an answer that was paid for waits for its
    /// commit.
    async fn local_patiently(&self, step: Step) -> Result<Plan, DeskError> {
        let began = Instant::now();
        loop {
            match self.local(step).await {
                Err(DeskError::Store(StoreError::Busy { .. } | StoreError::Away { .. }))
                    if began.elapsed() < PATIENCE => {}
                done => return done,
            }
        }
    }

    /// Does a step that needs no call, or returns the question to ask.
    async fn local(&self, step: Step) -> Result<Plan, DeskError> {
        let journal = &self.writer.journal;
        let missing = |detail: &str| self.writer.error(step, detail);
        if let Some(by_rule) = derived(journal, step, &self.desk.now()) {
            return Ok(Plan::Done(Box::new(by_rule)));
        }
        let outcome = match step {
            Step::Turn { errand, .. } => return self.plan_turn(step, errand).await,
            Step::LookUp { round, concern } | Step::Questions { round, concern } => {
                let asked = self.desk.look_up_subject(journal, round, concern);
                let asked = asked.ok_or_else(|| missing("it is not mapped"))?;
                if matches!(step, Step::LookUp { .. }) {
                    self.desk.look_up(journal, asked).await?
                } else if self.desk.needs_nobody(journal, &asked).await? {
                    // The memory is asked before any call.
                    Outcome::Questions(Vec::new())
                } else {
                    return self.plan(step).await;
                }
            }
            Step::Claims { round } => {
                let rules = journal.opening.settings.claims.ok_or_else(|| missing("its claims are not checked"))?;
                self.desk.check_claims(journal, round, rules).await?
            }
            Step::Prove { .. } => {
                *self.desk.prove(Arc::clone(journal), step).await.ok_or_else(|| missing("nobody can do this step"))?
            }
            _ => return self.plan(step).await,
        };
        Ok(Plan::Done(Box::new(outcome)))
    }

    /// Lets the agent plan a step: it is done at once, or a model must be asked. Choosing from long sources takes a while, so it runs away
    /// from the thread that serves every story.
    async fn plan(&self, step: Step) -> Result<Plan, DeskError> {
        let journal = &self.writer.journal;
        let plan = if self.desk.agents.takes_a_while(journal) {
            let (agents, journal) = (Arc::clone(&self.desk.agents), Arc::clone(journal));
            let planned = aside(move || agents.plan(&journal, step)).await;
            planned.map_err(|error| self.writer.error(step, &format!("the prompt could not be made ({error})")))?
        } else {
            self.desk.agents.plan(journal, step)
        };
        plan.ok_or_else(|| self.writer.error(step, "nobody can do this step"))
    }

    /// The tools that an errand may use now. Only the Reporter may call tools that act; the others only read.
    async fn tools_of(&self, errand: ResearchErrand) -> Vec<Tool> {
        let mut tools = self.desk.toolbox.tools(agents::agent_of(&self.writer.journal, errand)).await;
        tools.retain(|tool| errand.serves().is_none() || tool.effect == ToolEffect::Reads);
        tools
    }

    /// Plans a turn of an agent with the tools that there are now. Reading the finds takes a while.
    async fn plan_turn(&self, step: Step, errand: ResearchErrand) -> Result<Plan, DeskError> {
        let mut tools = self.tools_of(errand).await;
        // Without an editor, there is no person to ask for consent.
        let asks = self.writer.journal.opening.gates == Gates::Editor;
        tools.retain(|tool| asks || tool.effect != ToolEffect::Asks);
        let (agents, journal) = (Arc::clone(&self.desk.agents), Arc::clone(&self.writer.journal));
        let planned = aside(move || agents.plan_turn(&journal, step, &tools)).await;
        let planned =
            planned.map_err(|error| self.writer.error(step, &format!("the turn could not be planned ({error})")))?;
        planned.ok_or_else(|| self.writer.error(step, "nobody can do this step"))
    }

    /// Readies the call of a step: it is wanted from then on. If its answer is known, that is taken in instead.
    async fn ready_call(&mut self, step: Step, ask: Arc<Ask>) -> Result<(), DeskError> {
        let card = self.desk.model.card(ask.agent);
        let first = PosedQuestion { digest: digest(&ask, &card).into(), ask, less: false };
        let (begins, question, spent) =
            self.history.begin(step, &first, &question_after_call(&self.desk, &self.writer.journal, step));
        let call = |question, attempt, repeats| Call { question, attempt, repeats, spent };
        match begins {
            CallBegins::Answered { attempt, answer } => {
                let read = Agents::read(&self.writer.journal, step, &answer);
                self.take_in(step, call(question, attempt, false), answer, read, true).await;
            }
            CallBegins::Again { attempt } => self.hand.want(step, Some(call(question, attempt, true))),
            CallBegins::New { attempt } => {
                let Some((question, mut answer)) = self.known_answer(step, &question).await? else {
                    self.hand.want(step, Some(call(question, attempt, false)));
                    return Ok(());
                };
                let call = call(question, attempt, false);
                // Paid for by the run that this one took over from.
                answer.usage = Usage::default();
                let known = Intent { reckoned: (0, 0), ..intent(step, &call, card) };
                self.writer.pending.intents.push(known);
                let read = Agents::read(&self.writer.journal, step, &answer);
                self.writer.pending.answers.push((CallKey { step, attempt }, answer.clone()));
                self.take_in(step, call, answer, read, true).await;
            }
        }
        Ok(())
    }

    /// Returns the answer to a question in a run that this one took over from, with the last question: the question itself, or one that
    /// followed a rejected answer.
    async fn known_answer(
        &mut self,
        step: Step,
        first: &PosedQuestion,
    ) -> Result<Option<(PosedQuestion, Answer)>, DeskError> {
        let Some(run) = self.took_over.filter(|_| self.writer.journal.opening.anew != Some(step)) else {
            return Ok(None);
        };
        if let Some(answer) = self.desk.records.answer_for(run, &first.digest).await? {
            return Ok(Some((first.clone(), answer)));
        }
        if self.earlier.is_none() {
            let (mut earlier, mut run) = (EarlierCalls::default(), Some(run));
            while let Some(key) = run {
                let stored = self.desk.records.load(key).await?;
                earlier.add(stored.calls);
                run = stored.took_over;
            }
            self.earlier = Some(earlier);
        }
        let next = question_after_call(&self.desk, &self.writer.journal, step);
        Ok(self.earlier.as_ref().and_then(|earlier| earlier.answer(step, first, &next)))
    }

    /// Takes in the result of a step's work.
    async fn land(&mut self, step: Step, landed: Landed, times: Times) -> Result<(), DeskError> {
        self.hand.lands(step);
        match landed {
            Landed::Done(outcome) => {
                self.writer.takes(step, times);
                if let Ok(Some(outcome)) = &outcome
                    && let Outcome::Tool(result) = outcome.as_ref()
                {
                    self.note_tool(step, ToolEnd::of(result), times);
                }
                let outcome = outcome?.ok_or_else(|| self.writer.error(step, "nobody can do this step"))?;
                self.settle(step, *outcome, None);
            }
            Landed::ToolFailed(error) => {
                self.writer.takes(step, times);
                self.note_tool(step, ToolEnd::Lost, times);
                self.redeliver_tool(step, &error);
            }
            Landed::Answered { mut call, result } => {
                self.measure(step, &mut call, times, result.as_ref().ok());
                self.land_call(step, call, result).await?;
            }
        }
        Ok(())
    }

    /// Returns the result that the same call had before an interruption, or in a run that this one took over from, so that no call is made
    /// twice. A failed call is made again if its tool only reads; so is a call that is to be done anew.
    async fn known_result(&self, step: Step) -> Result<Option<ToolResult>, DeskError> {
        let Step::Tool { errand, turn, call } = step else { return Ok(None) };
        let calls =
            |journal: &Journal| consent::call(journal, step).map(|call| (call.name.clone(), call.arguments.clone()));
        let wanted = calls(&self.writer.journal);
        let interrupted = || {
            let tool = wanted.as_ref().map_or("the tool", |(name, _)| name);
            ToolResult::unknown(tool, "the program stopped during the call")
        };
        if let Some(refusal) = consent::refusal(&self.writer.journal, step) {
            return Ok(Some(ToolResult::failure(refusal)));
        }
        let offered =
            |tools: Vec<Tool>| tools.iter().any(|tool| wanted.as_ref().is_some_and(|(name, _)| *name == tool.name));
        if errand.serves().is_some() && !offered(self.tools_of(errand).await) {
            return Ok(Some(ToolResult::failure(
                "There is no such tool that you may call. Go on without it.".to_owned(),
            )));
        }
        if let Some(why) = consent::withheld(&self.writer.journal, step) {
            return Ok(Some(ToolResult::failure(why)));
        }
        if self.history.may_have_acted(step) {
            return Ok(Some(interrupted()));
        }
        let mut earlier = self.took_over.filter(|_| self.writer.journal.opening.anew != Some(step));
        while let Some(run) = earlier {
            let StoredRun { journal, took_over, acts, .. } = self.desk.records.load(run).await?;
            if calls(&journal) == wanted {
                let acted = acts.contains(&step);
                let known = journal.tool(errand, turn, call).filter(|known| acted || !known.failed).cloned();
                if let Some(known) = known.or_else(|| acted.then(interrupted)) {
                    return Ok(Some(known));
                }
            }
            earlier = took_over;
        }
        Ok(None)
    }

    /// The tool that a step calls, if it is one that acts.
    async fn acting_tool(&self, step: Step) -> Option<Tool> {
        let Step::Tool { errand, .. } = step else { return None };
        let wanted = consent::call(&self.writer.journal, step)?;
        let tools = self.tools_of(errand).await;
        let tool = tools.into_iter().find(|tool| tool.name == wanted.name)?;
        (tool.effect != ToolEffect::Reads).then_some(tool)
    }

    /// The calls of a turn that a person must allow.
    async fn asks(&self, step: Step, turn: &ResearchTurn) -> Vec<u32> {
        let Step::Turn { errand, .. } = step else { return Vec::new() };
        if turn.calls.is_empty() {
            return Vec::new();
        }
        let tools = self.tools_of(errand).await;
        let asks = |call: &ToolCall| tools.iter().any(|tool| tool.name == call.name && tool.effect == ToolEffect::Asks);
        (1..).zip(&turn.calls).filter(|(_, call)| asks(call)).map(|(number, _)| number).collect()
    }

    /// Redelivers a call of a tool that gave no result. After the last redelivery the Reporter is told of the error, or the run fails.
    fn redeliver_tool(&mut self, step: Step, error: &ToolError) {
        let (rules, before) = (&self.desk.queue_rules, self.hand.delivery(step));
        let error = error.to_string();
        if before.redeliveries < rules.max_redeliveries {
            let redelivery = before.redeliveries.saturating_add(1);
            let wait = rules.back_off(&self.writer.journal.opening.run_id, step, redelivery);
            let (of, again_in_seconds) = (rules.max_redeliveries, wait.as_secs_f64());
            self.writer.pending.events.push(Event::StepRedelivered { step, redelivery, of, again_in_seconds });
            let delivery = Delivery { attempts: 0, redeliveries: redelivery };
            let not_before = Some(self.desk.milliseconds_after(wait));
            self.hand.pause(self.run, wait);
            self.hand.want_again(step, Want { not_before, delivery, error: Some(error), ..Want::default() });
        } else if self.desk.fails_with_tools {
            self.give_up(step, None, error, true);
        } else {
            self.append(step, Outcome::Tool(ToolResult::failure(error)), None);
        }
    }

    /// Gives a step up: the run fails, or continues without it. `dead`: it may go better later.
    fn give_up(&mut self, step: Step, call: Option<&Call>, error: String, dead: bool) {
        if dead {
            self.writer.pending.events.push(Event::StepDead { step, error: error.clone() });
            self.writer.pending.queue.dead = Some(QueuedStep {
                asks: call.map(|call| call.question.ask.agent),
                redeliveries: self.hand.delivery(step).redeliveries,
                error: Some(error.clone()),
                ..QueuedStep::new(Some(step), Pool::of(step))
            });
        }
        let failure = Failure { dead_letter: dead, ..Failure::of(error) };
        self.append(step, given_up(&self.writer.journal, step, failure), call);
    }

    /// Notes how a call of a tool ended.
    fn note_tool(&mut self, step: Step, end: ToolEnd, times: Times) {
        let tool = consent::call(&self.writer.journal, step).map(|call| call.name.clone()).unwrap_or_default();
        self.writer.pending.tools.push(ToolTried { step, tool, end, times });
    }

    /// Notes the time and the tokens of an attempt.
    fn measure(&mut self, step: Step, call: &mut Call, times: Times, answer: Option<&Answer>) {
        call.spent.add_times(times);
        let model = self.desk.model.card(call.question.ask.agent).model;
        let cost = answer.and_then(|answer| self.desk.queue_rules.budget.cost_of_call(&model, &answer.usage));
        let key = CallKey { step, attempt: call.attempt };
        self.writer.pending.numbers.insert(key, CallNumbers { times, cost });
    }

    async fn land_call(&mut self, step: Step, call: Call, result: Result<Answer, CallError>) -> Result<(), DeskError> {
        let (news, parks) = self.desk.hear(step, call.question.ask.agent, &result).await?;
        self.writer.pending.queue.heard.extend(news);
        let result = result.map(|answer| (Agents::read(&self.writer.journal, step, &answer), answer));
        let useless = !matches!(result, Ok((Ok(_), _)));
        // If the story was paused while the call was on its way, no new attempt is announced.
        if useless
            && let Some(run) = self.run
            && self.desk.queue.unfinished_run(run).await?.is_some_and(|run| run.paused)
        {
            self.going = PauseState::Paused;
        }
        match result {
            Ok((read, answer)) => self.take_in(step, call, answer, read, false).await,
            Err(error) => self.reject(step, &call, error.to_string(), None, &Useless::of(&error, parks)),
        }
        Ok(())
    }

    /// Takes an answer in.
    async fn take_in(
        &mut self,
        step: Step,
        mut call: Call,
        answer: Answer,
        read: Result<Outcome, UnusableAnswer>,
        recorded: bool,
    ) {
        call.spent.add_tokens(answer.usage);
        match read {
            Ok(mut outcome) => {
                if !recorded {
                    self.writer.pending.answers.push((CallKey { step, attempt: call.attempt }, answer));
                }
                match &mut outcome {
                    Outcome::Evidence(found) => found.prompt = call.question.ask.prompt.text(),
                    Outcome::Opinions(opinions) => opinions.by = self.desk.model.card(call.question.ask.agent).model,
                    Outcome::Turn(turn) => turn.asks = self.asks(step, turn).await,
                    _ => {}
                }
                self.settle(step, outcome, Some(call));
            }
            Err(error) => self.reject(step, &call, error.to_string(), Some(answer), &Useless::UNUSABLE),
        }
    }

    /// Handles a step whose call was no use. It gets another attempt first. Then, if it may go better later, it gets
    /// another delivery, or waits for its server. Otherwise the run has failed.
    fn reject(&mut self, step: Step, call: &Call, error: String, answer: Option<Answer>, useless: &Useless) {
        let attempt = call.attempt;
        let card = self.desk.model.card(call.question.ask.agent);
        let asked = &call.question;
        let following = question_after(&self.desk, &self.writer.journal, step, asked, answer.as_ref(), &error);
        let with_less = following.less && !asked.less;
        let (rules, before) = (&self.desk.queue_rules, self.hand.delivery(step));
        let next = NextTry::of(useless, &card, rules, before, (&self.writer.journal.opening.run_id, step));
        let next = match next {
            NextTry::Park | NextTry::Redelivery(_) | NextTry::Never { .. } if is_optional(step) => {
                NextTry::Never { dead: false }
            }
            next => next,
        };
        let next = if with_less { NextTry::Attempt(std::time::Duration::ZERO) } else { next };
        let told = if with_less { format!("{error}; asked again with less of the sources") } else { error.clone() };
        let completed =
            answer.as_ref().and_then(|answer| agents::completed(&self.writer.journal, step, &asked.ask, answer));
        // A small model leaves the same out again. Rules do the rest.
        let next = if completed.is_some() && attempt > 1 { NextTry::Never { dead: false } } else { next };
        let delivery = next.delivery(before);
        let pending = &mut self.writer.pending;
        pending.events.push(Event::CallFailed {
            step,
            attempt,
            message: told,
            again_in_seconds: match next {
                NextTry::Attempt(wait) if self.going == PauseState::On => Some(wait.as_secs_f64()),
                _ => None,
            },
        });
        pending.rejected.push(Rejected { key: CallKey { step, attempt }, error: error.clone(), answer });
        let wait = match next {
            NextTry::Attempt(wait) => wait,
            NextTry::Park => {
                pending.events.push(Event::StepParked { step, server: card.host });
                std::time::Duration::ZERO
            }
            NextTry::Redelivery(wait) => {
                pending.events.push(Event::StepRedelivered {
                    step,
                    redelivery: delivery.redeliveries,
                    of: rules.max_redeliveries,
                    again_in_seconds: wait.as_secs_f64(),
                });
                wait
            }
            NextTry::Never { .. } if completed.is_some() => {
                return completed.into_iter().for_each(|outcome| self.append(step, outcome, Some(call)));
            }
            NextTry::Never { dead } => {
                let attempts = if attempt > 1 { format!(" ({attempt} attempts)") } else { String::new() };
                let message = format!("{error}{attempts}");
                return self.give_up(step, Some(call), message, dead);
            }
        };
        let not_before = (!wait.is_zero()).then(|| self.desk.milliseconds_after(wait));
        if not_before.is_some() {
            self.hand.pause(self.run, wait);
        }
        let call =
            Some(Call { question: following, attempt: attempt.saturating_add(1), repeats: false, spent: call.spent });
        self.hand.want_again(step, Want { call, not_before, delivery, error: Some(error), ..Want::default() });
    }

    /// A verdict waits for the verdicts on earlier concerns; everything else is appended at once.
    fn settle(&mut self, step: Step, mut outcome: Outcome, call: Option<Call>) {
        if let Outcome::Tool(result) = &mut outcome {
            research::tell_apart(&self.writer.journal, &mut result.found);
        }
        if !matches!(outcome, Outcome::Verdict(_)) {
            return self.append(step, outcome, call.as_ref());
        }
        self.held.insert(step, (outcome, call));
        while let Some(first) = next_steps(&self.writer.journal).first().copied() {
            let Some((outcome, call)) = self.held.remove(&first) else { break };
            self.append(first, outcome, call.as_ref());
        }
    }

    fn append(&mut self, step: Step, outcome: Outcome, call: Option<&Call>) {
        if self.hand.is_done(step) {
            self.writer.pending.queue.done.push(Some(step));
        }
        self.writer.append(step, outcome, call);
    }

    /// Opens the run with the pending commit. None if its name is taken.
    pub(super) async fn open(&mut self, new: impl FnOnce(Commit) -> NewRun) -> Result<Option<RunKey>, DeskError> {
        let (commit, told, request) = self.seal();
        let slots = request.clone().map(|request| request as Arc<dyn Slots>);
        let Some((run, committed)) = self.desk.records.open_run(new(commit), slots).await? else { return Ok(None) };
        self.run = Some(run);
        self.writer.generation = Some(committed.generation);
        self.committed(run, told, committed, request);
        self.writer.write_files().await?;
        Ok(Some(run))
    }

    /// Makes the pending commit, then tells the watchers and writes the files.
    pub(super) async fn commit(&mut self) -> Result<(), DeskError> {
        let run = self.run.ok_or_else(|| self.writer.error(Step::Draft, "the run is not open"))?;
        let (commit, told, request) = self.seal();
        let slots = request.clone().map(|request| request as Arc<dyn Slots>);
        let committed = self.desk.records.commit(run, commit, slots).await?;
        self.committed(run, told, committed, request);
        self.writer.write_files().await
    }

    /// Returns the next commit, the news told after it, and the slots that it gives back and takes.
    fn seal(&mut self) -> (Commit, Announcements, Option<Arc<SlotRequest>>) {
        let at = self.writer.stands(self.going);
        let model = &*self.desk.model;
        self.hand.deal(at, &mut self.writer.pending.queue, |step, call, put| message(model, step, call, put));
        let (commit, told) = self.writer.seal();
        (commit, told, self.hand.request())
    }

    /// Takes in the result of a commit: begins the steps that were taken, and tells the watchers.
    fn committed(
        &mut self,
        run: RunKey,
        told: Announcements,
        mut committed: Committed,
        request: Option<Arc<SlotRequest>>,
    ) {
        self.going = committed.going;
        self.hand.committed(run, &mut committed, request);
        let begun = told.starts.into_iter().filter(|(step, _)| self.hand.begins(*step)).map(|(_, event)| event);
        self.writer.tell(&told.at, told.events.into_iter().chain(begun).chain(committed.events));
        self.begins.extend(self.hand.begin());
    }
}

/// As [`question_after`], for attempts that are on record.
fn question_after_call(
    desk: &Desk,
    journal: &Journal,
    step: Step,
) -> impl Fn(&PosedQuestion, &StoredCall) -> PosedQuestion {
    move |before, call| {
        question_after(desk, journal, step, before, call.answer.as_ref(), call.error.as_deref().unwrap_or_default())
    }
}

/// Returns the question after an attempt that was of no use. After an overflow it has less of the sources, once. Else it names the fault of
/// the answer, if that helps the model. Else it is the same question.
fn question_after(
    desk: &Desk,
    journal: &Journal,
    step: Step,
    before: &PosedQuestion,
    answer: Option<&Answer>,
    error: &str,
) -> PosedQuestion {
    let with_less = (!before.less).then(|| desk.agents.ask_with_less(journal, step, &before.ask, error)).flatten();
    let less = before.less || with_less.is_some();
    match with_less.or_else(|| desk.agents.ask_again(&before.ask, answer, error)) {
        Some(ask) => {
            PosedQuestion { digest: digest(&ask, &desk.model.card(ask.agent)).into(), ask: Arc::new(ask), less }
        }
        None => before.clone(),
    }
}
