//! `copydesk eval pipeline`: topics through the pipeline and through simpler ones, beside each other: the paper's second table (seed 001).

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::{Args, ValueEnum};

use super::{
    basis,
    kept::Keeping,
    stories::{self, EvalTopic, Way},
};
use crate::{
    cli::{
        exit::{Exit, WrongUse},
        wiring::settings,
    },
    config::Settings,
    desk::Assignment,
    headless::{EvalVariant, StoryUnit, story_tables},
};

#[derive(Debug, Args)]
pub(crate) struct PipelineEvalArgs {
    /// Topics: files, or folders of them.
    #[arg(long, required = true, value_name = "TOPIC", num_args = 1..)]
    topics: Vec<PathBuf>,
    /// How often each topic is run in each way.
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeat: u32,
    /// Ways of writing the stories.
    #[arg(long, value_name = "WAY,...", value_delimiter = ',', value_enum, default_value = "four-layer")]
    variants: Vec<Pipeline>,
    #[command(flatten)]
    keeping: Keeping,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
enum Pipeline {
    /// The whole desk: agents, proof, review, rounds.
    FourLayer,
}

impl Pipeline {
    fn key(self) -> &'static str {
        match self {
            Self::FourLayer => "four-layer",
        }
    }

    fn change(self) -> fn(&mut Assignment) {
        match self {
            Self::FourLayer => |_| {},
        }
    }
}

pub(crate) async fn eval(config: Option<&Path>, arguments: PipelineEvalArgs) -> Result<Exit> {
    let settings = settings::load(config)?;
    let PipelineEvalArgs { topics, repeat, mut variants, keeping } = arguments;
    variants.sort();
    variants.dedup();
    let (topics, problems) = stories::read(&settings, &topics)?;
    measured(&settings, (&topics, problems), &variants, repeat, &keeping).await
}

async fn measured(
    settings: &Settings,
    (topics, problems): (&[EvalTopic], Vec<String>),
    variants: &[Pipeline],
    repeat: u32,
    keeping: &Keeping,
) -> Result<Exit> {
    claims_are_checked(settings)?;
    let basis = basis::of_desk(settings)?;
    let mut kept = keeping.open("pipeline", &basis)?;
    let ways: Vec<Way> = variants
        .iter()
        .map(|one| Way {
            key: one.key().to_owned(),
            settings: settings.clone(),
            change: one.change(),
            remembers: false,
        })
        .collect();
    let measured = stories::measure(&mut kept, topics, &ways, repeat).await?;
    let named: Vec<EvalVariant> = variants
        .iter()
        .map(|one| EvalVariant { key: one.key().to_owned(), name: one.key().replace('-', " ") })
        .collect();
    let pairs: Vec<(usize, usize)> =
        (0..named.len()).flat_map(|second| (0..second).map(move |first| (first, second))).collect();
    let mut evaluation = basis::begun("pipeline", "Stories by pipeline", basis);
    let tables = |units: &[StoryUnit]| story_tables("Stories", units, &named, &pairs);
    stories::publish(&kept, &mut evaluation, measured, problems, &tables)
}

/// Without claims there is no fact-check score.
pub(super) fn claims_are_checked(settings: &Settings) -> Result<()> {
    if settings.claims.is_none() {
        return Err(
            WrongUse("claims.enabled is false, so no story has a fact-check score; set it to true".to_owned()).into()
        );
    }
    Ok(())
}
