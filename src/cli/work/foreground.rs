//! One story in the foreground: worked on until it ends, waits for its editor, or cannot continue for now.

use std::{sync::Arc, time::Duration};

use crate::cli::prelude::*;
use crate::cli::work::{
    interrupt::Interrupt,
    patience::ServerPatience,
    results::{INTERRUPTED, ResultsOf, finish},
    worked::{WorkedStory, say_failure},
};
use crate::config::Price;
use crate::desk::{Assignment, Desk, DeskError, Ending, QueueWorker, Reached, WorkScope, WorkerNews, is_held};
use crate::newsroom::StoryKey;
use crate::ports::{QueueState, RunKey, StoreError};

/// How often it is looked what other programs have done with a story that waits.
const LOOK: Duration = Duration::from_secs(1);

/// How it went.
pub(crate) enum StoryEnd {
    /// So far.
    To(Result<Reached, DeskError>),
    /// Another program has brought it to where it is now, or a person has held it.
    Elsewhere(Box<WorkedStory>),
    /// No further for now: why, and what to do.
    Waits(String),
    /// A person stopped the program.
    Interrupted,
}

/// Begins a story and works on it.
pub(crate) async fn begin(desk: &Arc<Desk>, assignment: Assignment) -> StoryEnd {
    let story = assignment.topic.story();
    let interrupt = Interrupt::listen();
    let queue_worker = QueueWorker::start(Arc::clone(desk), "command", 1, WorkScope::Story(story));
    match queue_worker.begin(assignment).await {
        Ok((_, run)) => follow(desk, queue_worker, run, interrupt).await,
        Err(error) => StoryEnd::To(Err(error)),
    }
}

/// Resumes a story's current run.
pub(crate) async fn resume(desk: &Arc<Desk>, story: &StoryKey, run: RunKey) -> StoryEnd {
    let interrupt = Interrupt::listen();
    let queue_worker = QueueWorker::start(Arc::clone(desk), "command", 1, WorkScope::Story(story.clone()));
    match queue_worker.resume(run).await {
        Ok(()) => follow(desk, queue_worker, run, interrupt).await,
        Err(error) => StoryEnd::To(Err(error)),
    }
}

/// Resumes a run, and says how that went.
pub(crate) async fn to_its_end(
    desk: &Arc<Desk>,
    records: &Store,
    story: &StoryKey,
    run: RunKey,
    prices: &[Price],
    json: bool,
) -> Result<Exit> {
    let worked = match resume(desk, story, run).await {
        StoryEnd::To(reached) => WorkedStory::of(story.to_string(), reached),
        StoryEnd::Elsewhere(worked) => *worked,
        StoryEnd::Waits(why) => WorkedStory::waits(story.to_string(), why),
        StoryEnd::Interrupted => {
            headless::message(INTERRUPTED);
            return Ok(Exit::Interrupted);
        }
    };
    say_failure(&worked, json);
    finish(desk, records, &[worked], prices, json, ResultsOf::Story).await
}

/// Tells how far a story came: by this program's work, or by another's, which may take it at any step.
async fn follow(
    desk: &Arc<Desk>,
    mut queue_worker: QueueWorker,
    mut run: RunKey,
    mut interrupt: Interrupt,
) -> StoryEnd {
    let patience = ServerPatience::new(desk);
    let mut waits = true;
    let mut elsewhere = false;
    let mut look = tokio::time::interval_at(tokio::time::Instant::now() + LOOK, LOOK);
    loop {
        let told = tokio::select! {
            biased;
            told = queue_worker.told() => told,
            () = patience.is_lost(), if waits => {
                let why = patience.why().await;
                // No person stopped it, so any worker may resume it.
                queue_worker.end(Ending::Now, Vec::new()).await;
                return StoryEnd::Waits(why);
            }
            () = interrupt.typed() => {
                queue_worker.end(Ending::Now, vec![run]).await;
                return StoryEnd::Interrupted;
            }
            _ = look.tick(), if waits => {
                let stands = stands(desk, run).await;
                // The news of this program's own work comes first.
                match stands {
                    _ if queue_worker.has_told() => {}
                    Ok(Stands::Still(worked)) => {
                        queue_worker.end(Ending::Now, Vec::new()).await;
                        return StoryEnd::Elsewhere(worked);
                    }
                    Ok(Stands::ElsewhereAtWork(story)) if !elsewhere => {
                        elsewhere = true;
                        headless::message(&format!("{story}: Another copydesk works on it. Waiting for that one"));
                    }
                    // A record that cannot be read now is looked for again.
                    Ok(_) | Err(_) => {}
                }
                continue;
            }
        };
        let Some(told) = told else { return StoryEnd::To(Err(DeskError::Ended)) };
        if let Some(result) = heard(desk, told, &mut run, &mut waits).await {
            queue_worker.end(Ending::Now, Vec::new()).await;
            return StoryEnd::To(result);
        }
    }
}

/// Takes in what the worker tells. Returns how far the story came, once it goes no further.
async fn heard(
    desk: &Desk,
    told: WorkerNews,
    run: &mut RunKey,
    waits: &mut bool,
) -> Option<Result<Reached, DeskError>> {
    match told {
        WorkerNews::Began(taken) => (*run, *waits) = (taken, false),
        // It waits for its turn, or its time, or another program has it.
        WorkerNews::Came { result: Ok(Some(Reached::Later(_)) | None) | Err(DeskError::Locked { .. }), .. } => {
            (*run, *waits) = (current(desk, *run).await, true);
        }
        WorkerNews::Came { result: Err(error), .. } if error.is_elsewhere() => {
            headless::message(&error.to_string());
            *waits = true;
        }
        WorkerNews::Came { result: Ok(Some(reached)), .. } => return Some(Ok(reached)),
        WorkerNews::Came { result: Err(error), .. } => return Some(Err(error)),
        WorkerNews::Trouble(error) if error.has_no_room() && *waits => return Some(Err(error)),
        WorkerNews::Trouble(error) => headless::message(&error.to_string()),
    }
    None
}

/// The story's run of now: in the place of one that was opened under other settings there is another.
async fn current(desk: &Desk, run: RunKey) -> RunKey {
    let current = async {
        let (_, listed) = desk.archive.listed(&[run]).await.ok()?.pop()?;
        let runs = desk.archive.runs_of(&listed.story).await.ok()?;
        runs.into_iter().find(|(_, run)| run.current).map(|(key, _)| key)
    };
    current.await.unwrap_or(run)
}

/// How a run stands that this program does not work on.
enum Stands {
    /// It waits for its turn here.
    Waits,
    /// Another program works on it.
    ElsewhereAtWork(StoryKey),
    /// No program resumes it.
    Still(Box<WorkedStory>),
}

async fn stands(desk: &Desk, run: RunKey) -> Result<Stands, StoreError> {
    let unfinished = desk.queue.unfinished_run(run).await?;
    let still = unfinished.as_ref().is_none_or(|run| run.waits || run.paused || run.queued == QueueState::Held);
    if still {
        let held = unfinished.is_some_and(|run| run.queued == QueueState::Held);
        let listed = desk.archive.listed(&[run]).await?.pop();
        let worked = listed.map_or_else(
            || WorkedStory::rejected(String::new(), "The story was deleted meanwhile".to_owned()),
            |(_, listed)| WorkedStory::elsewhere(&listed, held),
        );
        return Ok(Stands::Still(Box::new(worked)));
    }
    let Some(unfinished) = unfinished.filter(|run| run.queued == QueueState::No) else { return Ok(Stands::Waits) };
    let (locks, story) = (desk.locks.clone(), unfinished.story);
    let at_work = tokio::task::spawn_blocking(move || is_held(&locks, &story).unwrap_or(false).then_some(story));
    Ok(at_work.await.ok().flatten().map_or(Stands::Waits, Stands::ElsewhereAtWork))
}
