//! `copydesk-eval load`: topics through the pipeline at several numbers of stories at once, each in an empty desk of its own, measured from
//! its record.

use std::{sync::Arc, time::Instant};

use copydesk::{
    cli::{
        intake::topics::{self, ReadTopic, TopicRead, TopicRequest},
        wiring::{self, clock},
        work::{batch::Batch, worked::WorkedStory},
    },
    headless::{self, ProgressLines},
    newsroom::{CallFacts, Contexts, Facts, Gates, Spread, ToolFacts, amount},
    ports::{Clock as _, FactBook as _, Watch},
};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::prelude::*;
use crate::{
    basis,
    kept::{EvalDone, EvalKeeping},
    stories::{StoriesStopped, in_folder, through},
};

#[derive(Debug, Args)]
pub(crate) struct LoadEvalArgs {
    /// Topics: files, or folders of them. Each is run once at each number.
    #[arg(long, required = true, value_name = "TOPIC", num_args = 1..)]
    topics: Vec<PathBuf>,
    /// Stories at once, such as 1,5,10.
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "1,5,10", value_parser = clap::value_parser!(u16).range(1..=1000))]
    at: Vec<u16>,
    #[command(flatten)]
    keeping: EvalKeeping,
}

pub(crate) async fn measure(
    settings: &Settings,
    arguments: &LoadEvalArgs,
    interrupt: &mut Interrupt,
) -> Result<EvalDone> {
    let LoadEvalArgs { topics, at, keeping } = arguments;
    let basis = basis::of_desk(settings)?;
    let data = basis::of_all(topics)?;
    let mut kept = keeping.open("load", &basis)?;
    let mut units: Vec<LoadUnit> = Vec::new();
    let mut exit = Exit::Fine;
    for at in at {
        let name = format!("{at} at once {data}");
        if let Some(unit) = kept.known(&name) {
            headless::message(&format!("{at} at once: known from before"));
            units.push(unit);
            continue;
        }
        headless::message(&format!("{at} at once:"));
        let desk = kept.desk()?;
        let load = if interrupt.was_typed() {
            Err(StoriesStopped(None).into())
        } else {
            at_once(settings, desk.path(), topics, usize::from(*at), interrupt).await
        };
        match load {
            Ok(unit) => {
                kept.keep(name, &unit)?;
                units.push(unit);
            }
            Err(error) => {
                let StoriesStopped(why) = error.downcast()?;
                exit = kept.stopped(why, units.len(), "numbers of stories at once");
                break;
            }
        }
    }
    let mut evaluation = basis::begun("load", "The desk under load", basis);
    evaluation.measured_on.data = Some(data);
    let rejected = units.iter().map(|unit| unit.rejected).max().unwrap_or(0);
    evaluation
        .notes
        .extend((rejected > 0).then(|| format!("{rejected} topics could not be used: they are in no figure.")));
    kept.publish(evaluation, &units, &|units| vec![load_table(units)], exit)
}

/// Runs the topics in an empty desk.
///
/// # Errors
/// As [`through`].
async fn at_once(
    settings: &Settings,
    folder: &Path,
    topics: &[PathBuf],
    at: usize,
    interrupt: &mut Interrupt,
) -> Result<LoadUnit> {
    let settings = in_folder(settings, folder);
    let wanted = TopicRequest { topics: topics.to_vec(), gates: Gates::Auto, ..TopicRequest::default() };
    let taken = topics::take(&settings, &wanted)?;
    let store = wiring::store(&settings)?;
    let progress = Arc::new(ProgressLines::default());
    let desk = wiring::desk(&settings, &store, Arc::clone(&progress) as Arc<dyn Watch>).await?;
    let (from, begun) = (clock::SystemClock.now(), Instant::now());
    let mut batch = Batch::new(&desk, &store, at, false, Some(progress));
    let mut rejected = 0;
    for ReadTopic { file, what, .. } in taken {
        match what {
            TopicRead::Assignment(assignment) => batch.begin(*assignment),
            TopicRead::Rejected { message, .. } => {
                rejected += 1;
                batch.reject(WorkedStory::rejected(file.clone(), format!("{file}: {message}")));
            }
        }
    }
    let worked = through(batch, interrupt).await?;
    let seconds = begun.elapsed().as_secs_f64();
    let stories = worked.len().saturating_sub(rejected);
    if stories == 0 {
        return Err(wrong_use("none of the topics can be used, so there is nothing to measure"));
    }
    let stamp = |time: Timestamp| format!("{time:.3}");
    let until = clock::SystemClock.now().checked_add(SignedDuration::from_secs(1))?;
    let facts = store.facts(&stamp(from), &stamp(until)).await?;
    Ok(LoadUnit::of(at, stories, rejected, seconds, &facts))
}

/// The measures at one number of stories at once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct LoadUnit {
    pub(crate) at_once: usize,
    pub(crate) stories: usize,
    /// Topics that could not be used.
    pub(crate) rejected: usize,
    pub(crate) succeeded: u64,
    pub(crate) failed: u64,
    pub(crate) seconds: f64,
    /// Milliseconds from ready to begun, of all steps in the queue.
    pub(crate) queue_ms: Spread,
    /// Milliseconds from opened to ended, of a story.
    pub(crate) story_ms: Spread,
    pub(crate) calls: u64,
    /// Sent and received.
    pub(crate) tokens: u64,
    /// Steps that were given up.
    pub(crate) dead_letters: u64,
    /// Attempts at calls after the first, and calls of tools that brought nothing back.
    pub(crate) retries: u64,
    pub(crate) tool_calls: u64,
    pub(crate) tool_failures: u64,
    pub(crate) tool_ms: Spread,
    /// Of delegated tasks: results, o, and contexts, W.
    pub(crate) contexts: Contexts,
    /// Answers whose server did not count tokens: they are in no mean.
    pub(crate) uncounted_answers: u64,
}

impl LoadUnit {
    /// From the facts of the time that it took.
    pub(crate) fn of(at_once: usize, stories: usize, rejected: usize, seconds: f64, facts: &Facts) -> Self {
        let calls = || facts.calls.values();
        let (mut queue_ms, mut tool_ms) = (Spread::default(), Spread::default());
        facts.pools.values().for_each(|pool| queue_ms.merge(&pool.waited));
        facts.tools.values().for_each(|facts| tool_ms.merge(&facts.worked));
        let ended = |of: fn(&ToolFacts) -> u64| facts.tools.values().map(of).sum::<u64>();
        Self {
            at_once,
            stories,
            rejected,
            succeeded: facts.runs.succeeded,
            failed: facts.runs.failed,
            seconds,
            queue_ms,
            story_ms: facts.runs.took.clone(),
            calls: calls().map(CallFacts::asked).sum(),
            tokens: calls().map(CallFacts::tokens).sum(),
            dead_letters: facts.queue.dead,
            retries: calls().map(|facts| facts.retries).sum::<u64>() + ended(|tool| tool.lost),
            tool_calls: ended(|tool| tool.done + tool.failed + tool.unknown + tool.lost),
            tool_failures: ended(|tool| tool.failed + tool.unknown + tool.lost),
            tool_ms,
            contexts: facts.contexts(),
            uncounted_answers: calls().map(|facts| facts.uncounted).sum(),
        }
    }

    /// A share of the stories.
    fn each(&self, number: u64) -> f64 {
        amount(number) / amount(self.stories.max(1) as u64)
    }

    fn a_task(&self, tokens: u64) -> Option<f64> {
        (self.contexts.tasks > 0).then(|| amount(tokens) / amount(self.contexts.tasks))
    }
}

/// A row of the table: for programs, for readers, its unit, and what stands in a column.
type LoadLine = (&'static str, &'static str, &'static str, fn(&LoadUnit) -> EvalCell);

const LINES: [LoadLine; 18] = [
    ("stories", "stories", "", |unit| EvalCell::count(unit.stories as u64)),
    ("succeeded", "succeeded", "", |unit| EvalCell::count(unit.succeeded)),
    ("failed", "failed", "", |unit| EvalCell::count(unit.failed)),
    ("stories_per_minute", "stories a minute", "", |unit| {
        EvalCell::number(Some(amount(unit.succeeded + unit.failed) / unit.seconds * 60.0), 1)
    }),
    ("story_seconds_mean", "a story, mean", "s", |unit| {
        EvalCell::number(unit.story_ms.mean().map(|ms| ms / 1_000.0), 1)
    }),
    ("queue_ms_mean", "queue wait, mean", "ms", |unit| EvalCell::number(unit.queue_ms.mean(), 0)),
    ("queue_ms_p95", "queue wait, 95 of 100 below", "ms", |unit| {
        EvalCell::number(unit.queue_ms.percentile(95).map(amount), 0)
    }),
    ("calls", "calls of models", "", |unit| EvalCell::count(unit.calls)),
    ("tokens_per_story", "a story", "tokens", |unit| {
        EvalCell::number((unit.tokens > 0).then(|| unit.each(unit.tokens)), 0)
    }),
    ("dead_letters", "failed steps", "", |unit| EvalCell::count(unit.dead_letters)),
    ("retries_per_story", "retries a story", "", |unit| EvalCell::number(Some(unit.each(unit.retries)), 2)),
    ("tool_calls", "calls of tools", "", |unit| EvalCell::count(unit.tool_calls)),
    ("tool_failure_rate", "of them failed", "%", |unit| {
        EvalCell::number((unit.tool_calls > 0).then(|| 100.0 * amount(unit.tool_failures) / amount(unit.tool_calls)), 1)
    }),
    ("tool_ms_mean", "a call of a tool, mean", "ms", |unit| EvalCell::number(unit.tool_ms.mean(), 0)),
    ("output_tokens_mean", "result o, mean", "tokens", |unit| {
        EvalCell::number(unit.a_task(unit.contexts.output_tokens), 0)
    }),
    ("context_tokens_mean", "context W, mean", "tokens", |unit| {
        EvalCell::number(unit.a_task(unit.contexts.context_tokens), 0)
    }),
    ("context_reduction", "context reduction ρ", "", |unit| EvalCell::number(unit.contexts.reduction(), 2)),
    ("uncounted_answers", "answers without a count of tokens", "", |unit| EvalCell::count(unit.uncounted_answers)),
];

/// A column for each number of stories at once.
pub(crate) fn load_table(units: &[LoadUnit]) -> EvalTable {
    let columns: Vec<String> = units.iter().map(|unit| format!("{} at once", unit.at_once)).collect();
    let columns: Vec<(&str, &'static str)> = columns.iter().map(|name| (name.as_str(), "")).collect();
    let mut table = EvalTable::new("load", "Stories at once", "measure", &columns);
    for (key, name, unit, of) in LINES {
        table.add(key, name, unit, units.iter().map(of).collect());
    }
    table.drawn = vec!["stories_per_minute", "queue_ms_mean", "queue_ms_p95"];
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use copydesk::newsroom::{AttemptEnd, CallFact, CallLine, Event, Step, ToolFacts, Usage};

    #[test]
    fn a_column_has_the_measures_of_the_facts_and_a_dash_for_what_nobody_counted() {
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
        let unit = LoadUnit::of(5, 4, 1, 30.0, &facts);
        assert_eq!(serde_json::from_str::<LoadUnit>(&serde_json::to_string(&unit).unwrap()).unwrap(), unit);
        let empty = LoadUnit::of(1, 1, 0, 1.0, &Facts::default());
        let table = load_table(&[empty, unit]);
        let said: Vec<String> = table
            .rows
            .iter()
            .map(|row| format!("{} {}", row.key, row.cells.iter().map(EvalCell::words).collect::<Vec<_>>().join(" ")))
            .collect();
        assert_eq!(
            said,
            [
                "stories 1 4",
                "succeeded 0 2",
                "failed 0 1",
                "stories_per_minute 0.0 6.0",
                "story_seconds_mean – 135.0",
                "queue_ms_mean – 105",
                "queue_ms_p95 – 190",
                "calls 0 2",
                "tokens_per_story – 545",
                "dead_letters 0 1",
                "retries_per_story 0.00 0.50",
                "tool_calls 0 4",
                "tool_failure_rate – 25.0",
                "tool_ms_mean – 285",
                "output_tokens_mean – 340",
                "context_tokens_mean – 2180",
                "context_reduction – 0.84",
                "uncounted_answers 0 0",
            ]
        );
    }
}
