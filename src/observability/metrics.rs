//! The metrics: what was done since the program began, by any program, and what waits now.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use jiff::{SignedDuration, Timestamp};
use tokio::sync::Mutex;

use super::exposition::{Exposition, Label, OTHER, bounded};
use crate::{
    newsroom::{CallFacts, CallLine, Facts, Pool, Spread, ToolFacts, amount},
    ports::{Clock, FactBook, MessageState, QueueBacklog, StoreError},
};

/// After so long nothing is committed any more under a time that has passed. Younger events are read again at each
/// look.
const SETTLES: SignedDuration = SignedDuration::from_mins(10);

/// Most lines of agent, model and server, and most tools.
const MOST_LINES: usize = 100;
const MOST_TOOLS: usize = 60;

/// Reads the metrics.
pub struct Meter {
    book: Arc<dyn FactBook>,
    clock: Arc<dyn Clock>,
    /// Steps of each pool that this program may do at once.
    slots: Vec<(Pool, usize)>,
    state: Mutex<State>,
}

struct State {
    /// The work from the beginning until `until`.
    settled: Facts,
    until: Timestamp,
    highest: HashMap<String, f64>,
}

impl Meter {
    /// A meter that counts from now on.
    pub fn new(book: Arc<dyn FactBook>, clock: Arc<dyn Clock>, slots: Vec<(Pool, usize)>) -> Self {
        let until = clock.now();
        let state = State { settled: Facts::default(), until, highest: HashMap::new() };
        Self { book, clock, slots, state: Mutex::new(state) }
    }

    /// The metrics as they stand now, in Prometheus' text format.
    ///
    /// # Errors
    /// As [`FactBook`].
    pub async fn text(&self) -> Result<String, StoreError> {
        // One at a time: two that ask at once would read the same.
        let mut state = self.state.lock().await;
        let now = self.clock.now();
        let settles = now.checked_sub(SETTLES).unwrap_or(now).max(state.until);
        if settles > state.until {
            let more = self.book.facts(&stamp(state.until), &stamp(settles)).await?;
            state.settled.merge(&more);
            state.until = settles;
        }
        let mut facts = state.settled.clone();
        // A commit of this very millisecond counts, too.
        let end = now.checked_add(SignedDuration::from_millis(1)).unwrap_or(now);
        facts.merge(&self.book.facts(&stamp(state.until), &stamp(end)).await?);
        let backlog = self.book.backlog(now.as_millisecond()).await?;
        Ok(written(&facts, &backlog, &self.slots, now.as_millisecond(), &mut state.highest))
    }
}

/// A time as the record has it.
fn stamp(time: Timestamp) -> String {
    format!("{time:.3}")
}

fn written(
    facts: &Facts,
    backlog: &QueueBacklog,
    slots: &[(Pool, usize)],
    now: i64,
    highest: &mut HashMap<String, f64>,
) -> String {
    let mut text = Exposition::new(highest);
    let version = vec![("version", env!("CARGO_PKG_VERSION"))];
    text.gauge("copydesk_build_info", "The program's version.", [(version, 1.0)]);
    calls(&mut text, facts);
    tools(&mut text, facts);
    steps(&mut text, facts);
    runs(&mut text, facts);
    queue(&mut text, backlog, slots, now);
    text.into_text()
}

fn calls(text: &mut Exposition<'_>, facts: &Facts) {
    let other = || OTHER.to_owned();
    let beyond = CallLine { agent: other(), model: other(), server: other() };
    let lines: BTreeMap<CallLine, CallFacts> = bounded(&facts.calls, MOST_LINES, |_| None, &beyond, CallFacts::merge);
    let line = |line: &'_ CallLine| -> Vec<(&'static str, String)> {
        vec![("agent", line.agent.clone()), ("model", line.model.clone()), ("server", line.server.clone())]
    };
    let labels: Vec<(Vec<(&'static str, String)>, &CallFacts)> =
        lines.iter().map(|(key, facts)| (line(key), facts)).collect();
    let by = |kind: Option<Label<'static>>, value: fn(&CallFacts) -> u64| {
        labels.iter().map(move |(line, facts)| (with(line, kind), amount(value(facts))))
    };
    let ends = by(Some(("end", "answered")), |facts| facts.answered)
        .chain(by(Some(("end", "unusable")), |facts| facts.unusable))
        .chain(by(Some(("end", "failed")), |facts| facts.failed))
        .chain(by(Some(("end", "known")), |facts| facts.known));
    text.counter(
        "copydesk_calls_total",
        "Calls of models that ended; known: answered by an earlier run, not asked.",
        ends,
    );
    text.counter("copydesk_call_retries_total", "Attempts after the first.", by(None, |facts| facts.retries));
    text.counter(
        "copydesk_call_repeats_total",
        "Calls that were sent again after an interruption.",
        by(None, |facts| facts.repeats),
    );
    let tokens = by(Some(("kind", "prompt")), |facts| facts.prompt_tokens)
        .chain(by(Some(("kind", "completion")), |facts| facts.completion_tokens))
        .chain(by(Some(("kind", "cached")), |facts| facts.cached_tokens));
    text.counter(
        "copydesk_tokens_total",
        "Tokens as servers counted them; cached: those of prompts that a server had.",
        tokens,
    );
    text.counter(
        "copydesk_uncounted_answers_total",
        "Answers whose server did not count tokens.",
        by(None, |facts| facts.uncounted),
    );
    let bytes = by(Some(("direction", "sent")), |facts| facts.prompt_bytes)
        .chain(by(Some(("direction", "received")), |facts| facts.answer_bytes));
    text.counter("copydesk_call_bytes_total", "Bytes of prompts and answers.", bytes);
    let costs = labels.iter().flat_map(|(line, facts)| {
        facts.cost.iter().map(move |(currency, cost)| (with(line, Some(("currency", currency.as_str()))), *cost))
    });
    text.counter("copydesk_cost_total", "What calls cost, by the prices of the configuration.", costs);
    let spread = |of: fn(&CallFacts) -> &Spread| labels.iter().map(move |(line, facts)| (with(line, None), of(facts)));
    text.durations("copydesk_call_duration_seconds", "From sent to ended.", spread(|facts| &facts.worked));
    text.durations("copydesk_call_wait_seconds", "From ready to sent.", spread(|facts| &facts.waited));
    let reduction = facts.contexts().reduction().map(|rho| (vec![], rho));
    text.gauge(
        "copydesk_context_reduction_ratio",
        "The share of what agents read and said that stayed with them.",
        reduction,
    );
}

/// Labels of a line, and one more.
fn with<'l>(line: &'l [(&'static str, String)], more: Option<Label<'l>>) -> Vec<Label<'l>> {
    line.iter().map(|(name, value)| (*name, value.as_str())).chain(more).collect()
}

/// Whether a server would take this as the name of a tool. A model may write anything there.
pub(super) fn is_name_of_tool(name: &str) -> bool {
    (1..=64).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
}

fn tools(text: &mut Exposition<'_>, facts: &Facts) {
    let odd = |name: &String| (!is_name_of_tool(name)).then(|| OTHER.to_owned());
    let tools = bounded(&facts.tools, MOST_TOOLS, odd, &OTHER.to_owned(), ToolFacts::merge);
    let by = |end: &'static str, value: fn(&ToolFacts) -> u64| {
        tools.iter().map(move |(tool, facts)| (vec![("tool", tool.as_str()), ("end", end)], amount(value(facts))))
    };
    let ends = by("done", |facts| facts.done)
        .chain(by("failed", |facts| facts.failed))
        .chain(by("unknown", |facts| facts.unknown))
        .chain(by("lost", |facts| facts.lost));
    text.counter("copydesk_tool_calls_total", "Calls of tools that ended; lost: nothing came back.", ends);
    let worked = tools.iter().map(|(tool, facts)| (vec![("tool", tool.as_str())], &facts.worked));
    text.durations("copydesk_tool_duration_seconds", "From called to ended.", worked);
}

fn steps(text: &mut Exposition<'_>, facts: &Facts) {
    let pools = || facts.pools.iter().map(|(pool, facts)| (vec![("pool", pool.as_str())], facts));
    text.counter(
        "copydesk_steps_total",
        "Steps that were done.",
        pools().map(|(labels, facts)| (labels, amount(facts.steps))),
    );
    text.durations(
        "copydesk_step_duration_seconds",
        "From begun to ended, all attempts together.",
        pools().map(|(labels, facts)| (labels, &facts.worked)),
    );
    text.durations(
        "copydesk_step_wait_seconds",
        "In the queue, from ready to begun.",
        pools().map(|(labels, facts)| (labels, &facts.waited)),
    );
    let one = |value: u64| [(vec![], amount(value))];
    let queue = &facts.queue;
    text.counter("copydesk_redeliveries_total", "Steps that were put into the queue again.", one(queue.redelivered));
    text.counter("copydesk_parked_total", "Steps that waited for their server.", one(queue.parked));
    text.counter("copydesk_dead_letters_total", "Steps that were given up.", one(queue.dead));
    text.counter("copydesk_server_outages_total", "How often a server was left alone.", one(queue.servers_down));
    let look_ups = &facts.look_ups;
    text.counter("copydesk_look_ups_total", "Concerns that were looked up.", one(look_ups.asked));
    text.counter("copydesk_memory_hits_total", "Look-ups that the memory answered.", one(look_ups.remembered));
    let tokens = [("retrieved", look_ups.retrieved_tokens), ("whole_sources", look_ups.source_tokens)];
    text.counter(
        "copydesk_look_up_tokens_total",
        "Tokens of passages that were found, and of the whole sources that would have been read otherwise.",
        tokens.map(|(kind, value)| (vec![("kind", kind)], amount(value))),
    );
    text.counter("copydesk_research_questions_total", "Questions of research.", one(facts.coverage.questions));
    text.counter("copydesk_research_answered_total", "Those that were answered.", one(facts.coverage.answered));
}

fn runs(text: &mut Exposition<'_>, facts: &Facts) {
    let runs = &facts.runs;
    let one = |value: u64| [(vec![], amount(value))];
    text.counter("copydesk_runs_opened_total", "Runs that began.", one(runs.opened));
    let ends = [("succeeded", runs.succeeded), ("failed", runs.failed)];
    text.counter(
        "copydesk_runs_ended_total",
        "Runs that ended.",
        ends.map(|(result, value)| (vec![("result", result)], amount(value))),
    );
    text.counter("copydesk_runs_flagged_total", "Runs that ended with a flag.", one(runs.flagged));
    text.counter("copydesk_open_concerns_total", "Concerns that runs left open.", one(runs.open_concerns));
    text.counts("copydesk_run_rounds", "Rounds of the runs that ended.", [(vec![], &runs.rounds)]);
    text.durations(
        "copydesk_run_duration_seconds",
        "From opened to ended; waiting for an editor counts.",
        [(vec![], &runs.took)],
    );
    let verdicts = facts.verdicts.iter().map(|(status, value)| (vec![("status", status.as_str())], amount(*value)));
    text.counter("copydesk_verdicts_total", "Verdicts of specialists.", verdicts);
    let decisions = facts.decisions.iter().map(|(choice, value)| (vec![("choice", choice.as_str())], amount(*value)));
    text.counter("copydesk_decisions_total", "Decisions of editors; override: a verdict was overruled.", decisions);
}

fn queue(text: &mut Exposition<'_>, backlog: &QueueBacklog, slots: &[(Pool, usize)], now: i64) {
    let each = Pool::ALL.into_iter().flat_map(|pool| MessageState::ALL.map(|state| (pool, state)));
    let messages = each.map(|(pool, state)| {
        let found = backlog.messages.iter().find(|(of, is, _)| (*of, *is) == (pool, state));
        (vec![("pool", pool.name()), ("state", state.name())], amount(found.map_or(0, |(.., number)| *number)))
    });
    text.gauge("copydesk_queue_messages", "Steps in the queue.", messages);
    let longest = Pool::ALL.map(|pool| {
        let since = backlog.longest.iter().find(|(of, _)| *of == pool);
        let waited = since.map_or(0, |(_, since)| u64::try_from(now.saturating_sub(*since)).unwrap_or(0));
        (vec![("pool", pool.name())], amount(waited) / 1_000.0)
    });
    text.gauge("copydesk_queue_longest_wait_seconds", "How long the step has waited that waits longest.", longest);
    let slots = slots.iter().map(|(pool, slots)| (vec![("pool", pool.name())], amount(*slots as u64)));
    text.gauge("copydesk_pool_slots", "Steps that this program may do at once.", slots);
    let stories = backlog.stories.iter().map(|((state, waits), number)| {
        let waits = if *waits { "true" } else { "false" };
        (vec![("state", *state), ("waits_for_editor", waits)], amount(*number))
    });
    text.gauge("copydesk_stories", "Stories, by the state of their current run.", stories);
    let down = backlog.down.iter().take(MOST_LINES).map(|down| (vec![("server", down.server.as_str())], 1.0));
    text.gauge("copydesk_server_down", "1 for each server that gets no requests now.", down);
}

#[cfg(test)]
mod tests;
