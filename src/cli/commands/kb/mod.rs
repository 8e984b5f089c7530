//! `copydesk kb`: the knowledge base and the search: bringing the index up to date, searching, how it stands.

mod index;
mod search;
mod status;

use crate::cli::prelude::*;
use crate::ports::Occasion;

#[derive(Debug, Subcommand)]
pub(crate) enum KbCommand {
    /// Update the index: read changed files, remove deleted ones, make vectors.
    Index(index::IndexArgs),
    /// Find passages about a question or a claim.
    Search(search::SearchArgs),
    /// Show what is indexed, how, and what is missing.
    Status(status::StatusArgs),
}

pub(crate) async fn kb(config: Option<&Path>, command: KbCommand) -> Result<Exit> {
    let (settings, store) = wiring::open(config)?;
    let house = |why| Occasion::of_house(why, Some(wiring::books(&store)));
    match command {
        KbCommand::Index(arguments) => house("kb index").during(index::index(&settings, &store, &arguments)).await,
        KbCommand::Search(arguments) => search::search(&settings, &store, &arguments).await,
        KbCommand::Status(arguments) => status::status(&settings, &store, &arguments).await,
    }
}
