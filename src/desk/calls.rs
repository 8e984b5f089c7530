//! Calls of one run: readied, made, taken in; their attempts, what is known of them from before an interruption, and how long
//! to wait.

use std::{collections::HashMap, sync::Arc, time::Duration};

use sha2::{Digest, Sha256};

use super::{Desk, DeskError, driver::Driver};
use crate::{
    agents::Agents,
    newsroom::{Answer, CallKey, Event, Failure, OpenedCitation, Outcome, Step, StoryKey, Usage},
    ports::{Ask, CallError, Card, Going, Intent, Rejected, RunKey, StoredCall},
};

/// The longest wait that a server's Retry-After may ask for before the step is given up.
const LONGEST_WAIT: Duration = Duration::from_mins(10);

/// How often who waits for the next attempt looks whether the story was paused meanwhile.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// What was recorded of a step's calls before an interruption.
#[derive(Debug, Default)]
pub(super) struct History {
    by_step: HashMap<Step, Vec<StoredCall>>,
}

/// How a step's call begins.
#[derive(Debug, PartialEq)]
pub(super) enum Beginning {
    /// Its answer is recorded.
    Answered { attempt: u32, answer: Answer },
    /// It was in flight when the program ended: made again under the same number.
    Again { attempt: u32 },
    /// It is new, or its input has changed since.
    New { attempt: u32 },
    /// The attempt before was of no use.
    Next { attempt: u32 },
}

impl History {
    pub(super) fn new(calls: Vec<StoredCall>) -> Self {
        let mut by_step: HashMap<Step, Vec<StoredCall>> = HashMap::new();
        for call in calls {
            by_step.entry(call.key.step).or_default().push(call);
        }
        Self { by_step }
    }

    /// Notes an attempt of no use after which nothing was asked; its usage is that of the attempts before it, too.
    fn held_back(&mut self, failed: StoredCall) {
        self.by_step.insert(failed.key.step, vec![failed]);
    }

    /// How the call of `step` with this input begins, and the tokens that its earlier attempts used.
    pub(super) fn begin(&mut self, step: Step, digest: &str) -> (Beginning, Usage) {
        let mut calls = self.by_step.remove(&step).unwrap_or_default();
        calls.sort_by_key(|call| call.key.attempt);
        let Some(last) = calls.pop() else { return (Beginning::New { attempt: 1 }, Usage::default()) };
        let mut spent = Usage::default();
        for call in &calls {
            add(&mut spent, call.usage);
        }
        let attempt = last.key.attempt;
        let next = attempt.saturating_add(1);
        if last.rejected || last.digest != digest {
            add(&mut spent, last.usage);
            let changed = last.digest != digest;
            return (if changed { Beginning::New { attempt: next } } else { Beginning::Next { attempt: next } }, spent);
        }
        // The last answer's own tokens are added where it is taken in.
        match last.answer {
            Some(answer) => (Beginning::Answered { attempt, answer }, spent),
            None => (Beginning::Again { attempt }, spent),
        }
    }
}

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

/// A call on its way.
pub(super) struct Flight {
    pub(super) key: CallKey,
    pub(super) ask: Arc<Ask>,
    /// Before it is made.
    pub(super) wait: Duration,
    /// The answer, where it is already known.
    pub(super) known: Option<Answer>,
}

/// What became of a [`Flight`].
pub(super) enum Landed {
    /// It came back.
    Call {
        key: CallKey,
        ask: Arc<Ask>,
        result: Result<Answer, CallError>,
        /// Whether the answer was recorded before.
        recorded: bool,
    },
    /// The pages that a search cited are read.
    Opened { step: Step, result: Result<Vec<OpenedCitation>, DeskError> },
    /// The wait before it is over, or the story was paused meanwhile: it was not made yet.
    Due { key: CallKey, ask: Arc<Ask> },
}

/// How long to wait before the next attempt; none where there is to be none.
///
/// `attempt` is the one that failed. A server's Retry-After counts where it is longer than the configured delay.
pub(super) fn next_wait(card: &Card, attempt: u32, may_retry: bool, retry_after: Option<Duration>) -> Option<Duration> {
    let wait = card.retry_delay.max(retry_after.unwrap_or_default());
    (may_retry && attempt <= card.max_retries && wait <= LONGEST_WAIT).then_some(wait)
}

impl Driver<'_> {
    /// Readies the call of a step: its intent is pending, or its recorded answer is at hand, or it is to be waited for.
    pub(super) async fn ready_call(&mut self, step: Step) -> Result<Flight, DeskError> {
        let ask = self.asks.get(&step).cloned().ok_or_else(|| self.broken(step, "there is nothing to ask"))?;
        let card = self.desk.model.card(ask.agent);
        let digest = digest(&ask, &card);
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
                Ok(flight(attempt, None))
            }
            // It had been told to wait; how much of that is over is not known.
            Beginning::Next { attempt } if !card.retry_delay.is_zero() => {
                Ok(Flight { wait: card.retry_delay, ..flight(attempt, None) })
            }
            Beginning::New { attempt } | Beginning::Next { attempt } => {
                let known = match self.took_over {
                    Some(_) if self.journal.opening.anew == Some(step) => None,
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
            digest: digest(ask, &card),
            model: card.model,
            host: card.host,
            prompt: ask.prompt.clone(),
        });
    }

    /// Takes a call's result in. Returns the next attempt, where there is one.
    pub(super) fn land(&mut self, landed: Landed) -> Result<Option<Flight>, DeskError> {
        let (key, ask, result, recorded) = match landed {
            Landed::Call { key, ask, result, recorded } => (key, ask, result, recorded),
            Landed::Opened { step, result } => {
                self.flying.remove(&step);
                self.settle(step, Outcome::Opened(result?));
                return Ok(None);
            }
            Landed::Due { key, ask } => return Ok(self.ready_next(key, &ask, Duration::ZERO)),
        };
        Ok(self.take_in(key, &ask, result, recorded))
    }

    /// Takes what came of a call.
    fn take_in(
        &mut self,
        key: CallKey,
        ask: &Arc<Ask>,
        result: Result<Answer, CallError>,
        recorded: bool,
    ) -> Option<Flight> {
        let step = key.step;
        let answer = match result {
            Ok(answer) => answer,
            Err(error) => {
                return self.reject(key, ask, &error.to_string(), None, error.may_retry(), error.retry_after());
            }
        };
        match Agents::read(&self.journal, step, &answer) {
            Ok(mut outcome) => {
                add(self.spent.entry(step).or_default(), answer.usage);
                if !recorded {
                    self.pending.answers.push((key, answer));
                }
                if let Outcome::Evidence(found) = &mut outcome {
                    found.prompt = ask.prompt.text();
                }
                self.flying.remove(&step);
                self.settle(step, outcome);
                None
            }
            Err(error) => self.reject(key, ask, &error.to_string(), Some(answer), true, None),
        }
    }

    fn reject(
        &mut self,
        key: CallKey,
        ask: &Arc<Ask>,
        error: &str,
        answer: Option<Answer>,
        may_retry: bool,
        retry_after: Option<Duration>,
    ) -> Option<Flight> {
        let step = key.step;
        let attempt = key.attempt;
        if let Some(answer) = &answer {
            add(self.spent.entry(step).or_default(), answer.usage);
        }
        let wait = next_wait(&self.desk.model.card(ask.agent), attempt, may_retry, retry_after);
        self.pending.events.push(Event::CallFailed {
            step,
            attempt,
            message: error.to_owned(),
            again_in_seconds: wait.filter(|_| self.going == Going::On).map(|wait| wait.as_secs_f64()),
        });
        self.pending.rejected.push(Rejected { key, error: error.to_owned(), answer });
        if let Some(wait) = wait {
            return self.ready_next(CallKey { step, attempt: attempt.saturating_add(1) }, ask, wait);
        }
        self.flying.remove(&step);
        let attempts = if attempt > 1 { format!(" ({attempt} attempts)") } else { String::new() };
        self.append(step, Outcome::Failure(Failure { message: format!("{error}{attempts}") }));
        None
    }

    /// Readies a further attempt: at once, where there is nothing to wait for; none where the story is paused. Nothing is written of
    /// an attempt that waits, since it may never be made.
    fn ready_next(&mut self, key: CallKey, ask: &Arc<Ask>, wait: Duration) -> Option<Flight> {
        if self.going == Going::Paused {
            // As a resumed run finds it: whenever the story is let go on, the attempt is readied with its number.
            self.flying.remove(&key.step);
            self.history.held_back(StoredCall {
                digest: digest(ask, &self.desk.model.card(ask.agent)),
                answer: None,
                rejected: true,
                usage: self.spent.remove(&key.step).unwrap_or_default(),
                key: CallKey { attempt: key.attempt.saturating_sub(1), ..key },
            });
            return None;
        }
        if wait.is_zero() {
            self.intend(key.clone(), ask, true);
        }
        Some(Flight { key, ask: Arc::clone(ask), wait, known: None })
    }
}

/// Makes a call, or brings its known answer, or waits until it is due.
pub(super) async fn fly(desk: &Desk, story: &StoryKey, run: Option<RunKey>, flight: Flight) -> Landed {
    let Flight { key, ask, wait, known } = flight;
    if let Some(answer) = known {
        return Landed::Call { key, ask, result: Ok(answer), recorded: true };
    }
    if !wait.is_zero() {
        due(desk, run, wait).await;
        return Landed::Due { key, ask };
    }
    let step = key.step;
    let result = desk.model.ask(&ask, &|text| desk.watch.heard(story, step, text)).await;
    Landed::Call { key, ask, result, recorded: false }
}

/// Waits so long, or until the story is paused: who paused it should not be kept from it for minutes.
async fn due(desk: &Desk, run: Option<RunKey>, wait: Duration) {
    let mut left = wait;
    while !left.is_zero() {
        let nap = left.min(LOOK_EVERY);
        tokio::time::sleep(nap).await;
        left = left.saturating_sub(nap);
        if let Some(run) = run {
            // Where this cannot be read, the driver cannot either, and says so.
            if matches!(desk.records.going(run).await, Ok(Going::Paused)) {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests;
