//! `copydesk-eval`: what the desk's own judgements are worth, measured on texts that people have judged and on topics that it runs in
//! empty desks of their own. Nothing is written but results.

#![cfg_attr(test, allow(clippy::string_slice, reason = "a test that cuts at a wrong place should stop there"))]

mod ablation;
mod all;
mod basis;
mod beir;
mod context;
mod evaluation;
mod kept;
mod load;
mod newsroom;
mod pipeline;
mod planted;
mod prelude;
mod proof;
mod ranking;
mod retrieval;
mod scoring;
mod stories;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use copydesk::cli::{self, ConfigArgs, wiring::settings};
use tokio::task::spawn_blocking;

use crate::prelude::*;

/// Measure the desk, its proof and its search.
#[derive(Debug, Parser)]
#[command(name = "copydesk-eval", version, max_term_width = 100)]
struct Cli {
    #[command(flatten)]
    config: ConfigArgs,
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

fn main() -> ExitCode {
    ExitCode::from(cli::start(std::env::args_os(), |cli: Cli| Box::pin(evaluate(cli))).code())
}

async fn evaluate(cli: Cli) -> Result<Exit> {
    let config = cli.config.file();
    let config = config.as_deref();
    let measured = match cli.what {
        What::All(arguments) => return Box::pin(all::evaluate(config, arguments)).await,
        What::Proof(arguments) => spawn_blocking(move || proof::measure(arguments)).await?,
        What::Newsroom(arguments) => spawn_blocking(move || newsroom::measure(arguments)).await?,
        What::Context(arguments) => spawn_blocking(move || context::measure(arguments)).await?,
        What::Retrieval(arguments) => retrieval::measure(config, &arguments).await,
        What::Pipeline(arguments) => {
            pipeline::measure(&settings::load(config)?, &arguments, &mut Interrupt::listen()).await
        }
        What::Ablation(arguments) => {
            Box::pin(ablation::measure(&settings::load(config)?, &arguments, &mut Interrupt::listen())).await
        }
        What::Load(arguments) => load::measure(&settings::load(config)?, &arguments, &mut Interrupt::listen()).await,
    };
    Ok(measured?.exit)
}
