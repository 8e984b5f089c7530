//! `copydesk-eval pipeline`: topics through the pipeline and through simpler ones, beside each other: the paper's second table.

use clap::builder::PossibleValuesParser;
use copydesk::newsroom::Workflow;

use crate::prelude::*;
use crate::{
    basis,
    evaluation::{StoryUnit, story_tables},
    kept::EvalDone,
    stories::{self, EvalWay, StoryRunArgs},
};

#[derive(Debug, Args)]
pub(crate) struct PipelineEvalArgs {
    #[command(flatten)]
    runs: StoryRunArgs,
    /// Ways of writing the stories.
    #[arg(
        long,
        value_name = "WAY,...",
        value_delimiter = ',',
        default_value = "four-layer,sequential,single-agent",
        value_parser = PossibleValuesParser::new(Workflow::ALL.map(Workflow::name))
    )]
    variants: Vec<String>,
}

pub(crate) async fn measure(
    settings: &Settings,
    arguments: &PipelineEvalArgs,
    interrupt: &mut Interrupt,
) -> Result<EvalDone> {
    let PipelineEvalArgs { runs: StoryRunArgs { topics, repeat, keeping }, variants } = arguments;
    let asked = |workflow: &Workflow| variants.iter().any(|name| name == workflow.name());
    let variants: Vec<Workflow> = Workflow::ALL.into_iter().filter(asked).collect();
    let (topics, problems) = stories::read(settings, topics)?;
    claims_are_checked(settings)?;
    let basis = basis::of_desk(settings)?;
    let mut kept = keeping.open("pipeline", &basis)?;
    let ways: Vec<EvalWay> = variants
        .iter()
        .map(|one| EvalWay { key: one.name().to_owned(), settings: settings.clone(), workflow: *one, remembers: false })
        .collect();
    let measured = stories::measure(&mut kept, &topics, &ways, *repeat, interrupt).await?;
    let keys: Vec<&str> = variants.iter().map(|one| one.name()).collect();
    let pairs: Vec<(usize, usize)> =
        (0..keys.len()).flat_map(|second| (0..second).map(move |first| (first, second))).collect();
    let mut evaluation = basis::begun("pipeline", "Stories by pipeline", basis);
    let tables = |units: &[StoryUnit]| story_tables("Stories", units, &keys, &pairs);
    evaluation.notes.extend(about(&variants));
    stories::publish(&kept, evaluation, measured, problems, &tables)
}

/// Describes the ways of working.
fn about(variants: &[Workflow]) -> impl Iterator<Item = String> {
    let rounds = "Revision cycles are reviews that ended with a gate: one agent alone has none, a sequence has one.";
    let ways = variants.iter().map(|one| {
        let what = match one {
            Workflow::Full => {
                "drafts are reviewed and revised until one passes, or the rounds are used up; then it has not passed"
            }
            Workflow::Sequential => {
                "a draft, one review with its verdicts, one revision that nobody reviews, so it passes"
            }
            Workflow::SingleAgent => {
                "the writer alone, with the same sources and passages: one draft that nobody reviews, so it passes"
            }
        };
        format!("{}: {what}.", one.name().replace('-', " "))
    });
    ways.chain([rounds.to_owned()])
}

/// Without claims there is no fact-check score.
pub(crate) fn claims_are_checked(settings: &Settings) -> Result<()> {
    if settings.claims.is_none() {
        return Err(wrong_use("claims.enabled is false, so no story has a fact-check score; set it to true"));
    }
    Ok(())
}
