//! `copydesk doctor --probe`: asks each model what it can take, and names the settings of the file that do not fit. It writes nothing.

use anyhow::Context;
use serde_yaml::Value;

use super::chart::Chart;
use crate::cli::prelude::*;
use crate::cli::wiring::{
    fitting::{Fit, FittedFile, agents, fitted},
    settings::MOST_BYTES,
};
use crate::config::{self, KeyChange, ModelSettings, value_at};
use crate::{knowledge::regular, llm::measure, text::yaml};

/// The name of its lines.
const NAME: &str = "settings";

pub(super) async fn probe(chart: &mut Chart, file: &Path, settings: &Settings) -> Result<()> {
    if !settings.article_generation.engine.has_models() {
        chart.fine("probe", "no model to ask (engine: offline)");
        return Ok(());
    }
    let text = regular::read_to_string(file, MOST_BYTES).context("the configuration cannot be read")?;
    let written: Value = yaml::value(&text).context("the configuration cannot be read")?;
    let root = config::with_shared(written.clone());
    for (model, agents) in models(settings, &root) {
        let host = model.endpoint.authority();
        let told = |what: &str| headless::message(&format!("{} at {host}: {what}…", model.model));
        let profile = match measure(&model, settings, &told).await {
            Ok(profile) => profile,
            Err(error) => {
                chart.open("probe", &format!("{} at {host} gave no answer: {error}", model.model));
                continue;
            }
        };
        chart.fine("probe", &format!("{} at {host}: {}", model.model, profile.lines().join("; ")));
        let changes = fitted(&profile, &FittedFile::new(&root, agents, &model, Fit::Kept));
        if changes.is_empty() {
            chart.fine(NAME, &format!("those for {} fit", model.model));
        }
        for change in &config::written_changes(&written, &changes) {
            chart.open(NAME, &advice(file, &text, &written, change));
        }
    }
    Ok(())
}

/// Each model that agents have, with the sections of these agents.
fn models(settings: &Settings, root: &Value) -> Vec<(ModelSettings, Vec<&'static str>)> {
    let mut models: Vec<(ModelSettings, Vec<&'static str>)> = Vec::new();
    let of_agents = settings.article_generation.models.sections();
    for (agent, model) in of_agents.filter(|(agent, _)| agents(root).any(|known| known == *agent)) {
        let known = models
            .iter_mut()
            .find(|(known, _)| known.model == model.model && known.endpoint.base == model.endpoint.base);
        match known {
            Some((_, agents)) => agents.push(agent),
            None => models.push((model.clone(), vec![agent])),
        }
    }
    models
}

/// Such as `config.yaml, line 61: set …context_window to 8192; it is 32768 (llama.cpp says 1 slot of 8,192 tokens)`.
fn advice(file: &Path, text: &str, root: &Value, change: &KeyChange) -> String {
    let KeyChange { path, to, note } = change;
    let line = config::line_of(text, path).map_or_else(String::new, |line| format!(", line {line}"));
    let now = value_at(root, path).unwrap_or(Value::Null);
    let why =
        note.as_deref().and_then(|note| note.split_once(": ")).map_or(String::new(), |(_, why)| format!(" ({why})"));
    format!("{}{line}: set {path} to {}; it is {}{why}", file.display(), config::written(to), config::written(&now))
}
