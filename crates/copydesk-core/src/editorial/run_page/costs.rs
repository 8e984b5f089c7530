//! The costs of the run: time and tokens by agent, the models that were asked, and the prompts by their digests.

use std::collections::BTreeMap;

use super::{material::RunMaterial, timeline::seconds};
use crate::editorial::{
    page_bars::{ChartRow, bars},
    page_frame::{code, line, name, section, table},
};
use copydesk_newsroom::{Step, amount};

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
        of.0 += call.prompt_tokens.unwrap_or(0);
        of.1 += call.completion_tokens.unwrap_or(0);
    }
    let mut body = String::from("<h3>Time by agent</h3>\n");
    let mut rows: Vec<ChartRow> = time
        .into_iter()
        .map(|(name, first)| ChartRow { name, first: amount(first), words: seconds(first), ..ChartRow::default() })
        .collect();
    rows.sort_by(|a, b| b.first.total_cmp(&a.first));
    if rows.is_empty() {
        body.push_str("<p>Nobody measured it.</p>\n");
    } else {
        body.push_str(&bars("Time by agent", &rows));
    }
    body.push_str("<h3>Tokens by agent</h3>\n");
    if tokens.is_empty() {
        body.push_str("<p>No model was asked.</p>\n");
    } else {
        let mut rows: Vec<ChartRow> = tokens
            .into_iter()
            .map(|(agent, (first, second))| ChartRow {
                name: agent.to_owned(),
                first: amount(first),
                second: amount(second),
                interval: None,
                words: format!("{first} sent, {second} received"),
            })
            .collect();
        rows.sort_by(|a, b| (b.first + b.second).total_cmp(&(a.first + a.second)));
        body.push_str(
            "<p class=\"soft\">The first part of a bar is what was sent, the second what was received.</p>\n",
        );
        body.push_str(&bars("Tokens by agent, sent and received", &rows));
    }
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
        asked.useless += usize::from(!call.is_answered);
        asked.sent += call.prompt_tokens.unwrap_or(0);
        asked.received += call.completion_tokens.unwrap_or(0);
        asked.worked += call.worked_ms.unwrap_or(0);
        if let Some(cost) = &call.cost {
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
    let rows: Vec<Vec<String>> = rows.collect();
    let headings = ["Agent", "Model", "Server", "#Calls", "#Not usable", "#Sent", "#Received", "#Time", "#Cost"];
    let calls = run.calls.iter().map(|call| {
        let outcome = match (&call.error, call.is_answered) {
            (_, true) => "answered".to_owned(),
            (Some(error), false) => format!("<span class=\"bad\">not usable</span>: <bdi>{}</bdi>", line(error)),
            (None, false) => "no answer".to_owned(),
        };
        vec![
            line(&call.step.in_words()),
            call.attempt.to_string(),
            line(&call.agent),
            call.digest.as_deref().map_or_else(|| "not kept".to_owned(), code),
            outcome,
        ]
    });
    let calls: Vec<Vec<String>> = calls.collect();
    let body = format!(
        "{pins}{}<details>\n<summary>{} by the digest of the whole input: model, settings, prompt, schema</summary>\n{}</details>\n",
        table(&headings, &rows),
        copydesk_text::count(calls.len(), "call"),
        table(&["Step", "#Attempt", "Agent", "Digest (SHA-256)", "Outcome"], &calls)
    );
    section("models", "Models and prompts", &body)
}
