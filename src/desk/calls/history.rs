//! What is known of a run's calls from before an interruption.

use std::collections::HashMap;

use crate::{
    newsroom::{Answer, Step, Usage},
    ports::StoredCall,
};

/// Adds tokens as far as they are known.
pub(in crate::desk) fn add(total: &mut Usage, more: Usage) {
    let sum = |a: Option<u64>, b: Option<u64>| match (a, b) {
        (None, None) => None,
        (a, b) => Some(a.unwrap_or(0).saturating_add(b.unwrap_or(0))),
    };
    total.prompt_tokens = sum(total.prompt_tokens, more.prompt_tokens);
    total.completion_tokens = sum(total.completion_tokens, more.completion_tokens);
    total.cached_tokens = sum(total.cached_tokens, more.cached_tokens);
}

/// What was recorded of a step's calls before an interruption.
#[derive(Debug, Default)]
pub(in crate::desk) struct History {
    by_step: HashMap<Step, Vec<StoredCall>>,
}

/// How a step's call begins.
#[derive(Debug, PartialEq)]
pub(in crate::desk) enum CallBegins {
    /// Its answer is recorded.
    Answered { attempt: u32, answer: Answer },
    /// It was in flight when the program ended: made again under the same number.
    Again { attempt: u32 },
    /// It is new, its input has changed since, or the attempt before was of no use.
    New { attempt: u32 },
}

impl History {
    pub(in crate::desk) fn new(calls: Vec<StoredCall>) -> Self {
        let mut by_step: HashMap<Step, Vec<StoredCall>> = HashMap::new();
        for call in calls {
            by_step.entry(call.key.step).or_default().push(call);
        }
        Self { by_step }
    }

    /// How the call of `step` with this input begins, and the tokens that its earlier attempts used.
    pub(in crate::desk) fn begin(&mut self, step: Step, digest: &str) -> (CallBegins, Usage) {
        let mut calls = self.by_step.remove(&step).unwrap_or_default();
        calls.sort_by_key(|call| call.key.attempt);
        let Some(last) = calls.pop() else { return (CallBegins::New { attempt: 1 }, Usage::default()) };
        let mut spent = Usage::default();
        for call in &calls {
            add(&mut spent, call.usage);
        }
        let attempt = last.key.attempt;
        if last.rejected || last.digest != digest {
            add(&mut spent, last.usage);
            return (CallBegins::New { attempt: last.key.attempt.saturating_add(1) }, spent);
        }
        // The last answer's own tokens are added where it is taken in.
        match last.answer {
            Some(answer) => (CallBegins::Answered { attempt, answer }, spent),
            None => (CallBegins::Again { attempt }, spent),
        }
    }
}
