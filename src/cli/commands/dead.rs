//! `copydesk dead`: lists failed steps, retries them, drops them.

use crate::cli::prelude::*;
use crate::cli::work::{
    batch::Batch,
    deciding::{mendable, resume_current},
    interrupt::Interrupt,
    results::finish_batch,
};
use crate::desk::{self, FailedStep, Forked, failed_steps};
use crate::headless::Quiet;
use crate::ports::{Archive as _, Watch};

#[derive(Debug, Subcommand)]
pub(crate) enum DeadCommand {
    /// List the failed steps: since when, after how many retries, and why.
    List {
        /// Print a JSON array, with every attempt and the log between them.
        #[arg(long)]
        json: bool,
    },
    /// Retry failed steps, each in a new run that reuses everything before the step. No known answer is asked for again.
    Retry(Retry),
    /// Drop failed steps: they are not retried. Their runs stay failed.
    Drop {
        /// channel/slug, or a slug.
        #[arg(required = true, value_name = "STORY")]
        stories: Vec<String>,
        /// Your reason. The audit log keeps it with your name.
        #[arg(long, value_name = "TEXT", default_value = "", allow_hyphen_values = true)]
        reason: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Retry {
    /// channel/slug, or a slug.
    #[arg(required_unless_present = "all", conflicts_with = "all", value_name = "STORY")]
    stories: Vec<String>,
    /// Retry all failed steps.
    #[arg(long)]
    all: bool,
    /// Resume them at once, until the next decision or the end.
    #[arg(long)]
    resume: bool,
    /// With --resume: print one JSON event per line on standard output instead of the result table.
    #[arg(long, requires = "resume")]
    json: bool,
}

pub(crate) async fn dead(config: Option<&Path>, command: DeadCommand) -> Result<Exit> {
    let (settings, records) = wiring::open(config)?;
    match command {
        DeadCommand::List { json } => list(&records, json).await,
        DeadCommand::Retry(arguments) => retry(&settings, &records, arguments).await,
        DeadCommand::Drop { stories, reason } => drop_failed_steps(&settings, &records, &stories, &reason).await,
    }
}

async fn list(records: &Store, json: bool) -> Result<Exit> {
    let failed_steps = failed_steps(records).await?;
    if json {
        let mut rows = Vec::with_capacity(failed_steps.len());
        for failed in &failed_steps {
            rows.push(headless::failed_step_json(failed, &failed.attempts(records).await?));
        }
        headless::json(&rows)?;
    } else if failed_steps.is_empty() {
        headless::message(NONE);
    } else {
        headless::data(&headless::failed_steps_table(&failed_steps))?;
    }
    Ok(Exit::Fine)
}

const NONE: &str = "No failed steps.";

async fn retry(settings: &Settings, records: &Store, arguments: Retry) -> Result<Exit> {
    let Retry { stories, all, resume, json } = arguments;
    let failed_steps = if all { failed_steps(records).await? } else { failed_steps_of(records, &stories).await? };
    if failed_steps.is_empty() {
        headless::message(NONE);
        return Ok(Exit::Fine);
    }
    let (watch, progress) = if resume { headless::listener(json) } else { (Arc::new(Quiet) as Arc<dyn Watch>, None) };
    let desk = wiring::desk(settings, records, watch).await?;
    let mut opened = Vec::new();
    let mut refused = None;
    for failed in failed_steps {
        match desk.retry(&failed).await {
            Ok(forked) => {
                say_retried(records, &failed, &forked).await?;
                opened.push((failed.story, forked.key));
            }
            Err(error) => refused = Some(report_earlier(refused, mendable(error))),
        }
    }
    let mut exit = Exit::Fine;
    if !resume && !opened.is_empty() {
        let (subject, object) = if opened.len() == 1 { ("It waits", "it") } else { ("They wait", "them") };
        headless::message(&format!(
            "{subject} in the queue: a running `copydesk worker` or screen takes {object}, or type `copydesk resume`."
        ));
    } else if let [(story, _)] = opened.as_slice() {
        exit = resume_current(&desk, records, story, json).await?;
    } else if !opened.is_empty() {
        let mut interrupt = Interrupt::listen();
        let mut batch = Batch::new(&desk, records, settings.desk.stories_at_once, json, progress);
        for (story, run) in opened {
            batch.resume(story.to_string(), run).await;
        }
        let end = batch.work(&mut interrupt).await?;
        exit = finish_batch(&desk, records, end, json).await?;
    }
    // The last error is reported by the common handler of all errors.
    refused.map_or(Ok(exit), Err)
}

/// Says what went wrong before, and keeps what goes wrong now.
fn report_earlier(before: Option<anyhow::Error>, now: anyhow::Error) -> anyhow::Error {
    if let Some(before) = before {
        headless::message(&before.to_string());
    }
    now
}

async fn say_retried(records: &Store, failed: &FailedStep, forked: &Forked) -> Result<()> {
    let story = &failed.story;
    let paused = records.listed(&[forked.key]).await?.iter().any(|(_, run)| run.paused);
    headless::message(&format!(
        "{story}: the new run {} tries “{}” again and reuses everything before it from {}.{}",
        forked.run_id,
        failed.step.in_words(),
        failed.run_id,
        if paused { format!(" It is paused: `copydesk set {story} --unpause` first.") } else { String::new() }
    ));
    Ok(())
}

async fn drop_failed_steps(settings: &Settings, records: &Store, stories: &[String], reason: &str) -> Result<Exit> {
    for failed in failed_steps_of(records, stories).await? {
        let story = &failed.story;
        desk::drop_failed_step(records, &failed, reason, &settings.editor, &clock::now()).await.map_err(mendable)?;
        let flagged = records.listed(&[failed.run]).await?.iter().any(|(_, run)| run.is_flagged());
        headless::message(&format!(
            "{story}: the failed step is dropped. {}",
            if flagged {
                format!(
                    "Its run stays failed and flagged: `copydesk decide {story} accept flags --reason TEXT` settles that."
                )
            } else {
                "Its run stays failed.".to_owned()
            }
        ));
    }
    Ok(Exit::Fine)
}

/// The failed steps of the stories that a person named, each once.
///
/// # Errors
/// [`WrongUse`] if one of the stories has none; then nothing is done to the others.
async fn failed_steps_of(records: &Store, names: &[String]) -> Result<Vec<FailedStep>> {
    let failed_steps = failed_steps(records).await?;
    let mut meant: Vec<FailedStep> = Vec::new();
    let mut without = Vec::new();
    for name in names {
        let (run, listed) = story::run(records, name).await?;
        match failed_steps.iter().find(|failed| failed.run == run) {
            Some(failed) if meant.contains(failed) => {}
            Some(failed) => meant.push(failed.clone()),
            None => without.push(listed.story),
        }
    }
    if without.is_empty() {
        return Ok(meant);
    }
    let has = if without.len() == 1 { "has" } else { "have" };
    Err(wrong_use(format!(
        "{} {has} no failed step; `copydesk dead list` lists those that there are (nothing was changed)",
        without.join(", ")
    )))
}
