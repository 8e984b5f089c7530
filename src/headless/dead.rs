//! Dead letters as a table and as JSON.

use serde_json::{Value, json};

use super::table::{plain, trimmed};
use crate::{
    desk::{DeadLetter, Happening},
    newsroom::local_time,
    ports::{CallRow, CallState},
    text::sanitise,
};

/// One line a letter.
#[must_use]
pub fn dead_table(letters: &[DeadLetter]) -> String {
    let mut table = plain(&["story", "step", "since", "retries", "error"]);
    for letter in letters {
        table.add_row([
            sanitise::excerpt(&letter.story.to_string(), 120),
            letter.step.in_words(),
            local_time(&letter.since).chars().take(16).collect(),
            letter.redeliveries.to_string(),
            sanitise::excerpt(&letter.error, 300),
        ]);
    }
    trimmed(&table)
}

/// A letter with the story of its attempts: each of them, and what the log says between them.
#[must_use]
pub fn dead_json(letter: &DeadLetter, happenings: &[Happening]) -> Value {
    let attempts = happenings.iter().filter_map(|happening| match happening {
        Happening::Asked { run, call } => Some(attempt(run, call)),
        Happening::Noted(_) => None,
    });
    let log = happenings.iter().filter_map(|happening| match happening {
        Happening::Noted(record) => Some(json!(record)),
        Happening::Asked { .. } => None,
    });
    json!({
        "story": letter.story.to_string(),
        "run": letter.run_id,
        "step": letter.step,
        "since": letter.since,
        "redeliveries": letter.redeliveries,
        "error": letter.error,
        "attempts": attempts.collect::<Vec<_>>(),
        "log": log.collect::<Vec<_>>(),
    })
}

fn attempt(run: &str, call: &CallRow) -> Value {
    json!({
        "run": run,
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
    })
}
