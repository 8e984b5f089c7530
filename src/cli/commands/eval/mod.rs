//! `copydesk eval`: what the desk's own judgements are worth, measured on texts that people have judged. Nothing written.

mod ablation;
mod all;
mod basis;
mod beir;
mod context;
mod kept;
mod load;
mod newsroom;
mod pipeline;
mod proof;
mod retrieval;
mod stories;

use std::path::Path;

use anyhow::Result;
use clap::{Args, Subcommand};

use crate::cli::exit::Exit;

#[derive(Debug, Args)]
pub(crate) struct EvalArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Measure stories: whether they succeed, how well they are supported, what they cost; topics in several ways beside each other.
    Pipeline(pipeline::PipelineEvalArgs),
    /// Measure what each part of the desk adds: it is turned off, and the same topics are run again.
    Ablation(ablation::AblationEvalArgs),
    /// Measure everything for which there is data, into one folder with a page that joins the tables.
    All(all::AllEvalArgs),
    /// Measure the proof's rules on summaries that people have checked against their documents.
    Proof(proof::ProofEvalArgs),
    /// Measure the proof on articles with one planted error each.
    Newsroom(newsroom::NewsroomEvalArgs),
    /// Measure the search on a collection in BEIR's layout: questions, texts, and which text answers which question.
    Retrieval(retrieval::RetrievalEvalArgs),
    /// Measure the desk under load: topics at several numbers of stories at once, each in an empty desk of its own.
    Load(load::LoadEvalArgs),
    /// Measure what shortening for a model saves and loses: TOON, long conversations with tools, sentences left out.
    Context(context::ContextEvalArgs),
}

pub(crate) async fn eval(config: Option<&Path>, arguments: EvalArgs) -> Result<Exit> {
    match arguments.what {
        What::All(arguments) => Box::pin(all::eval(config, arguments)).await,
        What::Proof(arguments) => proof::eval(arguments).await,
        What::Newsroom(arguments) => newsroom::eval(arguments).await,
        What::Retrieval(arguments) => retrieval::eval(config, &arguments).await,
        What::Pipeline(arguments) => Box::pin(pipeline::eval(config, &arguments)).await,
        What::Ablation(arguments) => Box::pin(ablation::eval(config, &arguments)).await,
        What::Load(arguments) => Box::pin(load::eval(config, &arguments)).await,
        What::Context(arguments) => context::eval(arguments).await,
    }
}
