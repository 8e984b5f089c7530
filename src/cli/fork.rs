//! `copydesk fork`: a new run that shares an earlier one's journal up to a step.

use std::{path::Path, sync::Arc};

use anyhow::Result;
use clap::Args;

use super::{
    Exit, WrongUse,
    run::{Worked, finish, say_failure},
    settings, story, wiring,
};
use crate::{
    desk::DeskError,
    headless::{self, JsonLines, Progress},
    newsroom::{Gates, Step},
    ports::{Records, Watch},
};

/// Arguments of `fork`.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// channel/slug, a slug, or a run id.
    story: String,
    /// The first step that is done anew, as `copydesk log` names it: draft, r1.review, r1.c2.judge, r1.gate, publish.
    #[arg(long, value_name = "STEP")]
    at: String,
    /// Work on the new run at once, without a human: its gates are decided by the verdicts.
    #[arg(long)]
    auto: bool,
    /// With --auto: print one JSON event a line on standard output instead of the result table.
    #[arg(long, requires = "auto")]
    json: bool,
}

pub(super) async fn fork(config: Option<&Path>, arguments: Arguments) -> Result<Exit> {
    let at: Step = arguments.at.parse().map_err(|error| WrongUse(format!("--at: {error}")))?;
    let settings = settings::load(config)?;
    let store = wiring::store(&settings)?;
    let (key, listed) = story::run(&store, &arguments.story).await?;
    let of = story::key(&listed)?;
    let watch: Arc<dyn Watch> = if arguments.json { Arc::new(JsonLines) } else { Arc::new(Progress::new()) };
    let desk = wiring::desk(&settings, &store, watch).await?;
    let gates = if arguments.auto { Gates::Auto } else { Gates::Editor };
    let forked = desk.fork(key, &of, at, gates).await.map_err(|error| match error {
        DeskError::NoSuchStep { .. } => WrongUse(error.to_string()).into(),
        other => anyhow::Error::from(other),
    })?;
    if !arguments.auto {
        headless::data(&forked.run_id)?;
        headless::message(&format!(
            "{of}: the new run {} shares everything before {at} of {}. `copydesk` opens it; its gates wait for you.",
            forked.run_id, listed.run
        ));
        return Ok(Exit::Fine);
    }
    let unfinished = store.unfinished().await?;
    let Some(run) = unfinished.iter().find(|run| run.key == forked.key) else { return Ok(Exit::Fine) };
    let result = match desk.go_on(run).await {
        Ok(Some(reached)) => Ok(reached),
        // Another program has taken it meanwhile.
        Ok(None) => return Ok(Exit::Fine),
        Err(error) => Err(error),
    };
    let worked = Worked::of(of.to_string(), result);
    say_failure(&worked, arguments.json);
    finish(&desk, &store, &[worked], arguments.json, true).await
}
