//! `copydesk kb`: the knowledge base and the search: bringing the index up to date, searching, how it stands.

mod index;
mod search;
mod status;

use std::path::Path;

use anyhow::Result;
use clap::{Args, Subcommand};

use crate::cli::{
    exit::Exit,
    wiring::{self, settings},
};

#[derive(Debug, Args)]
pub(crate) struct KbArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Bring the index up to date: what changed in the folder is read, what is gone is taken out, vectors are made.
    Index(index::IndexArgs),
    /// Find the passages that bear on a question or a claim.
    Search(search::SearchArgs),
    /// Say what is indexed, how, and what is missing.
    Status(status::StatusArgs),
}

pub(crate) async fn kb(config: Option<&Path>, arguments: KbArgs) -> Result<Exit> {
    let settings = settings::load(config)?;
    let store = wiring::store(&settings)?;
    match arguments.what {
        What::Index(arguments) => index::index(&settings, &store, &arguments).await,
        What::Search(arguments) => search::search(&settings, &store, &arguments).await,
        What::Status(arguments) => status::status(&settings, &store, &arguments).await,
    }
}
