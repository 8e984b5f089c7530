//! Tries the configured models on the cases of a trial, by the same agents, prompts and readers as a story. Writes nothing down but
//! the requests.
//!
//! A case is a journal that begins shortly before the step that is tried. Calls are made one after another, so no server gets more
//! than its slots, and no faster than its limits allow. An answer that is no use
//! is a mark: a story would ask again.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use super::{Desk, derive::derived};
use crate::{
    agents::{Agents, Plan},
    editorial::{
        next_steps::next_steps,
        trial::{
            ReviewMarks, RightOf, TrialCall, TrialCases, TrialCasesError, TrialReport, TrialRole, TriedVerdict,
            review_marks, writing_marks,
        },
    },
    ports::{Ask, CallError, ModelProfile, WorkProgress},
};
use copydesk_newsroom::{
    Agent, ArticleResponse, ArticleReviewRaw, ConcernMapping, Entry, Journal, LookUp, Opening, Outcome, Passage,
    Review, RunSettings, Specialist, Status, Step, Tier, ToolUsers, Topic, Usage, amount,
};
use copydesk_proof as proof;

/// The reason why a trial stopped early.
#[derive(Debug, thiserror::Error)]
pub enum TrialError {
    #[error(
        "engine: offline asks no model, so there is nothing to try; `copydesk init` writes a configuration for your model server"
    )]
    NoModels,
    #[error(transparent)]
    Cases(#[from] TrialCasesError),
    #[error("the trial stopped at call {call} ({agent}): {error}")]
    Stopped { call: usize, agent: &'static str, error: CallError },
    #[error("the trial could not go on at step {step}: {why}")]
    Step { step: Step, why: String },
}

impl Desk {
    /// Tries every model on every case. `progress` is told how many calls were made.
    ///
    /// # Errors
    /// [`TrialError`] if no model is configured or a server cannot be asked. An answer that is no use is a mark, not an error.
    pub async fn try_models(&self, style: &str, progress: &WorkProgress) -> Result<TrialReport, TrialError> {
        if matches!(*self.agents, Agents::Offline) {
            return Err(TrialError::NoModels);
        }
        let cases = TrialCases::shipped()?;
        let mut trial =
            Trial { desk: self, style, progress, all: cases.count(), calls: Vec::new(), free: HashMap::new() };
        self.of_house("trial").during(trial.report(&cases)).await
    }
}

struct Trial<'d> {
    desk: &'d Desk,
    style: &'d str,
    progress: &'d WorkProgress,
    /// Calls in all, as far as it is known.
    all: usize,
    calls: Vec<TrialCall>,
    /// When each server may be asked again.
    free: HashMap<String, Instant>,
}

impl Trial<'_> {
    async fn report(&mut self, cases: &TrialCases) -> Result<TrialReport, TrialError> {
        let mut report = TrialReport { models: self.models(), ..TrialReport::default() };
        let mut writes = self.journal(cases.writing.topic(self.style)?, None);
        // As far as a story does: in sections, and once more if a program remarks on the draft.
        let is_written = |journal: &Journal| !matches!(next_steps(journal).first(), Some(Step::Draft | Step::Write(_)));
        if self.until(&mut writes, is_written).await?
            && let Some(draft) = writes.draft(1)
        {
            let objections = proof::check(&draft.article, &writes.sources()).len();
            report.writing = Some(writing_marks(&writes, draft, objections));
        }
        let mut marks = ReviewMarks::default();
        for source in &cases.reviews {
            for draft in &source.drafts {
                let mut journal = self.journal(source.topic(self.style)?, Some(source.article(draft)));
                // A review that cannot be read has found nothing.
                self.until(&mut journal, |journal| journal.concerns(1).is_some()).await?;
                marks = marks.and(review_marks(draft, &journal));
            }
        }
        // Without a model the proof reviews.
        let reviews = self.calls.iter().any(|call| call.agent == Agent::ArticleReview);
        report.review = reviews.then_some(marks);
        self.concerns(cases, &mut report).await?;
        report.calls = std::mem::take(&mut self.calls);
        Ok(report)
    }

    /// Maps the concerns of a draft; then each goes to its right specialist, whatever the mapping said.
    async fn concerns(&mut self, cases: &TrialCases, report: &mut TrialReport) -> Result<(), TrialError> {
        let desk = &cases.desk;
        let (round, right) = (1, desk.mapping());
        let mut journal = self.journal(cases.desk_topic(self.style)?, None);
        push(&mut journal, Step::Draft, Outcome::Draft(desk.article().into()));
        let raw = ArticleReviewRaw { markdown_bullets: desk.bullets() };
        push(&mut journal, Step::Review { round }, Outcome::Review(Review::new(raw, Vec::new())));
        push(&mut journal, Step::Parse { round }, Outcome::Concerns(desk.review()));
        report.mapping.of = right.mappings.len();
        let mut mapped = journal.clone();
        if self.until(&mut mapped, |journal| journal.mapping(round).is_some()).await?
            && let Some(given) = mapped.mapping(round)
        {
            let agent = |id| given.mappings.iter().find(|one| one.concern_id == id).map(|one| one.selected_agent);
            let is_right = |one: &&ConcernMapping| agent(one.concern_id) == Some(one.selected_agent);
            report.mapping = RightOf { right: right.mappings.iter().filter(is_right).count(), ..report.mapping };
        }
        push(&mut journal, Step::Map { round }, Outcome::Mapping(right));
        for (concern, case) in (1..).zip(&desk.concerns) {
            let (specialist, keep) = (case.specialist, case.keep);
            if specialist == Specialist::FactCheck {
                let found = looked_up(&journal);
                push(&mut journal, Step::LookUp { round, concern }, found);
            }
            let step = Step::Judge { round, concern };
            let judged = self.done(&mut journal, step).await?;
            let verdict = journal.verdict(round, concern).filter(|_| judged);
            let kept = verdict.map(|verdict| verdict.status == Status::Keep);
            report.verdicts.push(TriedVerdict { specialist, keep, kept });
        }
        Ok(())
    }

    /// The models of each role.
    fn models(&self) -> Vec<(TrialRole, String)> {
        let roles = [TrialRole::Writer, TrialRole::Reviewer, TrialRole::Mapping, TrialRole::Specialists];
        let named = |role: TrialRole| {
            let agents = Agent::all().filter(move |agent| role.has(*agent));
            let mut models: Vec<String> = agents.map(|agent| self.desk.model.card(agent).model).collect();
            models.dedup();
            (role, models.join(", "))
        };
        roles.map(named).to_vec()
    }

    /// Returns the journal of a run that asks only the questions on trial, under the settings of a story.
    fn journal(&self, topic: Topic, given_draft: Option<ArticleResponse>) -> Journal {
        let mut opening = self.desk.renewed(Opening { given_draft, ..Opening::of(topic, 1) });
        opening.research = None;
        opening.settings = RunSettings {
            proves: false,
            second_opinion: false,
            asks_questions: false,
            claims: None,
            prepares: false,
            publisher_asks: false,
            seeks_evidence: false,
            tool_users: ToolUsers::NONE,
            ..opening.settings
        };
        Journal::new(opening)
    }

    /// Does the next steps until `is_done`; false if an answer was of no use.
    async fn until(&mut self, journal: &mut Journal, is_done: impl Fn(&Journal) -> bool) -> Result<bool, TrialError> {
        while !is_done(journal) {
            let Some(step) = next_steps(journal).into_iter().next() else { return Ok(false) };
            if !self.done(journal, step).await? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Does a step; false if its answer was no use.
    async fn done(&mut self, journal: &mut Journal, step: Step) -> Result<bool, TrialError> {
        let cannot = |why: &str| TrialError::Step { step, why: why.to_owned() };
        let outcome = match self.desk.agents.plan(journal, step) {
            Some(Plan::Done(outcome)) => *outcome,
            Some(Plan::Ask(ask)) => match self.asked(journal, step, &ask).await? {
                Some(outcome) => outcome,
                None => return Ok(false),
            },
            None => derived(journal, step, "").ok_or_else(|| cannot("nobody does it"))?,
        };
        if let Outcome::Failure(failure) = &outcome {
            return Err(cannot(&failure.message));
        }
        push(journal, step, outcome);
        Ok(true)
    }

    /// Asks a model, and marks whether its answer is of use.
    async fn asked(&mut self, journal: &Journal, step: Step, ask: &Ask) -> Result<Option<Outcome>, TrialError> {
        let card = self.desk.model.card(ask.agent);
        if let Some(free) = self.free.get(&card.host) {
            tokio::time::sleep(free.saturating_duration_since(Instant::now())).await;
        }
        let begun = Instant::now();
        let first: Mutex<Option<Duration>> = Mutex::default();
        let heard = |_: &str| {
            first.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(|| begun.elapsed());
        };
        let answered = self.desk.model.ask(ask, &heard).await;
        let seconds = begun.elapsed();
        let first = first.into_inner().unwrap_or_else(PoisonError::into_inner).unwrap_or(seconds);
        let (outcome, usage, problem) = match answered {
            Ok(answer) => match Agents::read(journal, step, &answer) {
                Ok(outcome) => (Some(outcome), answer.usage, None),
                Err(unusable) => (None, answer.usage, Some(unusable.to_string())),
            },
            Err(error) if is_the_models(&error) => (None, Usage::default(), Some(error.to_string())),
            Err(error) => {
                let (call, agent) = (self.calls.len() + 1, ask.agent.name());
                return Err(TrialError::Stopped { call, agent, error });
            }
        };
        let prompt_tokens = usage.prompt_tokens.unwrap_or_else(|| card.prompt_tokens(&ask.prompt));
        let call = TrialCall {
            agent: ask.agent,
            first_seconds: first.as_secs_f64(),
            seconds: seconds.as_secs_f64(),
            read_tokens: prompt_tokens.saturating_sub(usage.cached_tokens.unwrap_or(0)),
            prompt_tokens,
            answer_tokens: usage.completion_tokens.unwrap_or(0),
            problem,
        };
        self.rest(&card, begun, call.prompt_tokens + call.answer_tokens);
        self.calls.push(call);
        let done = self.calls.len();
        // A writer that works by sections makes more calls than one.
        self.progress.at(done as u64, self.all.max(done) as u64);
        Ok(outcome)
    }

    /// Lets a server rest as long as its limits ask (`desk.servers`).
    fn rest(&mut self, card: &ModelProfile, begun: Instant, tokens: u64) {
        let Some(limits) = self.desk.queue_rules.servers.values().find(|limits| limits.server == card.host) else {
            return;
        };
        let minute = Duration::from_mins(1);
        let requests = limits.per_minute.and_then(|most| minute.checked_div(most)).unwrap_or_default();
        let share = limits.tokens_per_minute.map_or(0.0, |most| amount(tokens) / amount(most.max(1)));
        self.free.insert(card.host.clone(), begun + requests.max(minute.mul_f64(share)));
    }
}

/// Whether an answer that did not come whole tells of the model, not of its server.
fn is_the_models(error: &CallError) -> bool {
    matches!(
        error,
        CallError::EndedEarly { .. }
            | CallError::Stopped { .. }
            | CallError::AnswerTooLarge { .. }
            | CallError::NothingSaid { .. }
            | CallError::Unusable { .. }
    )
}

/// Returns the result of a look-up with nothing remembered, and with each source as one passage.
fn looked_up(journal: &Journal) -> Outcome {
    let passages = journal.texts().map(|(name, text)| Passage {
        file: name.to_owned(),
        start: 0,
        end: text.len() as u64,
        text: text.to_owned(),
        tier: Tier::Source,
        ..Passage::default()
    });
    let passages = passages.collect();
    Outcome::LookUp(LookUp { kb_index_version: Some("trial".to_owned()), passages, ..LookUp::default() })
}

fn push(journal: &mut Journal, step: Step, outcome: Outcome) {
    journal.push(Entry { step, outcome, at: String::new(), usage: Usage::default(), shown: None });
}
