//! `copydesk-eval all`: every evaluation for which there is data, into one folder, with a page that joins the tables.

use std::ffi::OsString;

use clap::Command;
use copydesk::cli::wiring::settings;
use tokio::task::spawn_blocking;

use crate::prelude::*;
use crate::{
    ablation, context,
    evaluation::{Evaluation, evaluations_page},
    kept::{EvalDone, write_file},
    load, newsroom, pipeline, proof, retrieval,
};

#[derive(Debug, Args)]
pub(crate) struct AllEvalArgs {
    /// The folder for the results. Each measurement is kept there as it ends, so the same command continues from there.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Topics, files or folders, for pipeline, ablation and load.
    #[arg(long, value_name = "TOPIC", num_args = 1..)]
    topics: Vec<PathBuf>,
    /// The files of `SummEdits`, for proof.
    #[arg(long, value_name = "DIR")]
    summedits: Option<PathBuf>,
    /// Articles with planted errors, for newsroom and context.
    #[arg(long, value_name = "DIR")]
    newsroom: Option<PathBuf>,
    /// A collection in BEIR's layout, for retrieval.
    #[arg(long, value_name = "DIR")]
    beir: Option<PathBuf>,
    /// How often each topic is run in each way.
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeat: u32,
    /// Measure everything anew that the folder has.
    #[arg(long)]
    again: bool,
}

/// The evaluations that were made, and the number of problems.
#[derive(Default)]
struct Collected {
    evaluations: Vec<Evaluation>,
    problems: usize,
    stopped: bool,
}

impl Collected {
    /// Takes an evaluation in. One that cannot be measured stops no other; one that a person stopped stops all.
    fn take(&mut self, name: &str, done: Result<EvalDone>) {
        match done {
            Ok(EvalDone { exit, evaluation }) => {
                self.evaluations.extend(evaluation);
                self.problems += usize::from(exit != Exit::Fine);
                self.stopped |= exit == Exit::Interrupted;
            }
            Err(error) => {
                headless::message(&format!("{name}: {error:#}"));
                self.problems += 1;
            }
        }
    }
}

/// The arguments of an evaluation as its own command reads them. The others are as they are delivered.
fn delivered<A: Args>(given: impl IntoIterator<Item = OsString>) -> Result<A> {
    let command = A::augment_args(Command::new("all").no_binary_name(true));
    Ok(A::from_arg_matches(&command.try_get_matches_from(given)?)?)
}

/// A path and its option in one argument, so that the path may begin with a dash.
fn option(name: &str, path: &Path) -> OsString {
    let mut option = OsString::from(format!("--{name}="));
    option.push(path);
    option
}

pub(crate) async fn evaluate(config: Option<&Path>, arguments: AllEvalArgs) -> Result<Exit> {
    let AllEvalArgs { out, topics, summedits, newsroom, beir, repeat, again } = arguments;
    if topics.is_empty() && summedits.is_none() && newsroom.is_none() && beir.is_none() {
        return Err(wrong_use("there is nothing to measure: give --topics, --summedits, --newsroom or --beir"));
    }
    let mut all = Collected::default();
    let of_data = |data: &Path| [option("data", data), option("out", &out)];
    if let Some(data) = newsroom {
        let arguments = delivered(of_data(&data))?;
        all.take("newsroom", spawn_blocking(move || newsroom::measure(arguments)).await?);
        let arguments = delivered(of_data(&data))?;
        all.take("context", spawn_blocking(move || context::measure(arguments)).await?);
    }
    if let Some(data) = summedits {
        let arguments = delivered(of_data(&data))?;
        all.take("proof", spawn_blocking(move || proof::measure(arguments)).await?);
    }
    if let Some(data) = beir {
        let arguments = delivered(of_data(&data))?;
        all.take("retrieval", Box::pin(retrieval::measure(config, &arguments)).await);
    }
    if !topics.is_empty() {
        let settings = settings::load(config)?;
        let mut interrupt = Interrupt::listen();
        let mut given: Vec<OsString> = topics.iter().map(|topic| option("topics", topic)).collect();
        given.push(option("out", &out));
        given.extend(again.then(|| OsString::from("--again")));
        let repeated = || given.iter().cloned().chain([OsString::from(format!("--repeat={repeat}"))]);
        let arguments = delivered(repeated())?;
        all.take("pipeline", Box::pin(pipeline::measure(&settings, &arguments, &mut interrupt)).await);
        if !all.stopped && settings.article_generation.engine.has_models() {
            let arguments = delivered(repeated())?;
            all.take("ablation", Box::pin(ablation::measure(&settings, &arguments, &mut interrupt)).await);
        }
        if !all.stopped {
            let arguments = delivered(given)?;
            all.take("load", Box::pin(load::measure(&settings, &arguments, &mut interrupt)).await);
        }
    }
    let evaluations: Vec<&Evaluation> = all.evaluations.iter().collect();
    if !evaluations.is_empty() {
        let index = out.join("index.html");
        write_file(&index, &evaluations_page("Evaluation of Copydesk", &evaluations))?;
        headless::message(&format!("{} has {} evaluations.", index.display(), evaluations.len()));
    }
    Ok(match all {
        Collected { stopped: true, .. } => Exit::Interrupted,
        Collected { problems: 0, .. } => Exit::Fine,
        Collected { .. } => Exit::Failed,
    })
}
