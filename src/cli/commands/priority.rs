//! `copydesk priority`.

use std::path::Path;

use anyhow::Result;
use clap::{Args, ValueEnum};

use crate::{
    cli::{
        exit::Exit,
        intake::story,
        wiring::{self, clock, settings},
    },
    headless,
    newsroom::Priority,
    ports::Stories,
};

#[derive(Debug, Args)]
pub(crate) struct PriorityArgs {
    /// channel/slug, or a slug.
    story: String,
    /// How urgent it is.
    priority: PriorityArg,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum PriorityArg {
    /// Before all others.
    High,
    /// In its turn.
    Normal,
    /// After all others.
    Low,
}

impl From<PriorityArg> for Priority {
    fn from(level: PriorityArg) -> Self {
        match level {
            PriorityArg::High => Self::High,
            PriorityArg::Normal => Self::Normal,
            PriorityArg::Low => Self::Low,
        }
    }
}

pub(crate) async fn set(config: Option<&Path>, arguments: PriorityArgs) -> Result<Exit> {
    let settings = settings::load(config)?;
    let store = wiring::store(&settings)?;
    let (key, current) = story::story(&store, &arguments.story).await?;
    let priority = Priority::from(arguments.priority);
    store.set_priority(&key, priority, &settings.editor, &clock::now()).await?;
    headless::message(&if current.priority == priority {
        format!("{key} already has {} priority.", priority.name())
    } else {
        format!("{key} now has {} priority; it had {}.", priority.name(), current.priority.name())
    });
    Ok(Exit::Fine)
}
