//! Calls of one run: readied, made, taken in; their attempts, what is known of them from before an interruption, and what becomes of
//! one that was no use.

mod history;

use std::{sync::Arc, time::Duration};

use sha2::{Digest, Sha256};

use super::{Desk, DeskError, driver::Driver, open::Errand};
use crate::{
    agents::{Agents, Plan},
    newsroom::{Answer, CallKey, Event, Failure, Journal, OpenedCitation, Outcome, Pool, Step, StoryKey, Usage},
    ports::{Ask, CallError, Card, Dead, Going, Intent, Put, Rejected, ServerDid, ServerNews, Start},
};
pub(super) use history::{Beginning, History};

/// The longest wait that a server's Retry-After may ask for before the step is given up.
const LONGEST_WAIT: Duration = Duration::from_mins(10);

/// Adds tokens as far as they are known.
pub(super) fn add(total: &mut Usage, more: Usage) {
    let sum = |a: Option<u64>, b: Option<u64>| match (a, b) {
        (None, None) => None,
        (a, b) => Some(a.unwrap_or(0).saturating_add(b.unwrap_or(0))),
    };
    total.prompt_tokens = sum(total.prompt_tokens, more.prompt_tokens);
    total.completion_tokens = sum(total.completion_tokens, more.completion_tokens);
}

/// Hex digest of a call's whole input: who asks which model how, every message, the schema. The server's address is not
/// part of it: the same model behind another port gives the same kind of answer.
pub(super) fn digest(ask: &Ask, card: &Card) -> String {
    let mut hash = Sha256::new();
    let mut field = |text: &str| {
        hash.update((text.len() as u64).to_be_bytes());
        hash.update(text);
    };
    field(ask.agent.name());
    field(&card.model);
    field(&card.shape);
    for message in &ask.prompt.messages {
        field(message.role.name());
        field(&message.text());
    }
    if let Some(schema) = &ask.schema {
        field(&schema.schema.to_string());
    }
    hex::encode(hash.finalize())
}

/// A step that waits to be taken.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Want {
    /// The number of the call's attempt; 0 where no model is asked.
    pub(super) attempt: u32,
    /// Whether the call was in flight at an interruption, under that number.
    pub(super) repeats: bool,
    /// Hex digest of its input.
    pub(super) digest: Option<Arc<str>>,
    /// Milliseconds since 1970.
    pub(super) not_before: Option<i64>,
    /// Attempts of this delivery that were no use.
    pub(super) attempts: u32,
    /// How often the step was put in again.
    pub(super) redeliveries: u32,
    /// Why it was.
    pub(super) error: Option<String>,
    /// Whether the queue does not have it so yet.
    pub(super) is_new: bool,
}

/// What is done for a step that was taken.
pub(super) enum Work {
    /// A model is asked.
    Ask(CallKey, Arc<Ask>),
    /// The pages that a search cited are read.
    Open(Errand),
    /// Rules do it.
    Rules(Arc<Agents>, Arc<Journal>),
}

/// What became of a step.
pub(super) enum Landed {
    /// A call came back.
    Call { key: CallKey, ask: Arc<Ask>, result: Result<Answer, CallError> },
    /// The pages that a search cited are read.
    Opened { step: Step, result: Result<Vec<OpenedCitation>, DeskError> },
    /// Rules have done it; none where no rule can.
    Ruled { step: Step, outcome: Option<Box<Outcome>> },
}

impl Work {
    /// Does it.
    pub(super) async fn fly(self, desk: Arc<Desk>, story: StoryKey, step: Step) -> Landed {
        match self {
            Self::Ask(key, ask) => {
                let result = desk.model.ask(&ask, &|text| desk.watch.heard(&story, step, text)).await;
                Landed::Call { key, ask, result }
            }
            Self::Open(errand) => Landed::Opened { step, result: desk.open(errand).await },
            Self::Rules(agents, journal) => {
                // Rules over a large source take a while: not on the thread that serves every story.
                let outcome = match tokio::task::spawn_blocking(move || agents.plan(&journal, step)).await {
                    Ok(Some(Plan::Done(outcome))) => Some(outcome),
                    Ok(_) => None,
                    Err(error) => {
                        let message =
                            format!("the offline rules broke off ({error}); please report this with the topic");
                        Some(Box::new(Outcome::Failure(Failure::of(message))))
                    }
                };
                Landed::Ruled { step, outcome }
            }
        }
    }
}

/// How long to wait before the next attempt of a delivery; none where there is to be none.
///
/// `attempt` is the one that failed, 1 for the first of its delivery. A server's Retry-After counts where it is longer than the
/// configured delay.
pub(super) fn next_wait(card: &Card, attempt: u32, may_retry: bool, retry_after: Option<Duration>) -> Option<Duration> {
    let wait = card.retry_delay.max(retry_after.unwrap_or_default());
    (may_retry && attempt <= card.max_retries && wait <= LONGEST_WAIT).then_some(wait)
}

/// Why a call was no use.
struct Useless {
    error: String,
    answer: Option<Answer>,
    may_retry: bool,
    /// Whether it may go better later, without anything being changed.
    passes: bool,
    retry_after: Option<Duration>,
    /// Whether the step waits for its server, which is left alone from now on.
    parks: bool,
}

impl Driver {
    /// Readies the call of a step: it is wanted from then on. If its answer is known, that is taken in instead.
    pub(super) async fn ready_call(&mut self, step: Step) -> Result<(), DeskError> {
        let ask = self.asks.get(&step).cloned().ok_or_else(|| self.broken(step, "there is nothing to ask"))?;
        let card = self.desk.model.card(ask.agent);
        let digest = digest(&ask, &card);
        let (beginning, spent) = self.history.begin(step, &digest);
        self.spent.insert(step, spent);
        let (attempts, redeliveries) = self.delivered.get(&step).copied().unwrap_or_default();
        let known: Arc<str> = Arc::from(digest.as_str());
        let want = |attempt, repeats| {
            let digest = Some(Arc::clone(&known));
            Want { attempt, repeats, digest, attempts, redeliveries, ..Want::default() }
        };
        match beginning {
            Beginning::Answered { attempt, answer } => {
                self.take_in(CallKey { step, attempt }, &ask, answer, true);
            }
            Beginning::Again { attempt } => {
                self.wants.insert(step, want(attempt, true));
            }
            Beginning::New { attempt } | Beginning::Next { attempt } => {
                let known = match self.took_over {
                    Some(_) if self.journal.opening.anew == Some(step) => None,
                    Some(run) => self.desk.records.answer_for(run, &digest).await?,
                    None => None,
                };
                if let Some(mut answer) = known {
                    // Paid for by the run that this one took over from.
                    answer.usage = Usage::default();
                    let key = CallKey { step, attempt };
                    let known = Intent { reckoned: (0, 0), ..intent(key.clone(), &ask, card, digest) };
                    self.pending.intents.push(known);
                    self.pending.answers.push((key.clone(), answer.clone()));
                    self.take_in(key, &ask, answer, true);
                } else {
                    self.wants.insert(step, want(attempt, false));
                }
            }
        }
        Ok(())
    }

    /// The message of a step that waits to be taken.
    pub(super) fn message_of(&self, step: Step, want: &Want) -> Put {
        let mut put = Put {
            not_before: want.not_before,
            attempts: want.attempts,
            redeliveries: want.redeliveries,
            error: want.error.clone(),
            taken: self.mine.contains_key(&Some(step)),
            ..Put::new(Some(step), Pool::of(step))
        };
        let Some(ask) = self.asks.get(&step) else { return put };
        let card = self.desk.model.card(ask.agent);
        let key = CallKey { step, attempt: want.attempt };
        put.asks = Some(ask.agent);
        put.tokens = card.tokens_of(&ask.prompt);
        put.start = Some(if want.repeats {
            Start::Repeat(key, Event::CallRepeated { step, attempt: want.attempt })
        } else {
            let event = Event::CallStarted {
                step,
                attempt: want.attempt,
                agent: ask.agent.name().to_owned(),
                model: card.model.clone(),
                host: card.host.clone(),
            };
            let digest = want.digest.as_deref().map_or_else(|| digest(ask, &card), str::to_owned);
            Start::Call(Box::new(intent(key, ask, card, digest)), event)
        });
        put
    }

    /// Takes in what became of a step.
    pub(super) async fn land(&mut self, landed: Landed) -> Result<(), DeskError> {
        match landed {
            Landed::Opened { step, result } => {
                self.lands(step);
                self.settle(step, Outcome::Opened(result?));
            }
            Landed::Ruled { step, outcome } => {
                self.lands(step);
                let outcome = outcome.ok_or_else(|| self.broken(step, "nobody can do this step"))?;
                self.settle(step, *outcome);
            }
            Landed::Call { key, ask, result } => {
                self.lands(key.step);
                let server = self.desk.model.card(ask.agent).host;
                match result {
                    Ok(answer) => {
                        let usage = answer.usage;
                        let tokens = usage
                            .prompt_tokens
                            .zip(usage.completion_tokens)
                            .map(|(sent, got)| sent.saturating_add(got));
                        let what = ServerDid::Answered { step: key.step, tokens };
                        self.pending.queue.heard.push(ServerNews { server, what });
                        if Agents::read(&self.journal, key.step, &answer).is_err() {
                            self.see_whether_it_goes_on().await?;
                        }
                        self.take_in(key, &ask, answer, false);
                    }
                    Err(error) => {
                        self.see_whether_it_goes_on().await?;
                        let parks = self.hear_failure(server, &error).await?;
                        let useless = Useless {
                            error: error.to_string(),
                            answer: None,
                            may_retry: error.may_retry(),
                            passes: error.passes(),
                            retry_after: error.retry_after(),
                            parks,
                        };
                        self.reject(key, &ask, useless);
                    }
                }
            }
        }
        Ok(())
    }

    /// Somebody may have paused the story while a call was on its way: then it is not said that it is tried again.
    async fn see_whether_it_goes_on(&mut self) -> Result<(), DeskError> {
        if let Some(run) = self.run
            && self.desk.queue.unfinished_run(run).await?.is_some_and(|run| run.paused)
        {
            self.going = Going::Paused;
        }
        Ok(())
    }

    /// Notes what a call that failed says about its server. Returns whether the step waits for that: it is left alone from now on, and
    /// what failed is not the step's own doing, as far as can be told.
    async fn hear_failure(&mut self, server: String, error: &CallError) -> Result<bool, DeskError> {
        if let Some(wait) = error.retry_after().filter(|wait| *wait <= LONGEST_WAIT) {
            let what = ServerDid::Busy { until: self.desk.milliseconds_after(wait) };
            self.pending.queue.heard.push(ServerNews { server, what });
            return Ok(false);
        }
        if !error.is_the_servers() {
            return Ok(false);
        }
        let at_most = self.desk.queue_rules.breaker.failures;
        let now = self.desk.milliseconds_after(Duration::ZERO);
        let failing = self.desk.queue.failing(&server, now).await?;
        let down = at_most > 0 && failing.failures.saturating_add(1) >= at_most;
        self.pending.queue.heard.push(ServerNews { server, what: ServerDid::Failed { error: error.to_string() } });
        // A server that rested, and breaks down again over this call, may do so over each delivery of it.
        Ok(down && !(failing.probed && error.may_be_the_prompts()))
    }

    /// A step is on its way no more; its place is free with the next commit.
    fn lands(&mut self, step: Step) {
        self.over.extend(self.flying.remove(&step).flatten());
    }

    /// Takes an answer in.
    fn take_in(&mut self, key: CallKey, ask: &Arc<Ask>, answer: Answer, recorded: bool) {
        let step = key.step;
        match Agents::read(&self.journal, step, &answer) {
            Ok(mut outcome) => {
                add(self.spent.entry(step).or_default(), answer.usage);
                if !recorded {
                    self.pending.answers.push((key, answer));
                }
                if let Outcome::Evidence(found) = &mut outcome {
                    found.prompt = ask.prompt.text();
                }
                self.settle(step, outcome);
            }
            Err(error) => {
                let useless = Useless {
                    error: error.to_string(),
                    answer: Some(answer),
                    may_retry: true,
                    passes: false,
                    retry_after: None,
                    parks: false,
                };
                self.reject(key, ask, useless);
            }
        }
    }

    /// What becomes of a step whose call was no use: another attempt; then, where it may go better later, another delivery, or it waits
    /// for its server; else the run has failed (DESIGN.md, section 8).
    fn reject(&mut self, key: CallKey, ask: &Arc<Ask>, useless: Useless) {
        let Useless { error, answer, may_retry, passes, retry_after, parks } = useless;
        let CallKey { step, attempt } = key;
        if let Some(answer) = &answer {
            add(self.spent.entry(step).or_default(), answer.usage);
        }
        let (attempts, redeliveries) = self.delivered.get(&step).copied().unwrap_or_default();
        let wait = next_wait(&self.desk.model.card(ask.agent), attempts.saturating_add(1), may_retry, retry_after);
        self.pending.events.push(Event::CallFailed {
            step,
            attempt,
            message: error.clone(),
            again_in_seconds: wait.filter(|_| self.going == Going::On).map(|wait| wait.as_secs_f64()),
        });
        self.pending.rejected.push(Rejected { key, error: error.clone(), answer });
        let again =
            Want { attempt: attempt.saturating_add(1), error: Some(error.clone()), is_new: true, ..Want::default() };
        let after = |wait: Duration| (!wait.is_zero()).then(|| self.desk.milliseconds_after(wait));
        let next = if let Some(wait) = wait {
            Want { not_before: after(wait), attempts: attempts.saturating_add(1), redeliveries, ..again }
        } else if passes && parks {
            let server = self.desk.model.card(ask.agent).host;
            self.pending.events.push(Event::StepParked { step, server });
            Want { redeliveries, ..again }
        } else if passes && redeliveries < self.desk.queue_rules.max_redeliveries {
            let redelivery = redeliveries.saturating_add(1);
            let rules = &self.desk.queue_rules;
            let wait =
                rules.back_off(&self.journal.opening.run_id, step, redelivery).max(retry_after.unwrap_or_default());
            self.pending.events.push(Event::StepRedelivered {
                step,
                redelivery,
                of: rules.max_redeliveries,
                again_in_seconds: wait.as_secs_f64(),
            });
            Want { not_before: after(wait), redeliveries: redelivery, ..again }
        } else {
            let attempts = if attempt > 1 { format!(" ({attempt} attempts)") } else { String::new() };
            let message = format!("{error}{attempts}");
            if passes {
                self.pending.events.push(Event::StepDead { step, error: message.clone() });
                self.pending.queue.dead =
                    Some(Dead { step, asks: Some(ask.agent), redeliveries, error: message.clone() });
            }
            let failure = Failure { dead_letter: passes, ..Failure::of(message) };
            return self.append(step, Outcome::Failure(failure));
        };
        self.delivered.insert(step, (next.attempts, next.redeliveries));
        self.wants.insert(step, next);
    }
}

/// What is written of a call before it is made.
fn intent(key: CallKey, ask: &Ask, card: Card, digest: String) -> Intent {
    let reckoned = (card.prompt_tokens(&ask.prompt), card.max_tokens);
    Intent { key, agent: ask.agent, digest, model: card.model, host: card.host, prompt: ask.prompt.clone(), reckoned }
}

#[cfg(test)]
mod tests;
