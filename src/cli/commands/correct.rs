//! `copydesk correct`: takes a version that was signed off up again, with a note for its readers.

use crate::cli::prelude::*;
use crate::ports::{Archive as _, Outbox as _, Records as _, Watch};
use crate::{cli::wiring::targets, cli::work::deciding::mendable, editorial::distribution::holders};
use crate::{headless::ProgressLines, newsroom::ListedRun};

#[derive(Debug, Args)]
pub(crate) struct CorrectArgs {
    /// channel/slug, a slug, or the run id of the version that was signed off.
    story: String,
    /// What readers are told: what was wrong, and what is right.
    #[arg(long, value_name = "TEXT")]
    note: String,
}

pub(crate) async fn correct(config: Option<&Path>, arguments: CorrectArgs) -> Result<Exit> {
    let (settings, records) = wiring::open(config)?;
    let (key, listed) = story::run(&records, &arguments.story).await?;
    let story = story::key(&listed)?;
    not_under_way(&records, &listed).await?;
    let deliveries = records.deliveries(&story).await?;
    let sent = holders(deliveries.iter().map(|kept| &kept.delivery));
    let sent: Vec<&str> = sent.iter().map(|holder| holder.target.as_str()).collect();
    let watch: Arc<dyn Watch> = Arc::new(ProgressLines::default());
    let desk = wiring::desk(&settings, &records, watch).await?;
    let distribution = targets::distribution(&settings, &records, settings.editor.clone());
    let run_was_sent = distribution.was_sent(&story, &listed.run).await?;
    let forked = desk.correct(key, &story, &arguments.note, run_was_sent).await.map_err(mendable)?;
    headless::data(&forked.run_id)?;
    headless::message(&format!(
        "{story}: the new run {} corrects the version of {}. It waits for your sign-off.",
        forked.run_id, listed.run
    ));
    if !sent.is_empty() {
        headless::message(&format!("Who has a version of it: {}.", sent.join(", ")));
    }
    headless::messages(headless::sharing_lines(&records.sharing(key).await?));
    headless::message(&format!(
        "Change the text: `copydesk show {story} --draft > text.md`, edit that file, then `copydesk decide {story} edit text.md --resume`. \
         Then `copydesk decide {story} sign-off --resume` and `copydesk publish {story}`.",
    ));
    Ok(Exit::Fine)
}

/// A run that a program works on, or that waits for an editor's decision, is not thrown away for a correction.
async fn not_under_way(records: &Store, listed: &ListedRun) -> Result<()> {
    let runs = records.runs_of(&listed.story).await?;
    let Some((current, now)) = runs.iter().find(|(_, run)| run.current) else { return Ok(()) };
    let named = &listed.story;
    if records.load(*current).await?.journal.publication().is_none() {
        let waits = now.waits_at().map_or_else(String::new, |wait| format!(" It waits for {}.", wait.in_words()));
        let message = format!("{named}: the run {} has not ended.{waits} Sign it off or spike it first", now.run);
        return Err(wrong_use(message));
    }
    let signed = runs.iter().find(|(_, run)| run.signed_by.is_some());
    if let Some((_, signed)) = signed.filter(|_| listed.current && listed.signed_by.is_none()) {
        let message = format!(
            "{named}: the current run is not signed off. To correct the version that was: copydesk correct {}",
            signed.run
        );
        return Err(wrong_use(message));
    }
    Ok(())
}
