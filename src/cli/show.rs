//! `copydesk show` and `copydesk log`: one story, read back.

use std::path::Path;

use anyhow::Result;
use clap::Args;
use serde_json::json;

use super::{Exit, WrongUse, settings, wiring};
use crate::{
    editorial::report,
    headless::{self, Paint},
    newsroom::ListedRun,
    ports::{Archive, Records, RunKey},
    store::Store,
    text::sanitise,
};

/// Arguments of `show`.
#[derive(Debug, Args)]
pub(super) struct ShowArguments {
    /// channel/slug, a slug, or a run id.
    story: String,
    /// As one JSON object: run, steps, result.
    #[arg(long)]
    json: bool,
}

/// Arguments of `log`.
#[derive(Debug, Args)]
pub(super) struct LogArguments {
    /// channel/slug, a slug, or a run id.
    story: String,
    /// One JSON event a line.
    #[arg(long)]
    json: bool,
}

pub(super) async fn show(config: Option<&Path>, arguments: ShowArguments) -> Result<Exit> {
    let settings = settings::load(config)?;
    let store = wiring::store(&settings)?;
    let (key, listed) = find(&store, &arguments.story).await?;
    let journal = store.load(key).await?.journal;
    if arguments.json {
        let steps: Vec<_> = journal
            .entries()
            .iter()
            .map(|entry| json!({ "step": entry.step, "at": entry.at, "usage": entry.usage }))
            .collect();
        let result = journal.publication().map(|publication| report::result(&journal, publication));
        let object = json!({ "run": listed, "steps": steps, "result": result });
        headless::data(&serde_json::to_string_pretty(&object)?)?;
        return Ok(Exit::Fine);
    }
    headless::data(&headless::runs_table(std::slice::from_ref(&listed)))?;
    headless::data("")?;
    headless::data(&headless::story_report(&journal, Paint::Plain))?;
    Ok(Exit::Fine)
}

pub(super) async fn log(config: Option<&Path>, arguments: LogArguments) -> Result<Exit> {
    let settings = settings::load(config)?;
    let store = wiring::store(&settings)?;
    let (key, _) = find(&store, &arguments.story).await?;
    for record in store.events(key).await? {
        if arguments.json {
            headless::data(&serde_json::to_string(&record)?)?;
            continue;
        }
        let mut event = serde_json::to_value(&record.event)?;
        let what = event.as_object_mut().and_then(|fields| fields.remove("event"));
        let what = what.as_ref().and_then(serde_json::Value::as_str).unwrap_or_default().to_owned();
        let details: Vec<String> = event
            .as_object()
            .into_iter()
            .flatten()
            .filter(|(_, value)| !value.is_null())
            .map(|(name, value)| format!("{name}={}", value.as_str().map_or_else(|| value.to_string(), str::to_owned)))
            .collect();
        headless::data(&format!("{}  {what:<13} {}", record.at, sanitise::one_line(&details.join("  "))))?;
    }
    Ok(Exit::Fine)
}

/// The run that a person means: the story's current one where a story is named.
pub(super) async fn find(store: &Store, name: &str) -> Result<(RunKey, ListedRun)> {
    let mut found = store.find(name).await?;
    let mut stories: Vec<String> = found.iter().map(|(_, run)| run.story.clone()).collect();
    stories.sort();
    stories.dedup();
    if stories.len() > 1 {
        return Err(WrongUse(format!(
            "{name} is the slug of several stories: {}; name one with its channel",
            stories.join(", ")
        ))
        .into());
    }
    if found.is_empty() {
        return Err(WrongUse(format!("there is no story or run {name}; copydesk list shows what there is")).into());
    }
    Ok(found.swap_remove(0))
}
