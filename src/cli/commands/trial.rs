//! `copydesk trial`: what the configured models are fit for, before a story relies on them.

use crate::cli::prelude::*;
use crate::editorial::trial::{TrialFitness, TrialReport};
use crate::headless::Quiet;
use crate::{cli::work::interrupt::Interrupt, desk::TrialError};

/// How the trial is reported.
#[derive(Debug, Args)]
pub(crate) struct TrialArgs {
    /// Write every answer of the models into this new file, for `engine: recorded`.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(crate) async fn trial(config: Option<&Path>, arguments: &TrialArgs) -> Result<Exit> {
    let mut settings = settings::load(config)?;
    settings.article_generation.record_to.clone_from(&arguments.record);
    let store = wiring::store(&settings)?;
    let library = Arc::new(wiring::library(&settings, &store));
    let desk = wiring::desk_with(&settings, &store, Arc::new(Quiet), library)?;
    let mut interrupt = Interrupt::listen();
    let bar = headless::Bar::new("trying the models", "calls");
    let progress = bar.progress();
    let style = &settings.article_generation.default_style_mode;
    let tried = tokio::select! {
        tried = desk.try_models(style, &progress) => tried,
        () = interrupt.typed() => {
            drop(bar);
            headless::message("The trial was stopped. Nothing of it is kept.");
            return Ok(Exit::Interrupted);
        }
    };
    drop(bar);
    let report = tried.map_err(|error| match error {
        TrialError::NoModels => WrongUse(error.to_string()).into(),
        other => anyhow::Error::from(other),
    })?;
    if arguments.json {
        headless::json(&headless::trial_json(&report))?;
    } else {
        headless::data(&headless::trial_text(&report))?;
    }
    Ok(exit(&report))
}

/// A role that its model is unfit for is something to be done.
fn exit(report: &TrialReport) -> Exit {
    let unfit = report.judgements().iter().any(|judged| judged.fitness == TrialFitness::Unfit);
    if unfit { Exit::Failed } else { Exit::Fine }
}
