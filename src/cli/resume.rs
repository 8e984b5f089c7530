//! `copydesk resume`: every unfinished run goes on.

use std::{path::Path, sync::Arc};

use anyhow::Result;
use clap::Args;

use super::{
    Exit,
    run::{INTERRUPTED, Worked, finish, say_failure},
    settings, wiring,
};
use crate::{
    desk::DeskError,
    headless::{self, JsonLines, Progress},
    ports::{Records, Watch},
};

/// Arguments of `resume`.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Print one JSON event a line on standard output instead of the result table.
    #[arg(long)]
    json: bool,
}

pub(super) async fn resume(config: Option<&Path>, arguments: Arguments) -> Result<Exit> {
    let settings = settings::load(config)?;
    let store = wiring::store(&settings)?;
    let (paused, unfinished): (Vec<_>, Vec<_>) = store.unfinished().await?.into_iter().partition(|run| run.paused);
    for run in &paused {
        headless::message(&format!("{0}: paused; `copydesk unpause {0}` lets it go on", run.story));
    }
    if unfinished.is_empty() {
        headless::message(if paused.is_empty() {
            "Nothing to resume: every run has ended."
        } else {
            "Nothing else to resume: every other run has ended."
        });
        return Ok(Exit::Fine);
    }
    let watch: Arc<dyn Watch> = if arguments.json { Arc::new(JsonLines) } else { Arc::new(Progress::new()) };
    let desk = wiring::desk(&settings, &store, watch).await?;
    let work = async {
        let mut rows = Vec::new();
        for run in &unfinished {
            let result = match desk.go_on(run).await {
                Ok(Some(ended)) => Ok(ended),
                Ok(None) => continue,
                Err(DeskError::Locked { .. }) => {
                    headless::message(&format!("{}: another copydesk is at work on it; left to that one", run.story));
                    continue;
                }
                Err(error) => Err(error),
            };
            let worked = Worked::of(run.story.to_string(), result);
            say_failure(&worked, arguments.json);
            rows.push(worked);
        }
        rows
    };
    let rows = tokio::select! {
        rows = work => rows,
        _ = tokio::signal::ctrl_c() => {
            headless::message(INTERRUPTED);
            return Ok(Exit::Interrupted);
        }
    };
    finish(&desk, &store, &rows, arguments.json, false).await
}
