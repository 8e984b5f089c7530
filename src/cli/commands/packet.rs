//! `copydesk packet`: chosen claims of a draft as a file for an expert outside the house. `decide STORY answers FILE` takes the answers in.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;

use crate::{
    cli::{
        commands::export::write,
        exit::{Exit, WrongUse},
        intake::story,
        wiring::{self, settings},
    },
    editorial::{decisions, packet},
    headless,
    newsroom::Wait,
    ports::{Records as _, Stories as _},
};

#[derive(Debug, Args)]
pub(crate) struct PacketArgs {
    /// channel/slug, or a slug.
    story: String,
    /// The numbers of the claims, as `copydesk show STORY` lists them: 1,3,5 [default: all].
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',', value_parser = clap::value_parser!(u16).range(1..))]
    claims: Vec<u16>,
    /// The file [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace the file if it exists.
    #[arg(long, requires = "out")]
    force: bool,
    /// Write it although the story is confidential. Hidden names are hidden in it.
    #[arg(long)]
    despite_confidential: bool,
}

pub(crate) async fn packet(config: Option<&Path>, arguments: PacketArgs) -> Result<Exit> {
    let settings = settings::load(config)?;
    let store = wiring::store_to_look(&settings)?;
    let (run, listed) = story::run(&store, &arguments.story).await?;
    let confidential = store.secrecy(&story::key(&listed)?).await?.confidential;
    if confidential && !arguments.despite_confidential {
        return Err(WrongUse(format!(
            "{} is confidential, and a packet is made to be given away. --despite-confidential writes it",
            listed.story
        ))
        .into());
    }
    let journal = store.load(run).await?.journal;
    let round = decisions::waits(&journal).map_or_else(|| journal.latest_draft(), Wait::round);
    let numbers: Vec<usize> = arguments.claims.iter().copied().map(usize::from).collect();
    let text = packet::written(&journal, round, &numbers)
        .map_err(|error| WrongUse(format!("no packet can be written for {}: {error}", listed.story)))?;
    match &arguments.out {
        None => headless::data(text.trim_end())?,
        Some(path) => {
            write(path, text.as_bytes(), arguments.force)?;
            headless::message(&format!(
                "The packet is in {}. When it is back: copydesk decide {} answers {}",
                path.display(),
                listed.story,
                path.display()
            ));
        }
    }
    Ok(Exit::Fine)
}
