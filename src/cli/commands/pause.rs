//! `copydesk pause` and `copydesk unpause`.

use std::path::Path;

use anyhow::Result;
use clap::Args;

use crate::{
    cli::{
        exit::Exit,
        intake::story,
        wiring::{self, clock, settings},
    },
    headless,
    ports::Stories,
};

#[derive(Debug, Args)]
pub(crate) struct PauseArgs {
    /// channel/slug, or a slug.
    story: String,
}

pub(crate) async fn set(config: Option<&Path>, arguments: PauseArgs, paused: bool) -> Result<Exit> {
    let settings = settings::load(config)?;
    let store = wiring::store(&settings)?;
    let (key, current) = story::story(&store, &arguments.story).await?;
    store.set_paused(&key, paused, &settings.editor, &clock::now()).await?;
    headless::message(&match (current.paused, paused) {
        (true, true) => format!("{key} is paused already."),
        (false, false) => format!("{key} is not paused."),
        (false, true) => format!("{key} is paused. `copydesk unpause {key}` ends the pause."),
        (true, false) => format!("{key} is no longer paused. `copydesk resume` resumes it."),
    });
    Ok(Exit::Fine)
}
