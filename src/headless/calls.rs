//! Attempts at calls: one as JSON, and what all of a story's say of its agents' contexts.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::{
    editorial::context::ContextReduction,
    ports::{CallRow, CallState},
};

/// How much of what agents read stays with them. Each step that asked a model is a delegated task, and its last usable answer is the result.
pub fn context_reduction(calls: &[CallRow]) -> ContextReduction {
    let mut last = BTreeMap::new();
    for call in calls.iter().filter(|call| call.state == CallState::Answered) {
        let kept = last.entry(call.step).or_insert(call);
        if call.attempt > kept.attempt {
            *kept = call;
        }
    }
    ContextReduction::of(last.values().map(|call| call.usage))
}

/// An attempt with its numbers. `run` is the name of the run that made it.
pub fn call_json(run: &str, call: &CallRow) -> Value {
    json!({
        "run": run,
        "step": call.step,
        "attempt": call.attempt,
        "agent": call.agent,
        "model": call.model,
        "host": call.host,
        "state": call.state,
        "asked_at": call.asked_at,
        "ended_at": call.ended_at,
        "error": call.error,
        "repeats": call.repeats,
        "waited_ms": call.numbers.times.waited_ms,
        "worked_ms": call.numbers.times.worked_ms,
        "usage": call.usage,
        "prompt_bytes": call.prompt_bytes,
        "answer_bytes": call.answer_bytes,
        "cost": call.numbers.cost,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        newsroom::{Step, Usage},
        ports::{CallNumbers, RunKey},
    };

    #[test]
    fn the_last_answer_of_each_step_is_what_went_up() {
        let row = |step, attempt, state, prompt, completion| CallRow {
            run: RunKey(1),
            step,
            attempt,
            agent: "writer".into(),
            model: "m".into(),
            host: "127.0.0.1:1".into(),
            state,
            error: None,
            usage: Usage { prompt_tokens: Some(prompt), completion_tokens: Some(completion), cached_tokens: None },
            numbers: CallNumbers::default(),
            prompt_bytes: None,
            answer_bytes: None,
            asked_at: String::new(),
            ended_at: None,
            repeats: 0,
            removed_at: None,
        };
        let review = Step::Review { round: 1 };
        let calls = [
            row(Step::Draft, 2, CallState::Answered, 300, 100),
            row(Step::Draft, 1, CallState::Answered, 200, 50),
            row(review, 1, CallState::Answered, 500, 100),
            row(review, 2, CallState::Rejected, 900, 900),
            row(Step::Review { round: 2 }, 1, CallState::Asked, 900, 900),
        ];
        let found = context_reduction(&calls);
        let expected = ContextReduction {
            delegations: 2,
            context_tokens: 1_000,
            output_tokens: 200,
            rho: Some(0.8),
            uncounted: 0,
        };
        assert_eq!(found, expected);
    }
}
