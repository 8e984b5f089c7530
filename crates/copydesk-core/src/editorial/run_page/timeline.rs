//! The material of the page; the events of the run in the order of time; its work and its models.

use std::collections::{BTreeMap, HashMap};

use crate::{
    editorial::{
        control_record::{ControlRecord, decision_in_words},
        event_words::event_and_details,
        page_bars::{ChartRow, bars},
        page_frame::{code, line, name, section, table, time},
    },
    ports::{CallRow, CallState, RunKey},
};
use copydesk_newsroom::{Decided, Event, EventRecord, Journal, Ledger, Outcome, Step, amount};
use copydesk_text::count;

/// Everything that the page is made from.
#[derive(Debug, Clone, Copy)]
pub struct RunMaterial<'a> {
    pub journal: &'a Journal,
    /// The events of the run and of those that it took over from, in the order of time.
    pub events: &'a [EventRecord],
    pub calls: &'a [CallRow],
    /// The digest of the whole input of a call: model, settings, prompt, schema. Hex.
    pub digests: &'a HashMap<(RunKey, Step, u32), String>,
    /// How long each step worked, in milliseconds.
    pub worked: &'a HashMap<Step, u64>,
    /// The proof of each round's draft.
    pub ledgers: &'a BTreeMap<u32, Ledger>,
    pub record: &'a ControlRecord,
    /// The time before which nothing may be published, if that is still to come.
    pub embargo: Option<&'a str>,
}

/// A row of the timeline.
struct Moment {
    at: String,
    /// The round that it belongs to; 0 before the first review, the largest for the end.
    round: u32,
    what: String,
    detail: String,
    took: Option<u64>,
}

/// The timeline, a table for each round.
pub(super) fn timeline(run: &RunMaterial<'_>) -> String {
    let mut moments = steps(run);
    moments.extend(events(run));
    if moments.is_empty() {
        return section("timeline", "Timeline", "<p>Nothing has happened yet.</p>\n");
    }
    moments.sort_by(|one, other| (one.round, &one.at).cmp(&(other.round, &other.at)));
    let mut body = String::new();
    for of_round in moments.chunk_by(|one, other| one.round == other.round) {
        let heading = match of_round.first().map_or(0, |moment| moment.round) {
            0 => "Before the first review".to_owned(),
            u32::MAX => "The end".to_owned(),
            round => format!("Round {round}"),
        };
        let worked: u64 = of_round.iter().filter_map(|moment| moment.took).sum();
        let rows: Vec<Vec<String>> = of_round
            .iter()
            .map(|moment| {
                let took = moment.took.map_or_else(String::new, seconds);
                vec![time(&moment.at), moment.what.clone(), format!("<bdi>{}</bdi>", moment.detail), took]
            })
            .collect();
        body.extend([format!(
            "<details open>\n<summary>{heading}: {}, {} of work</summary>\n{}</details>\n",
            count(rows.len(), "moment"),
            seconds(worked),
            table(&["When", "What", "What came of it", "#Took"], rows)
        )]);
    }
    section("timeline", "Timeline", &body)
}

/// Milliseconds for a person.
pub(super) fn seconds(milliseconds: u64) -> String {
    match milliseconds {
        0..10 => "0 s".to_owned(),
        10..10_000 => format!("{}.{:02} s", milliseconds / 1_000, milliseconds % 1_000 / 10),
        10_000..120_000 => format!("{} s", milliseconds / 1_000),
        _ => format!("{} min", milliseconds / 60_000),
    }
}

/// The entries of the journal.
fn steps(run: &RunMaterial<'_>) -> Vec<Moment> {
    let mut summaries: HashMap<Step, &str> = HashMap::new();
    for record in run.events {
        if let Event::StepDone { step, summary } = &record.event {
            summaries.insert(*step, summary);
        }
    }
    let entries = run.journal.entries().iter().map(|entry| {
        let (what, detail) = match (entry.step, &entry.outcome) {
            (Step::Decide { round, number }, Outcome::Decision(decision)) => {
                let decided = Decided { round, number, at: &entry.at, decision, undone: false };
                (
                    format!("<strong>{}</strong> decided", name(&decision.by)),
                    line(&decision_in_words(run.journal, &decided)),
                )
            }
            (step, Outcome::Failure(failure)) => {
                (format!("<strong class=\"bad\">{} failed</strong>", line(&step.in_words())), line(&failure.message))
            }
            (step, _) => {
                (line(&step.in_words()), summaries.get(&step).map(|summary| line(summary)).unwrap_or_default())
            }
        };
        Moment {
            at: entry.at.clone(),
            round: entry.step.round(),
            what,
            detail,
            took: run.worked.get(&entry.step).copied(),
        }
    });
    entries.collect()
}

/// The events beside the steps, in the words of the log.
fn events(run: &RunMaterial<'_>) -> Vec<Moment> {
    let is_shown = |event: &Event| {
        matches!(
            event,
            Event::RunResumed { .. }
                | Event::RunForked { .. }
                | Event::GateWaits { .. }
                | Event::CallFailed { .. }
                | Event::CallRepeated { .. }
                | Event::StepParked { .. }
                | Event::Noted { .. }
                | Event::PauseSet { .. }
                | Event::StoryKilled { .. }
                | Event::ReplyAsked { .. }
                | Event::ReplyAnswered { .. }
        )
    };
    let moment = |record: &EventRecord| {
        let (what, detail) = event_and_details(&record.event);
        // An event of no round stands in the round that was under way.
        let under_way = || {
            let before = run.journal.entries().iter().filter(|entry| entry.at <= record.at);
            before.map(|entry| entry.step.round()).max().unwrap_or(0)
        };
        let round = record.event.step().map_or_else(under_way, Step::round);
        Moment { at: record.at.clone(), round, what: line(&what), detail: line(&detail), took: None }
    };
    run.events.iter().filter(|record| is_shown(&record.event)).map(moment).collect()
}

/// Time and tokens by agent, as bars.
pub(super) fn work(run: &RunMaterial<'_>) -> String {
    let mut time: BTreeMap<String, u64> = BTreeMap::new();
    for (step, milliseconds) in run.worked {
        let agent = run.calls.iter().find(|call| call.step == *step).map(|call| call.agent.clone());
        *time.entry(agent.unwrap_or_else(|| worker(*step).to_owned())).or_default() += milliseconds;
    }
    let mut tokens: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for call in run.calls {
        let of = tokens.entry(call.agent.as_str()).or_default();
        of.0 += call.usage.prompt_tokens.unwrap_or(0);
        of.1 += call.usage.completion_tokens.unwrap_or(0);
    }
    let chart = |about: &str, none: &str, mut rows: Vec<ChartRow>| {
        rows.sort_by(|a, b| (b.first + b.second).total_cmp(&(a.first + a.second)));
        if rows.is_empty() { format!("<p>{none}</p>\n") } else { bars(about, &rows) }
    };
    let time = time.into_iter().map(|(name, first)| ChartRow {
        name,
        first: amount(first),
        words: seconds(first),
        ..ChartRow::default()
    });
    let tokens = tokens.into_iter().map(|(agent, (first, second))| ChartRow {
        name: agent.to_owned(),
        first: amount(first),
        second: amount(second),
        interval: None,
        words: format!("{first} sent, {second} received"),
    });
    let (time, tokens): (Vec<_>, Vec<_>) = (time.collect(), tokens.collect());
    let parts = "<p class=\"soft\">The first part of a bar is what was sent, the second what was received.</p>\n";
    let body = format!(
        "<h3>Time by agent</h3>\n{}<h3>Tokens by agent</h3>\n{}{}",
        chart("Time by agent", "Nobody measured it.", time),
        if tokens.is_empty() { "" } else { parts },
        chart("Tokens by agent, sent and received", "No model was asked.", tokens),
    );
    section("work", "Work and tokens", &body)
}

/// The worker of a step that asks no model.
fn worker(step: Step) -> &'static str {
    match step {
        Step::Plan | Step::Turn { .. } | Step::Tool { .. } | Step::Dossier => "reporter",
        Step::Coverage { .. } | Step::Triage { .. } => "editor (agent)",
        Step::Draft | Step::Write(_) | Step::Revise { .. } => "writer",
        Step::Prove { .. } | Step::Opinion { .. } => "proof",
        Step::Sections { .. } | Step::ReviewSection { .. } | Step::Review { .. } => "article_review",
        Step::Map { .. } => "concern_mapping",
        Step::Questions { .. } | Step::LookUp { .. } | Step::Search { .. } | Step::Open { .. } => "look-ups",
        Step::Judge { .. } => "specialists",
        Step::Claims { .. } => "claims",
        Step::Prepare { .. } => "publisher",
        Step::Parse { .. } | Step::Gate { .. } | Step::Decide { .. } | Step::Feedback { .. } | Step::Publish => {
            "the rules of the loop"
        }
    }
}

/// The calls, tokens, time and costs of a model.
#[derive(Default)]
struct Asked {
    calls: usize,
    useless: usize,
    sent: u64,
    received: u64,
    worked: u64,
    costs: BTreeMap<String, f64>,
}

/// The models by agent, and each call by the digest of its input.
pub(super) fn models(run: &RunMaterial<'_>) -> String {
    let pins = format!("<p>The run’s prompts and settings have the digest {}.</p>\n", code(&run.journal.opening.pins));
    if run.calls.is_empty() {
        let body = format!("{pins}<p>No model was asked.</p>\n");
        return section("models", "Models and prompts", &body);
    }
    let mut by: BTreeMap<(&str, &str, &str), Asked> = BTreeMap::new();
    for call in run.calls {
        let asked = by.entry((&call.agent, &call.model, &call.host)).or_default();
        asked.calls += 1;
        asked.useless += usize::from(call.state != CallState::Answered);
        asked.sent += call.usage.prompt_tokens.unwrap_or(0);
        asked.received += call.usage.completion_tokens.unwrap_or(0);
        asked.worked += call.numbers.times.worked_ms.unwrap_or(0);
        if let Some(cost) = &call.numbers.cost {
            *asked.costs.entry(cost.currency.clone()).or_default() += cost.amount;
        }
    }
    let rows = by.into_iter().map(|((agent, model, host), asked)| {
        let costs = asked.costs.into_iter().map(|(currency, sum)| format!("{sum:.4} {}", line(&currency)));
        vec![
            line(agent),
            name(model),
            name(host),
            asked.calls.to_string(),
            asked.useless.to_string(),
            asked.sent.to_string(),
            asked.received.to_string(),
            seconds(asked.worked),
            costs.collect::<Vec<_>>().join(", "),
        ]
    });
    let headings = ["Agent", "Model", "Server", "#Calls", "#Not usable", "#Sent", "#Received", "#Time", "#Cost"];
    let calls = run.calls.iter().map(|call| {
        let digest = run.digests.get(&(call.run, call.step, call.attempt));
        let outcome = match (&call.error, call.state == CallState::Answered) {
            (_, true) => "answered".to_owned(),
            (Some(error), false) => format!("<span class=\"bad\">not usable</span>: <bdi>{}</bdi>", line(error)),
            (None, false) => "no answer".to_owned(),
        };
        vec![
            line(&call.step.in_words()),
            call.attempt.to_string(),
            line(&call.agent),
            digest.map_or_else(|| "not kept".to_owned(), |digest| code(digest)),
            outcome,
        ]
    });
    let calls: Vec<Vec<String>> = calls.collect();
    let body = format!(
        "{pins}{}<details>\n<summary>{} by the digest of the whole input: model, settings, prompt, schema</summary>\n{}</details>\n",
        table(&headings, rows),
        copydesk_text::count(calls.len(), "call"),
        table(&["Step", "#Attempt", "Agent", "Digest (SHA-256)", "Outcome"], &calls)
    );
    section("models", "Models and prompts", &body)
}
