//! `copydesk worker`: takes steps from the queue, beside a screen or a batch.

use std::time::Duration;

use crate::cli::prelude::*;
use crate::cli::wiring::observing::Observing;
use crate::cli::work::{
    interrupt::Interrupt,
    patience::{NoRoom, ServerPatience},
};
use crate::desk::{DeskError, Ending, QueueWorker, Reached, WorkScope, WorkerNews};
use crate::newsroom::RunState;
use crate::ports::{Queue as _, QueueState, Records as _};
use crate::text::count;

/// How often an idle worker looks whether everything is done.
const LOOK: Duration = Duration::from_millis(500);

#[derive(Debug, Args)]
pub(crate) struct WorkerArgs {
    /// Stories at once [default: the configuration's `desk.stories_at_once`].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    concurrency: Option<u16>,
    /// End when the queue is empty, or a disk is full, instead of waiting for more.
    #[arg(long)]
    until_empty: bool,
    /// Print one JSON event per line on standard output.
    #[arg(long)]
    json: bool,
}

pub(crate) async fn worker(config: Option<&Path>, arguments: WorkerArgs) -> Result<Exit> {
    let (settings, store) = wiring::open(config)?;
    let desk = wiring::desk(&settings, &store, headless::listener(arguments.json).0).await?;
    let _observing = Observing::begin(&settings, &store, Box::new(headless::message), &mut headless::message).await;
    let stories = arguments.concurrency.map_or(settings.desk.stories_at_once, usize::from);
    let mut queue_worker = QueueWorker::start(Arc::clone(&desk), "worker", stories, WorkScope::Everything);
    headless::message("Working on the queue. Press Ctrl-C to stop after the current steps.");
    say_what_is_left(&store, &desk.pins).await?;
    let patience = ServerPatience::new(&desk);
    let mut interrupt = Interrupt::listen();
    let mut failed = false;
    let mut at_work: usize = 0;
    let mut look = tokio::time::interval(LOOK);
    let mut no_room = NoRoom::default();
    loop {
        if arguments.until_empty && no_room.ends(at_work == 0).is_some() {
            queue_worker.end(Ending::Now, Vec::new()).await;
            return Ok(Exit::Failed);
        }
        tokio::select! {
            () = interrupt.typed() => {
                tokio::select! {
                    () = queue_worker.end(Ending::AfterTheStep, Vec::new()) => {}
                    () = interrupt.typed() => queue_worker.end(Ending::Now, Vec::new()).await,
                }
                headless::message("Stopped. Its unfinished steps are in the queue for the next worker.");
                return Ok(Exit::Interrupted);
            }
            _ = look.tick(), if arguments.until_empty => {
                if at_work == 0 && is_empty(&store, &desk.pins).await? {
                    queue_worker.end(Ending::AfterTheStep, Vec::new()).await;
                    return Ok(if failed { Exit::Failed } else { Exit::Fine });
                }
            }
            () = patience.is_lost(), if arguments.until_empty && at_work == 0 => {
                headless::message(&patience.why().await);
                queue_worker.end(Ending::Now, Vec::new()).await;
                return Ok(Exit::Failed);
            }
            told = queue_worker.next_news() => match told {
                Some(WorkerNews::Began(_)) => at_work += 1,
                Some(WorkerNews::Came { result, .. }) => {
                    at_work = at_work.saturating_sub(1);
                    match result {
                        Ok(Some(Reached::End(ended))) => failed |= ended.summary.state == RunState::Failed,
                        Ok(_) | Err(DeskError::Locked { .. }) => {}
                        Err(error) => {
                            failed |= !error.is_elsewhere();
                            no_room.notice(&error);
                            headless::message(&error.to_string());
                        }
                    }
                }
                Some(WorkerNews::Trouble(error)) => {
                    no_room.notice(&error);
                    headless::message(&error.to_string());
                }
                None => return Ok(Exit::Failed),
            },
        }
    }
}

async fn is_empty(store: &Store, pins: &str) -> Result<bool> {
    let outlook = store.outlook("", pins, None).await?;
    Ok(!outlook.waiting && !outlook.leased && outlook.due.is_none())
}

/// Says which stories a worker leaves, and who resumes them.
async fn say_what_is_left(store: &Store, pins: &str) -> Result<()> {
    let unfinished = store.unfinished().await?;
    let stopped = unfinished.iter().filter(|run| run.queued == QueueState::Held && !run.paused).count();
    let others = unfinished.iter().filter(|run| run.queued == QueueState::Waits && run.pins != pins).count();
    if stopped > 0 {
        headless::message(&format!(
            "Skipped: {} that somebody stopped. `copydesk resume` resumes them.",
            count(stopped, "story")
        ));
    }
    if others > 0 {
        headless::message(&format!(
            "Skipped: {} opened with other prompts or settings. `copydesk resume` resumes them with the current ones.",
            count(others, "story")
        ));
    }
    Ok(())
}
