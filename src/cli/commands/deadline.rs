//! `copydesk deadline` and `copydesk editor`: when a story is due, and who has it.

use std::path::Path;

use anyhow::Result;
use clap::Args;

use crate::{
    cli::{
        exit::Exit,
        intake::story::{self, when},
        wiring::{self, clock, settings},
    },
    headless,
    newsroom::local_minute,
    ports::Stories as _,
    text::sanitise,
};

/// Most characters of an editor's name.
const LONGEST_NAME: usize = 80;

#[derive(Debug, Args)]
pub(crate) struct DeadlineArgs {
    /// channel/slug, or a slug.
    story: String,
    /// In local time: 18:00, tomorrow 18:00, 2026-10-06 18:00, 2026-10-06, +2h, +3d; or none.
    #[arg(required = true, num_args = 1..)]
    when: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct EditorArgs {
    /// channel/slug, or a slug.
    story: String,
    /// The editor's name, as in `editor` of their configuration; or none.
    #[arg(required = true, num_args = 1..)]
    name: Vec<String>,
}

pub(crate) async fn set_deadline(config: Option<&Path>, arguments: DeadlineArgs) -> Result<Exit> {
    let settings = settings::load(config)?;
    let due = when(&arguments.when)?;
    let store = wiring::store(&settings)?;
    let (key, _) = story::story(&store, &arguments.story).await?;
    store.set_due(&key, due.clone(), &settings.editor, &clock::now()).await?;
    headless::message(&match due {
        Some(due) => format!("{key} is due {}.", local_minute(&due)),
        None => format!("{key} has no deadline."),
    });
    Ok(Exit::Fine)
}

pub(crate) async fn set_editor(config: Option<&Path>, arguments: EditorArgs) -> Result<Exit> {
    let settings = settings::load(config)?;
    let name = sanitise::excerpt(&arguments.name.join(" "), LONGEST_NAME);
    let editor = (!sanitise::is_blank(&name) && !name.eq_ignore_ascii_case("none")).then_some(name);
    let store = wiring::store(&settings)?;
    let (key, _) = story::story(&store, &arguments.story).await?;
    store.assign(&key, editor.clone(), &settings.editor, &clock::now()).await?;
    headless::message(&match editor {
        Some(editor) => format!("{key} is now with {editor}."),
        None => format!("{key} is with nobody now."),
    });
    Ok(Exit::Fine)
}
