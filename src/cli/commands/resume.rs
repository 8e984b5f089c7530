//! `copydesk resume`: resumes every unfinished run.

use crate::cli::prelude::*;
use crate::cli::wiring::observing::Observing;
use crate::cli::work::{batch::Batch, interrupt::Interrupt, results::finish_batch};
use crate::ports::{Leased, Queue as _, Records};

#[derive(Debug, Args)]
pub(crate) struct ResumeArgs {
    /// Print one JSON event per line on standard output instead of the result table.
    #[arg(long)]
    json: bool,
    /// Stories at once [default: the configuration's `desk.stories_at_once`].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    concurrency: Option<u16>,
}

pub(crate) async fn resume(config: Option<&Path>, arguments: ResumeArgs) -> Result<Exit> {
    let (settings, store) = wiring::open(config)?;
    let (paused, unfinished): (Vec<_>, Vec<_>) = store.unfinished().await?.into_iter().partition(|run| run.paused);
    for run in &paused {
        headless::message(&format!("{0}: Paused. `copydesk set {0} --unpause` ends the pause", run.story));
    }
    if unfinished.is_empty() {
        headless::message(if paused.is_empty() {
            "Nothing to resume: every run has ended."
        } else {
            "Nothing else to resume: every other run has ended."
        });
        return Ok(Exit::Fine);
    }
    let (watch, progress) = headless::listener(arguments.json);
    let desk = wiring::desk(&settings, &store, watch).await?;
    let _observing = Observing::begin(&settings, &store, Box::new(headless::message), &mut headless::message).await;
    let concurrency = arguments.concurrency.map_or(settings.desk.stories_at_once, usize::from);
    let (leases, now) = (store.leases().await?, desk.clock.now().as_millisecond());
    // Before this program takes anything itself.
    let held = desk.locks.held(unfinished.iter().map(|run| run.story.clone()).collect()).await;
    let mut interrupt = Interrupt::listen();
    let mut batch = Batch::new(&desk, &store, concurrency, arguments.json, progress);
    for (run, held) in unfinished.into_iter().zip(held) {
        let hangs = |lease: &Leased| lease.run == run.key && lease.has_run_out(now, desk.queue_rules.lease);
        if matches!(held, Ok(true)) {
            if !leases.iter().any(hangs) {
                headless::message(&format!("{}: Another copydesk works on it. Skipped", run.story));
                continue;
            }
            headless::message(&format!(
                "{}: Another copydesk has it and does not answer. Taking it over soon if that stays so",
                run.story
            ));
        }
        batch.resume(run.story.to_string(), run.key).await;
    }
    let end = batch.work(&mut interrupt).await?;
    finish_batch(&desk, &store, end, arguments.json).await
}
