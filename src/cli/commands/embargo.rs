//! `copydesk embargo`: the time before which nothing of a story goes out.

use std::path::Path;

use anyhow::Result;
use clap::Args;

use crate::{
    cli::{
        exit::Exit,
        intake::story::{self, when},
        wiring::{
            self,
            clock::{self, SystemClock},
            settings,
        },
    },
    editorial::distribution::is_embargoed,
    headless,
    newsroom::local_minute,
    ports::{Clock as _, Outbox as _},
};

#[derive(Debug, Args)]
pub(crate) struct EmbargoArgs {
    /// channel/slug, or a slug.
    story: String,
    /// In local time: 18:00, tomorrow 18:00, 2026-10-06 18:00, 2026-10-06, +2h, +3d; or none.
    #[arg(required = true, num_args = 1..)]
    when: Vec<String>,
}

pub(crate) async fn set(config: Option<&Path>, arguments: EmbargoArgs) -> Result<Exit> {
    let settings = settings::load(config)?;
    let until = when(&arguments.when)?;
    let store = wiring::store(&settings)?;
    let (key, _) = story::story(&store, &arguments.story).await?;
    store.set_embargo(&key, until.clone(), &settings.editor, &clock::now()).await?;
    headless::message(&match until {
        Some(until) if is_embargoed(&until, SystemClock.now()) => {
            format!("{key} is under embargo until {}.", local_minute(&until))
        }
        Some(_) => format!("{key}: that time has passed, so nothing is held back."),
        None => format!("{key} is under no embargo."),
    });
    Ok(Exit::Fine)
}
