//! What a desk did under load, as a table and as JSON: the measures of the seed's table of systems.

use std::collections::BTreeMap;

use serde::Serialize;

use super::table::{plain, trimmed};
use crate::newsroom::{Contexts, Facts, Spread, amount};

/// What was measured at one number of stories at once. None wherever nothing was counted.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LoadRow {
    pub at_once: usize,
    pub stories: usize,
    /// Topics that could not be used.
    pub rejected: usize,
    pub succeeded: u64,
    pub failed: u64,
    pub seconds: f64,
    pub stories_per_minute: f64,
    /// From ready to begun, of all steps in the queue.
    pub queue_ms_mean: Option<f64>,
    pub queue_ms_p95: Option<u64>,
    /// From opened to ended, of a story.
    pub story_seconds_mean: Option<f64>,
    pub calls: u64,
    /// Sent and received.
    pub tokens_per_story: Option<f64>,
    pub dead_letters: u64,
    /// Attempts at calls after the first, and deliveries of steps after the first.
    pub retries_per_story: f64,
    pub tool_calls: u64,
    /// Of 1.
    pub tool_failure_rate: Option<f64>,
    pub tool_ms_mean: Option<f64>,
    /// Tokens of a delegated task: its result, o, and its context, W.
    pub output_tokens_mean: Option<f64>,
    pub context_tokens_mean: Option<f64>,
    /// ρ, from 0 to 1.
    pub context_reduction: Option<f64>,
    /// Answers whose server did not count tokens: they are in no mean.
    pub uncounted_answers: u64,
}

/// The rows with what they were measured on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LoadTable {
    pub version: &'static str,
    pub engine: &'static str,
    /// By agent; empty if no model was asked.
    pub models: BTreeMap<String, String>,
    pub rows: Vec<LoadRow>,
}

impl LoadRow {
    /// From the facts of the time that it took.
    #[must_use]
    pub fn of(at_once: usize, stories: usize, rejected: usize, seconds: f64, facts: &Facts) -> Self {
        let each = |number: u64| amount(number) / amount(stories as u64);
        let calls = || facts.calls.values();
        let mut waited = Spread::default();
        facts.pools.values().for_each(|pool| waited.merge(&pool.waited));
        let mut tool = Spread::default();
        facts.tools.values().for_each(|facts| tool.merge(&facts.worked));
        let ended = |of: fn(&crate::newsroom::ToolFacts) -> u64| facts.tools.values().map(of).sum::<u64>();
        let tool_calls = ended(|tool| tool.done + tool.failed + tool.unknown + tool.lost);
        let contexts = calls().fold(Contexts::default(), |all, facts| Contexts {
            tasks: all.tasks + facts.contexts.tasks,
            context_tokens: all.context_tokens + facts.contexts.context_tokens,
            output_tokens: all.output_tokens + facts.contexts.output_tokens,
        });
        let a_task = |tokens: u64| (contexts.tasks > 0).then(|| amount(tokens) / amount(contexts.tasks));
        let tokens: u64 = calls().map(|facts| facts.prompt_tokens + facts.completion_tokens).sum();
        Self {
            at_once,
            stories,
            rejected,
            succeeded: facts.runs.succeeded,
            failed: facts.runs.failed,
            seconds,
            stories_per_minute: amount(facts.runs.succeeded + facts.runs.failed) / seconds * 60.0,
            queue_ms_mean: waited.mean(),
            queue_ms_p95: waited.percentile(95),
            story_seconds_mean: facts.runs.took.mean().map(|ms| ms / 1_000.0),
            calls: calls().map(|facts| facts.answered + facts.unusable + facts.failed).sum(),
            tokens_per_story: (tokens > 0).then(|| each(tokens)),
            dead_letters: facts.queue.dead,
            retries_per_story: each(calls().map(|facts| facts.retries).sum::<u64>() + ended(|tool| tool.lost)),
            tool_calls,
            tool_failure_rate: (tool_calls > 0)
                .then(|| amount(tool_calls - ended(|tool| tool.done)) / amount(tool_calls)),
            tool_ms_mean: tool.mean(),
            output_tokens_mean: a_task(contexts.output_tokens),
            context_tokens_mean: a_task(contexts.context_tokens),
            context_reduction: facts.context_reduction(),
            uncounted_answers: calls().map(|facts| facts.uncounted).sum(),
        }
    }
}

/// A line of the table: its name, and what stands in a column.
type LoadLine = (&'static str, fn(&LoadRow) -> String);

impl LoadTable {
    /// One JSON object.
    ///
    /// # Errors
    /// If it cannot be written as JSON, which its types rule out.
    pub fn json(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }

    /// A table: a column for each number of stories at once.
    #[must_use]
    pub fn text(&self) -> String {
        let mut head = vec![format!("engine: {}", self.engine)];
        head.extend(self.rows.iter().map(|row| format!("{} at once", row.at_once)));
        let mut table = plain(&head.iter().map(String::as_str).collect::<Vec<_>>());
        let shown: [LoadLine; 15] = [
            ("stories (succeeded, failed)", |row| format!("{} ({}, {})", row.stories, row.succeeded, row.failed)),
            ("stories a minute", |row| format!("{:.1}", row.stories_per_minute)),
            ("seconds a story", |row| known(row.story_seconds_mean, 1)),
            ("queue wait, mean ms", |row| known(row.queue_ms_mean, 0)),
            ("queue wait, p95 ms", |row| row.queue_ms_p95.map_or_else(none, |ms| ms.to_string())),
            ("calls", |row| row.calls.to_string()),
            ("tokens a story", |row| known(row.tokens_per_story, 0)),
            ("failed steps", |row| row.dead_letters.to_string()),
            ("retries a story", |row| format!("{:.2}", row.retries_per_story)),
            ("tool calls", |row| row.tool_calls.to_string()),
            ("tool failures", |row| row.tool_failure_rate.map_or_else(none, |rate| format!("{:.1} %", rate * 100.0))),
            ("tool call, mean ms", |row| known(row.tool_ms_mean, 0)),
            ("result o, mean tokens", |row| known(row.output_tokens_mean, 0)),
            ("context W, mean tokens", |row| known(row.context_tokens_mean, 0)),
            ("context reduction ρ", |row| known(row.context_reduction, 2)),
        ];
        for (name, of) in shown {
            table.add_row(std::iter::once(name.to_owned()).chain(self.rows.iter().map(of)).collect::<Vec<_>>());
        }
        trimmed(&table)
    }
}

/// What stands where nothing was counted.
fn none() -> String {
    "–".to_owned()
}

fn known(number: Option<f64>, decimals: usize) -> String {
    number.map_or_else(none, |number| format!("{number:.decimals$}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::newsroom::{AttemptEnd, CallFact, CallLine, Event, Step, ToolFacts, Usage};

    #[test]
    fn a_row_has_the_measures_of_the_facts_and_a_dash_for_what_nobody_counted() {
        let mut facts = Facts::default();
        for (end, attempt, tokens) in [(AttemptEnd::Failed, 1, None), (AttemptEnd::Answered, 2, Some(1_840))] {
            facts.add_call(CallFact {
                line: CallLine { agent: "writer".into(), model: "m".into(), server: "h".into() },
                end,
                attempt,
                repeats: 0,
                usage: Usage { prompt_tokens: tokens, completion_tokens: tokens.map(|_| 340), cached_tokens: None },
                waited_ms: Some(40),
                worked_ms: Some(900),
                prompt_bytes: None,
                answer_bytes: None,
                cost: None,
            });
        }
        let pool = facts.pools.entry("writer".into()).or_default();
        (1..=20).for_each(|ms| pool.waited.add(ms * 10));
        let mut tool = ToolFacts { done: 3, lost: 1, ..ToolFacts::default() };
        tool.worked.add(285);
        facts.tools.insert("search_web".into(), tool);
        for success in [true, true, false] {
            let closed =
                Event::RunClosed { success, rounds: 1, open_concerns: 0, flags: vec![], error: None, extract: false };
            facts.add_event(&closed, Some(135_000));
        }
        facts.add_event(&Event::StepDead { step: Step::Draft, error: String::new() }, None);
        let row = LoadRow::of(5, 4, 1, 30.0, &facts);
        assert_eq!((row.stories_per_minute, row.retries_per_story, row.dead_letters), (6.0, 0.5, 1));
        assert_eq!(
            (row.queue_ms_mean, row.queue_ms_p95, row.story_seconds_mean),
            (Some(105.0), Some(190), Some(135.0))
        );
        assert_eq!(
            (row.tokens_per_story, row.tool_failure_rate, row.tool_ms_mean),
            (Some(545.0), Some(0.25), Some(285.0))
        );
        assert_eq!((row.output_tokens_mean, row.context_tokens_mean), (Some(340.0), Some(2_180.0)));
        let empty = LoadRow::of(1, 1, 0, 1.0, &Facts::default());
        let table = LoadTable { version: "1", engine: "llm", models: BTreeMap::new(), rows: vec![empty, row] };
        let text = table.text();
        let lines: Vec<String> =
            text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        assert_eq!(lines.first().map(String::as_str), Some("engine: llm 1 at once 5 at once"));
        for line in ["queue wait, p95 ms – 190", "tool failures – 25.0 %", "context reduction ρ – 0.84"] {
            assert!(lines.iter().any(|known| known == line), "{line}\n{text}");
        }
        let json: serde_json::Value = serde_json::from_str(&table.json().unwrap()).unwrap();
        assert_eq!(json["rows"][1]["queue_ms_p95"], 190);
    }
}
