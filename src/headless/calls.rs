//! An attempt at a call as JSON.

use serde_json::{Value, json};

use crate::ports::{CallRow, CallState};

/// An attempt with its numbers. `run` is the name of the run that made it.
#[must_use]
pub fn call_json(run: &str, call: &CallRow) -> Value {
    json!({
        "run": run,
        "step": call.step,
        "attempt": call.attempt,
        "agent": call.agent,
        "model": call.model,
        "host": call.host,
        "state": match call.state {
            CallState::Asked => "asked",
            CallState::Answered => "answered",
            CallState::Rejected => "rejected",
        },
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
