//! `copydesk pause` and `copydesk unpause`.

use std::path::Path;

use anyhow::Result;
use clap::Args;

use super::{Exit, clock, settings, story, wiring};
use crate::{headless, ports::Stories};

/// Arguments of `pause` and `unpause`.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// channel/slug, or a slug.
    story: String,
}

pub(super) async fn set(config: Option<&Path>, arguments: Arguments, paused: bool) -> Result<Exit> {
    let settings = settings::load(config)?;
    let store = wiring::store(&settings)?;
    let (key, current) = story::story(&store, &arguments.story).await?;
    store.set_paused(&key, paused, &settings.editor, &clock::now()).await?;
    headless::message(&match (current.paused, paused) {
        (true, true) => format!("{key} is paused already."),
        (false, false) => format!("{key} is not paused."),
        (false, true) => format!("{key} is paused: resume leaves it alone until `copydesk unpause {key}`."),
        (true, false) => format!("{key} is no longer paused: `copydesk resume` goes on with it."),
    });
    Ok(Exit::Fine)
}
