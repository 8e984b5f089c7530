//! The recorded calls of a run from before an interruption.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use crate::ports::{Ask, StoredCall, Times};
use copydesk_newsroom::{Answer, Step, Usage};

/// A question with the digest of its whole input.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::desk) struct PosedQuestion {
    pub(in crate::desk) ask: Arc<Ask>,
    pub(in crate::desk) digest: Arc<str>,
    /// Whether it shows less of the sources than was planned.
    pub(in crate::desk) less: bool,
}

/// Returns the question that follows a rejected call.
pub(in crate::desk) type AskNext<'a> = &'a dyn Fn(&PosedQuestion, &StoredCall) -> PosedQuestion;

/// Most attempts of a step that are looked at in an earlier run.
const MOST_ATTEMPTS: usize = 32;

/// The calls of earlier runs, by their step and input, so that a fork finds an answer that came after a rejected one.
#[derive(Debug, Default)]
pub(in crate::desk) struct EarlierCalls(HashMap<(Step, String), StoredCall>);

impl EarlierCalls {
    /// Adds calls of a run that is no later than those before.
    pub(in crate::desk) fn add(&mut self, calls: Vec<StoredCall>) {
        for call in calls {
            let known = self.0.entry((call.key.step, call.digest.clone())).or_insert_with(|| call.clone());
            if known.rejected && !call.rejected {
                *known = call;
            }
        }
    }

    /// Returns the usable answer to this question, or to those that followed its rejected answers, with the last question.
    pub(in crate::desk) fn answer(
        &self,
        step: Step,
        first: &PosedQuestion,
        next: AskNext<'_>,
    ) -> Option<(PosedQuestion, Answer)> {
        let mut question = first.clone();
        for _ in 0..MOST_ATTEMPTS {
            let call = self.0.get(&(step, question.digest.to_string()))?;
            if !call.rejected {
                return Some((question, call.answer.clone()?));
            }
            let following = next(&question, call);
            if following.digest == question.digest {
                return None;
            }
            question = following;
        }
        None
    }
}

/// The tokens and the time of a step's attempts so far, as far as they are known.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(in crate::desk) struct Spent {
    pub(in crate::desk) usage: Usage,
    pub(in crate::desk) times: Times,
}

impl Spent {
    pub(in crate::desk) fn add_tokens(&mut self, more: Usage) {
        let total = &mut self.usage;
        total.prompt_tokens = sum(total.prompt_tokens, more.prompt_tokens);
        total.completion_tokens = sum(total.completion_tokens, more.completion_tokens);
        total.cached_tokens = sum(total.cached_tokens, more.cached_tokens);
    }

    pub(in crate::desk) fn add_times(&mut self, more: Times) {
        self.times.waited_ms = sum(self.times.waited_ms, more.waited_ms);
        self.times.worked_ms = sum(self.times.worked_ms, more.worked_ms);
    }
}

fn sum(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.saturating_add(b)),
        (a, b) => a.or(b),
    }
}

/// The recorded calls of each step, and the steps for which a tool that acts may have been called.
#[derive(Debug, Default)]
pub(in crate::desk) struct History {
    by_step: HashMap<Step, Vec<StoredCall>>,
    acts: HashSet<Step>,
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
    /// `acts` are the steps for which a tool that acts was called, or was about to be.
    pub(in crate::desk) fn new(calls: Vec<StoredCall>, acts: HashSet<Step>) -> Self {
        let mut by_step: HashMap<Step, Vec<StoredCall>> = HashMap::new();
        for call in calls {
            by_step.entry(call.key.step).or_default().push(call);
        }
        Self { by_step, acts }
    }

    /// Whether a tool that acts may have been called for `step` before the interruption.
    pub(in crate::desk) fn may_have_acted(&self, step: Step) -> bool {
        self.acts.contains(&step)
    }

    /// Returns how the call of `step` begins whose first attempt asks this, the question that it asks now, and the cost of its earlier
    /// attempts. `next` gives the question after a rejected attempt.
    pub(in crate::desk) fn begin(
        &mut self,
        step: Step,
        first: &PosedQuestion,
        next: AskNext<'_>,
    ) -> (CallBegins, PosedQuestion, Spent) {
        let mut calls = self.by_step.remove(&step).unwrap_or_default();
        calls.sort_by_key(|call| call.key.attempt);
        let (mut question, mut known) = (first.clone(), false);
        for call in &calls {
            // An input that has changed since begins anew.
            if *call.digest != *question.digest {
                question = first.clone();
            }
            known = *call.digest == *question.digest;
            if known && call.rejected {
                question = next(&question, call);
            }
        }
        let (begins, spent) = Self::begins(calls, known);
        (begins, question, spent)
    }

    /// Returns how a call begins, and the cost of its earlier attempts. `known`: the last call asked the same question as now.
    fn begins(mut calls: Vec<StoredCall>, known: bool) -> (CallBegins, Spent) {
        let Some(last) = calls.pop() else { return (CallBegins::New { attempt: 1 }, Spent::default()) };
        let mut spent = Spent::default();
        for call in &calls {
            spent.add_tokens(call.usage);
            spent.add_times(call.times);
        }
        spent.add_times(last.times);
        let attempt = last.key.attempt;
        if last.rejected || !known {
            spent.add_tokens(last.usage);
            return (CallBegins::New { attempt: last.key.attempt.saturating_add(1) }, spent);
        }
        // The last answer's own tokens are added where it is taken in.
        match last.answer {
            Some(answer) => (CallBegins::Answered { attempt, answer }, spent),
            None => (CallBegins::Again { attempt }, spent),
        }
    }
}
