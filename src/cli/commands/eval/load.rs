//! `copydesk eval load`: topics through the pipeline at several numbers of stories at once, each in an empty desk of its own, measured from
//! its record.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
    time::Instant,
};

use anyhow::{Context as _, Result};
use clap::Args;
use jiff::{SignedDuration, Timestamp};

use super::stories::in_folder;
use crate::{
    cli::{
        exit::{Exit, WrongUse},
        intake::topics::{self, ReadTopic, TopicRead, TopicRequest},
        wiring::{self, clock::SystemClock, settings},
        work::{
            batch::{Batch, BatchEnd},
            worked::Worked,
        },
    },
    config::Settings,
    headless::{self, LoadRow, LoadTable, ProgressLines},
    newsroom::{Agent, Gates},
    ports::{Clock as _, FactBook as _, Watch},
};

#[derive(Debug, Args)]
pub(crate) struct LoadEvalArgs {
    /// Topics: files, or folders of them. Each is run once at each number.
    #[arg(long, required = true, value_name = "TOPIC", num_args = 1..)]
    topics: Vec<PathBuf>,
    /// Stories at once, such as 1,5,10.
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "1,5,10", value_parser = clap::value_parser!(u16).range(1..=1000))]
    at: Vec<u16>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(crate) async fn eval(config: Option<&Path>, arguments: LoadEvalArgs) -> Result<Exit> {
    let settings = settings::load(config)?;
    let mut rows = Vec::new();
    for at in &arguments.at {
        headless::message(&format!("{at} at once:"));
        let Some(row) = measured(&settings, &arguments.topics, usize::from(*at)).await? else {
            headless::message("Interrupted. What was measured before stands here; nothing of it is kept.");
            print(&settings, rows, arguments.json)?;
            return Ok(Exit::Interrupted);
        };
        rows.push(row);
    }
    print(&settings, rows, arguments.json)?;
    Ok(Exit::Fine)
}

fn print(settings: &Settings, rows: Vec<LoadRow>, json: bool) -> Result<()> {
    let generation = &settings.article_generation;
    let models =
        Agent::all().filter_map(|agent| Some((agent.name().to_owned(), generation.models.of(agent)?.model.clone())));
    let table = LoadTable {
        version: env!("CARGO_PKG_VERSION"),
        engine: generation.engine.name(),
        models: if generation.engine.has_models() { models.collect() } else { BTreeMap::default() },
        rows,
    };
    headless::data(&if json { table.json()? } else { table.text() })?;
    Ok(())
}

/// Runs the topics in an empty desk. None if a person stopped it.
async fn measured(settings: &Settings, topics: &[PathBuf], at: usize) -> Result<Option<LoadRow>> {
    let own = tempfile::tempdir().context("no temporary folder can be made for the desk")?;
    let settings = in_folder(settings, own.path());
    let wanted = TopicRequest { topics: topics.to_vec(), gates: Gates::Auto, ..TopicRequest::default() };
    let taken = topics::take(&settings, &wanted)?;
    let store = wiring::store(&settings)?;
    let progress = Arc::new(ProgressLines::new());
    let desk = wiring::desk(&settings, &store, Arc::clone(&progress) as Arc<dyn Watch>).await?;
    let (from, begun) = (SystemClock.now(), Instant::now());
    let mut batch = Batch::new(&desk, &store, at, false, Some(progress));
    let mut rejected = 0;
    for ReadTopic { file, what, .. } in taken {
        match what {
            TopicRead::Assignment(assignment) => batch.begin(*assignment),
            TopicRead::Rejected { message, .. } => {
                rejected += 1;
                batch.reject(Worked::rejected(file.clone(), format!("{file}: {message}")));
            }
        }
    }
    let BatchEnd::Through(worked) = batch.work().await? else { return Ok(None) };
    let seconds = begun.elapsed().as_secs_f64();
    let stories = worked.len().saturating_sub(rejected);
    if stories == 0 {
        return Err(WrongUse("none of the topics can be used, so there is nothing to measure".to_owned()).into());
    }
    let stamp = |time: Timestamp| format!("{time:.3}");
    let until = SystemClock.now().checked_add(SignedDuration::from_secs(1))?;
    let facts = store.facts(&stamp(from), &stamp(until)).await?;
    Ok(Some(LoadRow::of(at, stories, rejected, seconds, &facts)))
}
