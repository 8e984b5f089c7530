//! `copydesk list`.

use std::path::Path;

use anyhow::Result;
use clap::Args;

use super::{Exit, settings, wiring};
use crate::{headless, newsroom::ListedRun, ports::Archive};

/// Arguments of `list`.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Earlier runs too.
    #[arg(long)]
    all: bool,
    /// Only the stories that wait for an editor or are flagged, the most urgent first, then the oldest: the order of `copydesk review`.
    #[arg(long, conflicts_with = "all")]
    review: bool,
    /// As a JSON array.
    #[arg(long)]
    json: bool,
}

pub(super) async fn list(config: Option<&Path>, arguments: Arguments) -> Result<Exit> {
    let settings = settings::load(config)?;
    let store = wiring::store(&settings)?;
    let mut runs = store.list(arguments.all).await?;
    if arguments.review {
        runs.retain(ListedRun::is_in_review);
        runs.sort_by(|one, other| one.review_order().cmp(&other.review_order()));
    }
    if arguments.json {
        headless::data(&serde_json::to_string_pretty(&runs)?)?;
    } else if runs.is_empty() && arguments.review {
        headless::message("The review queue is empty: no story waits for an editor, and none is flagged.");
    } else if runs.is_empty() {
        headless::message("The desk is empty. copydesk run --auto TOPIC.json takes a first topic.");
    } else {
        headless::data(&headless::runs_table(&runs, headless::terminal_width()))?;
    }
    Ok(Exit::Fine)
}
