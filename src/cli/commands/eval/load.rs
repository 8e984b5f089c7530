//! `copydesk eval load`: topics through the pipeline at several numbers of stories at once, each in an empty desk of its own, measured from
//! its record.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Instant,
};

use anyhow::Result;
use clap::Args;
use jiff::{SignedDuration, Timestamp};

use super::{
    basis,
    kept::{EvalDone, EvalKeeping},
    stories::{NOT_ALL, Through, in_folder, through},
};
use crate::{
    cli::{
        exit::{Exit, WrongUse},
        intake::topics::{self, ReadTopic, TopicRead, TopicRequest},
        wiring::{self, clock::SystemClock, settings},
        work::{batch::Batch, interrupt::Interrupt, worked::WorkedStory},
    },
    config::Settings,
    headless::{self, LoadUnit, ProgressLines, load_table},
    newsroom::Gates,
    ports::{Clock as _, FactBook as _, Watch},
};

#[derive(Debug, Args)]
pub(crate) struct LoadEvalArgs {
    /// Topics: files, or folders of them. Each is run once at each number.
    #[arg(long, required = true, value_name = "TOPIC", num_args = 1..)]
    topics: Vec<PathBuf>,
    /// Stories at once, such as 1,5,10.
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "1,5,10", value_parser = clap::value_parser!(u16).range(1..=1000))]
    at: Vec<u16>,
    #[command(flatten)]
    keeping: EvalKeeping,
}

impl LoadEvalArgs {
    /// At the numbers of the paper.
    pub(super) fn of(topics: Vec<PathBuf>, keeping: EvalKeeping) -> Self {
        Self { topics, at: vec![1, 5, 10], keeping }
    }
}

pub(crate) async fn eval(config: Option<&Path>, arguments: &LoadEvalArgs) -> Result<Exit> {
    Ok(measured(&settings::load(config)?, arguments, &mut Interrupt::listen()).await?.exit)
}

pub(super) async fn measured(
    settings: &Settings,
    arguments: &LoadEvalArgs,
    interrupt: &mut Interrupt,
) -> Result<EvalDone> {
    let LoadEvalArgs { topics, at, keeping } = arguments;
    let basis = basis::of_desk(settings)?;
    let data = basis::of_topics(topics)?;
    let mut kept = keeping.open("load", &basis)?;
    let mut units: Vec<LoadUnit> = Vec::new();
    let mut exit = Exit::Fine;
    for at in at {
        let name = format!("{at} at once {data}");
        if let Some(unit) = kept.known(&name) {
            headless::message(&format!("{at} at once: known from before"));
            units.push(unit);
            continue;
        }
        headless::message(&format!("{at} at once:"));
        let desk = kept.desk()?;
        let load = if interrupt.was_typed() {
            Load::Stopped(None)
        } else {
            at_once(settings, desk.path(), topics, usize::from(*at), interrupt).await?
        };
        match load {
            Load::Measured(unit) => {
                kept.keep(name, &*unit)?;
                units.push(*unit);
            }
            Load::Stopped(why) => {
                exit = if why.is_some() { Exit::Failed } else { Exit::Interrupted };
                let why = why.unwrap_or_else(|| "It was interrupted".to_owned());
                let before = if kept.keeps() {
                    "What was measured before is kept; the same command goes on from here."
                } else {
                    "What was measured before stands here; with --out DIR it could go on."
                };
                headless::message(&format!("{why}. {before}"));
                break;
            }
        }
    }
    if units.is_empty() {
        return Ok(EvalDone { exit, evaluation: None });
    }
    let mut evaluation = basis::begun("load", "The desk under load", basis);
    evaluation.measured_on.data = Some(data);
    evaluation.notes.extend((exit != Exit::Fine).then(|| NOT_ALL.to_owned()));
    let rejected = units.iter().map(|unit| unit.rejected).max().unwrap_or(0);
    evaluation
        .notes
        .extend((rejected > 0).then(|| format!("{rejected} topics could not be used: they are in no figure.")));
    evaluation.tables = vec![load_table(&units)];
    evaluation.units = units.iter().map(serde_json::to_value).collect::<serde_json::Result<_>>()?;
    kept.publish(&evaluation)?;
    Ok(EvalDone { exit, evaluation: Some(evaluation) })
}

/// The result of the stories at one number.
enum Load {
    Measured(Box<LoadUnit>),
    /// A person stopped them, or one of them could not continue for now.
    Stopped(Option<String>),
}

/// Runs the topics in an empty desk.
async fn at_once(
    settings: &Settings,
    folder: &Path,
    topics: &[PathBuf],
    at: usize,
    interrupt: &mut Interrupt,
) -> Result<Load> {
    let settings = in_folder(settings, folder);
    let wanted = TopicRequest { topics: topics.to_vec(), gates: Gates::Auto, ..TopicRequest::default() };
    let taken = topics::take(&settings, &wanted)?;
    let store = wiring::store(&settings)?;
    let progress = Arc::new(ProgressLines::new());
    let desk = wiring::desk(&settings, &store, Arc::clone(&progress) as Arc<dyn Watch>).await?;
    let (from, begun) = (SystemClock.now(), Instant::now());
    let mut batch = Batch::new(&desk, &store, at, false, Some(progress));
    let mut rejected = 0;
    for ReadTopic { file, what, .. } in taken {
        match what {
            TopicRead::Assignment(assignment) => batch.begin(*assignment),
            TopicRead::Rejected { message, .. } => {
                rejected += 1;
                batch.reject(WorkedStory::rejected(file.clone(), format!("{file}: {message}")));
            }
        }
    }
    let worked = match through(batch, interrupt).await? {
        Through::All(worked) => worked,
        Through::Stopped(why) => return Ok(Load::Stopped(why)),
    };
    let seconds = begun.elapsed().as_secs_f64();
    let stories = worked.len().saturating_sub(rejected);
    if stories == 0 {
        return Err(WrongUse("none of the topics can be used, so there is nothing to measure".to_owned()).into());
    }
    let stamp = |time: Timestamp| format!("{time:.3}");
    let until = SystemClock.now().checked_add(SignedDuration::from_secs(1))?;
    let facts = store.facts(&stamp(from), &stamp(until)).await?;
    Ok(Load::Measured(Box::new(LoadUnit::of(at, stories, rejected, seconds, &facts))))
}
