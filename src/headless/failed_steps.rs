//! Failed steps as a table and as JSON.

use serde_json::{Value, json};

use super::{
    calls::call_json,
    table::{aligned, headings},
};
use crate::{
    desk::{FailedStep, Happening},
    newsroom::local_minute,
    text::sanitise,
};

/// One line for each failed step.
pub fn failed_steps_table(failed_steps: &[FailedStep]) -> String {
    let mut table = headings(["story", "step", "since", "retries", "error"]);
    for failed in failed_steps {
        table.push(vec![
            sanitise::excerpt(&failed.story.to_string(), 120),
            failed.step.in_words(),
            local_minute(&failed.since),
            failed.redeliveries.to_string(),
            sanitise::excerpt(&failed.error, 300),
        ]);
    }
    aligned(&table)
}

/// A failed step with its attempts, and what the log says between them.
pub fn failed_step_json(failed: &FailedStep, happenings: &[Happening]) -> Value {
    let attempts = happenings.iter().filter_map(|happening| match happening {
        Happening::Asked { run, call } => Some(call_json(run, call)),
        Happening::Noted(_) => None,
    });
    let log = happenings.iter().filter_map(|happening| match happening {
        Happening::Noted(record) => Some(json!(record)),
        Happening::Asked { .. } => None,
    });
    json!({
        "story": failed.story.to_string(),
        "run": failed.run_id,
        "step": failed.step,
        "since": failed.since,
        "redeliveries": failed.redeliveries,
        "error": failed.error,
        "attempts": attempts.collect::<Vec<_>>(),
        "log": log.collect::<Vec<_>>(),
    })
}
