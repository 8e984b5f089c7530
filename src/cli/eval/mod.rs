//! `copydesk eval`: what the desk's own judgements are worth, measured on texts that people have judged. Nothing written.

mod beir;
mod proof;
mod retrieval;

use std::path::Path;

use anyhow::Result;
use clap::{Args, Subcommand};

use super::Exit;

/// Arguments of `eval`.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// The proof's rules, on summaries that people have held against their documents.
    Proof(proof::Arguments),
    /// The search, on a collection in BEIR's layout: questions, texts, and which text answers which question.
    Retrieval(retrieval::Arguments),
}

pub(super) async fn eval(config: Option<&Path>, arguments: Arguments) -> Result<Exit> {
    match arguments.what {
        What::Proof(arguments) => proof::eval(arguments).await,
        What::Retrieval(arguments) => retrieval::eval(config, &arguments).await,
    }
}
