//! `copydesk kb`: the knowledge base and the search: bringing the index up to date, searching, how it stands.

mod index;
mod search;
mod status;

use std::path::Path;

use anyhow::Result;
use clap::{Args, Subcommand};

use crate::{
    cli::{
        exit::Exit,
        wiring::{self, settings},
    },
    ports::Occasion,
};

#[derive(Debug, Args)]
pub(crate) struct KbArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Update the index: read changed files, remove deleted ones, make vectors.
    Index(index::IndexArgs),
    /// Find passages about a question or a claim.
    Search(search::SearchArgs),
    /// Show what is indexed, how, and what is missing.
    Status(status::StatusArgs),
}

pub(crate) async fn kb(config: Option<&Path>, arguments: KbArgs) -> Result<Exit> {
    let settings = settings::load(config)?;
    let store = wiring::store(&settings)?;
    let house = |why| Occasion::of_house(why, Some(wiring::books(&store)));
    match arguments.what {
        What::Index(arguments) => house("kb index").during(index::index(&settings, &store, &arguments)).await,
        What::Search(arguments) => search::search(&settings, &store, &arguments).await,
        What::Status(arguments) => status::status(&settings, &store, &arguments).await,
    }
}
