//! Holds the dashboard for Grafana to the metrics that are written: their names, and their labels.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use regex::Regex;
use serde_json::Value;

use super::*;
use crate::{
    newsroom::{AttemptEnd, CallFact, Event, PoolFacts, RunState, Status, Step, Usage},
    ports::ServerDown,
};

const DASHBOARD: &str = include_str!("../../../assets/grafana/copydesk.json");

/// Something of each kind.
fn facts() -> Facts {
    let mut facts = Facts::default();
    let line = CallLine { agent: "writer".into(), model: "m".into(), server: "127.0.0.1:1".into() };
    facts.add_call(CallFact {
        line,
        end: AttemptEnd::Answered,
        attempt: 1,
        repeats: 0,
        usage: Usage { prompt_tokens: Some(9), completion_tokens: Some(1), cached_tokens: None },
        waited_ms: Some(1),
        worked_ms: Some(1),
        prompt_bytes: None,
        answer_bytes: None,
        cost: Some((1.0, "EUR".into())),
    });
    facts.tools.insert("search_web".into(), ToolFacts::default());
    facts.pools.insert("writer".into(), PoolFacts::default());
    let step = Step::Judge { round: 1, concern: 1 };
    facts.add_event(&Event::VerdictGiven { step, excerpt: String::new(), status: Status::Keep }, None);
    facts.decisions.insert("stet".into(), 1);
    facts
}

fn metrics() -> String {
    let down = ServerDown { server: "127.0.0.1:1".into(), since: None, until: 0, error: None };
    let mut backlog = QueueBacklog { down: vec![down], ..QueueBacklog::default() };
    backlog.count_story(RunState::Open, true, 1);
    written(&facts(), &backlog, &[(Pool::Writer, 2)], 0, &mut HashMap::new())
}

/// The labels of each series, by its name.
fn series(metrics: &str) -> BTreeMap<String, BTreeSet<String>> {
    let label = Regex::new(r#"([a-z_]+)=""#).unwrap();
    let mut series: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in metrics.lines().filter(|line| !line.starts_with('#')) {
        let (name, labels) = line.split_once(['{', ' ']).unwrap();
        let known = series.entry(name.to_owned()).or_default();
        known.extend(label.captures_iter(labels).map(|found| found[1].to_owned()));
    }
    series
}

#[test]
fn every_metric_has_a_series_here() {
    let metrics = metrics();
    let known = series(&metrics);
    for line in metrics.lines().filter_map(|line| line.strip_prefix("# TYPE ")) {
        let (name, kind) = line.split_once(' ').unwrap();
        let name = if kind == "histogram" { format!("{name}_bucket") } else { name.to_owned() };
        assert!(known.contains_key(&name), "{name}");
    }
}

#[test]
fn the_dashboard_asks_for_metrics_and_labels_that_are_written() {
    let known = series(&metrics());
    let dashboard: Value = serde_json::from_str(DASHBOARD).unwrap();
    let name = Regex::new(r"\b(copydesk_[a-z_]+)(\{[^}]*\})?").unwrap();
    let label = Regex::new("([a-z_]+)=").unwrap();
    let by = Regex::new(r"by \(([a-z_, ]+)\)").unwrap();
    let shown = Regex::new(r"\{\{([a-z_]+)\}\}").unwrap();
    let mut asked = BTreeSet::new();
    let panels = dashboard["panels"].as_array().unwrap();
    for target in panels.iter().filter_map(|panel| panel["targets"].as_array()).flatten() {
        let expr = target["expr"].as_str().unwrap();
        let mut labels = BTreeSet::new();
        for found in name.captures_iter(expr) {
            let of = known.get(&found[1]).unwrap_or_else(|| panic!("{} is not written: {expr}", &found[1]));
            labels.extend(of.iter().map(String::as_str));
            asked.insert(found[1].to_owned());
            let chosen = found.get(2).map_or("", |labels| labels.as_str());
            assert!(chosen.starts_with("{instance=~\"$instance\""), "of one desk alone: {expr}");
            for chosen in label.captures_iter(chosen).map(|label| label[1].to_owned()) {
                assert!(chosen == "instance" || of.contains(&chosen), "{chosen}: {expr}");
            }
        }
        let kept: BTreeSet<&str> = by
            .captures_iter(expr)
            .filter_map(|found| Some(found.get(1)?.as_str()))
            .flat_map(|by| by.split(", "))
            .collect();
        assert!(kept.is_subset(&labels), "{kept:?}: {expr}");
        let legend = target["legendFormat"].as_str().unwrap();
        assert!(shown.captures_iter(legend).all(|found| kept.contains(&found[1])), "{legend}: {expr}");
        assert_eq!(expr.matches('(').count(), expr.matches(')').count(), "{expr}");
    }
    for wanted in [
        "copydesk_runs_ended_total",
        "copydesk_calls_total",
        "copydesk_tokens_total",
        "copydesk_call_duration_seconds_bucket",
        "copydesk_queue_messages",
        "copydesk_pool_slots",
        "copydesk_dead_letters_total",
        "copydesk_cost_total",
        "copydesk_verdicts_total",
    ] {
        assert!(asked.contains(wanted), "{wanted}");
    }
}

#[test]
fn the_dashboard_has_the_shape_that_grafana_imports() {
    let dashboard: Value = serde_json::from_str(DASHBOARD).unwrap();
    assert!(dashboard["schemaVersion"].as_u64().is_some_and(|version| version >= 36));
    assert!(dashboard["id"].is_null(), "Grafana gives it one");
    assert_eq!(dashboard["uid"], "copydesk");
    let variables = dashboard["templating"]["list"].as_array().unwrap();
    let variable = |name: &str| variables.iter().find(|variable| variable["name"] == name).unwrap();
    assert_eq!(
        (&variable("datasource")["type"], &variable("datasource")["query"]),
        (&"datasource".into(), &"prometheus".into())
    );
    assert_eq!(variable("instance")["datasource"]["uid"], "${datasource}");
    let (mut ids, mut end) = (BTreeSet::new(), 0);
    for panel in dashboard["panels"].as_array().unwrap() {
        let title = panel["title"].as_str().unwrap();
        assert!(ids.insert(panel["id"].as_u64().unwrap()), "{title}: its id is another's");
        let place = |side: &str| panel["gridPos"][side].as_u64().unwrap();
        assert!(place("w") > 0 && place("h") > 0 && place("x") + place("w") <= 24, "{title}");
        assert!(place("y") >= end || place("x") > 0, "{title} lies over another");
        end = end.max(place("y") + if place("x") + place("w") == 24 { place("h") } else { 0 });
        if panel["type"] == "row" {
            continue;
        }
        assert!(!panel["description"].as_str().unwrap().is_empty(), "{title}");
        let targets = panel["targets"].as_array().unwrap();
        let names: BTreeSet<&str> = targets.iter().filter_map(|target| target["refId"].as_str()).collect();
        assert_eq!(names.len(), targets.len(), "{title}: each question has a name of its own");
        for asks in targets.iter().chain([panel]) {
            assert_eq!(asks["datasource"]["uid"], "${datasource}", "{title}");
        }
    }
}
