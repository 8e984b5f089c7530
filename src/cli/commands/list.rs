//! `copydesk list`.

use crate::cli::prelude::*;
use crate::headless::RunsBeside;
use crate::newsroom::{ListedRun, StoryHolder};
use crate::ports::{Archive, Queue as _, QueueState, Records as _, Unfinished};

#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// List earlier runs too.
    #[arg(long)]
    all: bool,
    /// List only the review queue: stories that wait for you or are flagged, most urgent first, then oldest.
    #[arg(long, conflicts_with = "all")]
    review: bool,
    /// Print a JSON array.
    #[arg(long)]
    json: bool,
}

pub(crate) async fn list(config: Option<&Path>, arguments: ListArgs) -> Result<Exit> {
    let (settings, store) = wiring::open_to_look(config)?;
    let mut runs: Vec<ListedRun> = store.list(arguments.all).await?.into_iter().map(|(_, run)| run).collect();
    if arguments.review {
        let now = SystemClock.now();
        runs.retain(|run| run.is_due_for_review(now));
        runs.sort_by(|one, other| one.review_order().cmp(&other.review_order()));
    }
    if arguments.json {
        headless::json(&runs)?;
    } else if runs.is_empty() && arguments.review {
        headless::message("The review queue is empty: no story waits for you and none is flagged.");
    } else if runs.is_empty() {
        headless::message("There are no stories yet. Start one with: copydesk run --auto TOPIC.json");
    } else {
        headless::data(&headless::runs_table(&runs, &beside(&settings, &store).await?, headless::terminal_width()))?;
    }
    Ok(Exit::Fine)
}

/// Facts about runs that are not in their records: who works on them. Reports the servers that are down.
pub(crate) async fn beside(settings: &Settings, store: &Store) -> Result<RunsBeside> {
    let now = SystemClock.now();
    for down in store.servers_down(now.as_millisecond()).await? {
        let why = down.error.map_or_else(String::new, |error| format!(" ({error})"));
        headless::message(&format!("{} is down{why}. Its stories wait; retrying automatically.", down.server));
    }
    let unfinished = store.unfinished().await?;
    let held = wiring::locks(settings, store).held(unfinished.iter().map(|run| run.story.clone()).collect()).await;
    let hands = |(run, held): (&Unfinished, Result<bool, _>)| {
        // A lock that cannot be looked at says nothing.
        let holder = if matches!(held, Ok(true)) {
            StoryHolder::Others
        } else if run.queued == QueueState::Waits {
            StoryHolder::Queued
        } else {
            StoryHolder::Nobody
        };
        (run.run_id.clone(), holder)
    };
    Ok(RunsBeside { hands: unfinished.iter().zip(held).map(hands).collect(), now })
}
