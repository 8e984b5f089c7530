//! Calls of one run: their attempts, what is known of them from before an interruption, and how long to wait.

use std::{collections::HashMap, sync::Arc, time::Duration};

use sha2::{Digest, Sha256};

use crate::{
    newsroom::{Answer, CallKey, Step, Usage},
    ports::{Ask, CallError, Card, StoredCall},
};

/// The longest wait that a server's Retry-After may ask for before the step is given up.
const LONGEST_WAIT: Duration = Duration::from_mins(10);

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
    /// It is new, or an earlier attempt was rejected, or its input has changed since.
    New { attempt: u32 },
}

impl History {
    pub(super) fn new(calls: Vec<StoredCall>) -> Self {
        let mut by_step: HashMap<Step, Vec<StoredCall>> = HashMap::new();
        for call in calls {
            by_step.entry(call.key.step).or_default().push(call);
        }
        Self { by_step }
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
        if last.rejected || last.digest != digest {
            add(&mut spent, last.usage);
            return (Beginning::New { attempt: attempt.saturating_add(1) }, spent);
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

/// A call that came back.
pub(super) struct Landed {
    pub(super) key: CallKey,
    pub(super) ask: Arc<Ask>,
    pub(super) result: Result<Answer, CallError>,
    /// Whether the answer was recorded before.
    pub(super) recorded: bool,
}

/// How long to wait before the next attempt; none where there is to be none.
///
/// `attempt` is the one that failed. A server's Retry-After counts where it is longer than the configured delay.
pub(super) fn next_wait(card: &Card, attempt: u32, may_retry: bool, retry_after: Option<Duration>) -> Option<Duration> {
    let wait = card.retry_delay.max(retry_after.unwrap_or_default());
    (may_retry && attempt <= card.max_retries && wait <= LONGEST_WAIT).then_some(wait)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card() -> Card {
        Card {
            model: "m".into(),
            host: "h".into(),
            max_retries: 1,
            retry_delay: Duration::from_secs(2),
            shape: String::new(),
        }
    }

    fn call(attempt: u32, digest: &str, answer: Option<&str>, rejected: bool) -> StoredCall {
        StoredCall {
            key: CallKey { step: Step::Draft, attempt },
            digest: digest.into(),
            answer: answer.map(|text| Answer { text: text.into(), ..Answer::default() }),
            rejected,
            usage: Usage { prompt_tokens: Some(10), completion_tokens: None },
        }
    }

    #[test]
    fn a_resumed_step_finds_its_answer_and_repeats_only_what_was_in_flight() {
        let begin = |calls: Vec<StoredCall>| History::new(calls).begin(Step::Draft, "d").0;
        assert_eq!(begin(vec![]), Beginning::New { attempt: 1 });
        let answer = Answer { text: "x".into(), ..Answer::default() };
        assert_eq!(begin(vec![call(1, "d", Some("x"), false)]), Beginning::Answered { attempt: 1, answer });
        assert_eq!(begin(vec![call(1, "d", None, false)]), Beginning::Again { attempt: 1 });
        assert_eq!(begin(vec![call(1, "d", None, true)]), Beginning::New { attempt: 2 });
        assert_eq!(begin(vec![call(1, "d", None, true), call(2, "d", None, false)]), Beginning::Again { attempt: 2 });
        assert_eq!(begin(vec![call(1, "other input", Some("x"), false)]), Beginning::New { attempt: 2 });
        let spent =
            History::new(vec![call(1, "d", None, true), call(2, "d", Some("x"), false)]).begin(Step::Draft, "d").1;
        assert_eq!(spent.prompt_tokens, Some(10), "the rejected attempt; the answer brings its own");
    }

    #[test]
    fn the_wait_is_the_longer_of_delay_and_retry_after() {
        let seconds = Duration::from_secs;
        assert_eq!(next_wait(&card(), 1, true, None), Some(seconds(2)));
        assert_eq!(next_wait(&card(), 1, true, Some(seconds(9))), Some(seconds(9)));
        assert_eq!(next_wait(&card(), 1, true, Some(seconds(3600))), None, "an hour is no pause");
        assert_eq!(next_wait(&card(), 2, true, None), None, "max_retries is 1");
        assert_eq!(next_wait(&card(), 1, false, None), None);
    }
}
