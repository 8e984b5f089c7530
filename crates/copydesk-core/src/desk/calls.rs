//! The calls of a run: the beginning of each, its record, and the next action for a step whose call was of no use. This module makes no
//! call and writes nothing.

mod history;

use std::time::Duration;

use super::{
    in_hand::{Call, Delivery},
    pools::QueueRules,
};
use crate::{
    editorial::version,
    ports::{Ask, CallError, Intent, ModelClient, ModelProfile, QueuedStep, Start},
};
use copydesk_newsroom::{CallKey, Event, Step};
pub(super) use history::{CallBegins, EarlierCalls, History, PosedQuestion, Spent};

/// The longest wait for another attempt of the same delivery, and the longest Retry-After that marks a server as busy.
pub(super) const LONGEST_WAIT: Duration = Duration::from_mins(10);

/// Returns the hex digest of a call's whole input: the agent, the model and its settings, every message with its calls, the
/// tools, the schema. The server's address is not part of it: the same model behind another port gives the same kind of answer.
pub(super) fn digest(ask: &Ask, card: &ModelProfile) -> String {
    let mut fields: Vec<String> = Vec::new();
    let mut field = |text: &str| fields.push(text.to_owned());
    field(ask.agent.name());
    field(&card.model);
    field(&card.shape);
    for message in &ask.prompt.messages {
        field(message.role.name());
        field(&message.text());
        for call in &message.calls {
            ["call", &call.id, &call.name, &call.arguments].into_iter().for_each(&mut field);
        }
        if let Some(id) = &message.answers {
            ["answers", id].into_iter().for_each(&mut field);
        }
    }
    for tool in &ask.prompt.tools {
        ["tool", &tool.name, &tool.description, &tool.parameters.to_string()].into_iter().for_each(&mut field);
    }
    if ask.prompt.no_calls {
        field("no calls");
    }
    if ask.prompt.varied {
        field("varied");
    }
    if let Some(schema) = &ask.schema {
        field(&schema.schema.to_string());
    }
    version::digest(fields.iter().map(String::as_str))
}

/// The record of a call that is written before the call is made.
pub(super) fn intent(step: Step, call: &Call, card: ModelProfile) -> Intent {
    let Call { question: PosedQuestion { ask, digest, .. }, attempt, .. } = call;
    let reckoned = (card.prompt_tokens(&ask.prompt), card.max_tokens);
    let (agent, prompt) = (ask.agent, ask.prompt.clone());
    let key = CallKey { step, attempt: *attempt };
    Intent { key, agent, digest: digest.to_string(), model: card.model, host: card.host, prompt, reckoned }
}

/// Adds a call to the message of its step.
pub(super) fn message(model: &dyn ModelClient, step: Step, call: &Call, put: QueuedStep) -> QueuedStep {
    let (ask, attempt) = (&call.question.ask, call.attempt);
    let card = model.card(ask.agent);
    let tokens = card.tokens_of(&ask.prompt);
    let start = if call.repeats {
        Start::Repeat(CallKey { step, attempt }, Event::CallRepeated { step, attempt })
    } else {
        let (agent, model, host) = (ask.agent.name().to_owned(), card.model.clone(), card.host.clone());
        let event = Event::CallStarted { step, attempt, agent, model, host };
        Start::Call(Box::new(intent(step, call, card)), event)
    };
    QueuedStep { asks: Some(ask.agent), tokens, start: Some(start), ..put }
}

/// How long to wait before the next attempt of a delivery; none if there is to be none.
///
/// `attempt` is the one that failed, 1 for the first of its delivery. A server's Retry-After counts if it is longer than the
/// configured delay.
pub(super) fn next_wait(
    card: &ModelProfile,
    attempt: u32,
    may_retry: bool,
    retry_after: Option<Duration>,
) -> Option<Duration> {
    let wait = card.retry_delay.max(retry_after.unwrap_or_default());
    (may_retry && attempt <= card.max_retries && wait <= LONGEST_WAIT).then_some(wait)
}

/// The reason why a call was of no use.
#[expect(clippy::struct_excessive_bools, reason = "each is a question of its own that is asked of an error")]
pub(super) struct Useless {
    may_retry: bool,
    /// Whether it may go better later, without anything being changed.
    passes: bool,
    retry_after: Option<Duration>,
    /// Whether the step waits for its server, which is left alone from now on.
    parks: bool,
    /// Whether it waits until a person has changed something.
    waits: bool,
}

impl Useless {
    /// An answer that cannot be used: the model may give another.
    pub(super) const UNUSABLE: Self =
        Self { may_retry: true, passes: false, retry_after: None, parks: false, waits: false };

    pub(super) fn of(error: &CallError, parks: bool) -> Self {
        let (may_retry, waits) = (error.may_retry(), error.waits_for_a_person());
        Self { may_retry, passes: error.passes(), retry_after: error.retry_after(), parks, waits }
    }
}

/// The next action for a step whose call was of no use (ARCHITECTURE.md).
#[derive(Debug, PartialEq)]
pub(super) enum NextTry {
    /// Another attempt, after a wait.
    Attempt(Duration),
    /// It waits for its server.
    Park,
    /// Another delivery, after a wait.
    Redelivery(Duration),
    /// It is given up; `dead` if it may go better later.
    Never { dead: bool },
}

impl NextTry {
    pub(super) fn of(
        useless: &Useless,
        card: &ModelProfile,
        rules: &QueueRules,
        delivery: Delivery,
        (run_id, step): (&str, Step),
    ) -> Self {
        let &Useless { may_retry, passes, retry_after, parks, waits } = useless;
        if let Some(wait) = next_wait(card, delivery.attempts.saturating_add(1), may_retry, retry_after) {
            Self::Attempt(wait)
        } else if retry_after.is_some_and(|wait| wait > rules.longest_wait) {
            // The server itself asks for a longer wait than the rules allow.
            Self::Never { dead: passes }
        } else if passes && parks {
            Self::Park
        } else if passes && delivery.redeliveries < rules.max_redeliveries {
            let wait = rules.back_off(run_id, step, delivery.redeliveries.saturating_add(1));
            Self::Redelivery(wait.max(retry_after.unwrap_or_default()))
        } else {
            Self::Never { dead: passes || waits }
        }
    }

    /// How the step is delivered then.
    pub(super) fn delivery(&self, before: Delivery) -> Delivery {
        let Delivery { attempts, redeliveries } = before;
        match self {
            Self::Attempt(_) => Delivery { attempts: attempts.saturating_add(1), redeliveries },
            Self::Redelivery(_) => Delivery { attempts: 0, redeliveries: redeliveries.saturating_add(1) },
            Self::Park | Self::Never { .. } => Delivery { attempts: 0, redeliveries },
        }
    }
}

#[cfg(test)]
mod tests;
