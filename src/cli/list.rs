//! `copydesk list`.

use std::path::Path;

use anyhow::Result;
use clap::Args;

use super::{Exit, settings, wiring};
use crate::{headless, ports::Archive};

/// Arguments of `list`.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Earlier runs too.
    #[arg(long)]
    all: bool,
    /// As a JSON array.
    #[arg(long)]
    json: bool,
}

pub(super) async fn list(config: Option<&Path>, arguments: Arguments) -> Result<Exit> {
    let settings = settings::load(config)?;
    let store = wiring::store(&settings)?;
    let runs = store.list(arguments.all).await?;
    if arguments.json {
        headless::data(&serde_json::to_string_pretty(&runs)?)?;
    } else if runs.is_empty() {
        headless::message("The desk is empty. copydesk run --auto TOPIC.json takes a first topic.");
    } else {
        headless::data(&headless::runs_table(&runs))?;
    }
    Ok(Exit::Fine)
}
