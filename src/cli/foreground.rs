//! One story in the foreground: worked on until it ends, waits for its editor, or cannot go on for now.

use std::sync::Arc;

use anyhow::Result;

use super::{
    Exit,
    interrupt::Interrupt,
    patience::Patience,
    run::{INTERRUPTED, Worked, finish, say_failure},
};
use crate::{
    config::Price,
    desk::{Assignment, Desk, DeskError, Ending, Only, Reached, Shift, Told},
    headless,
    newsroom::StoryKey,
    ports::RunKey,
    store::Store,
};

/// How it went.
pub(super) enum Went {
    /// So far. None where another program has taken or ended it.
    To(Result<Option<Reached>, DeskError>),
    /// No further for now: why, and what to do.
    Waits(String),
    /// A person stopped the program.
    Interrupted,
}

/// Begins a story and works on it.
pub(super) async fn begin(desk: &Arc<Desk>, assignment: Assignment) -> Went {
    let story = assignment.topic.story();
    let interrupt = Interrupt::listen();
    let shift = Shift::start(Arc::clone(desk), "command", 1, Only::Story(story));
    match shift.begin(assignment).await {
        Ok((_, run)) => follow(desk, shift, run, interrupt).await,
        Err(error) => Went::To(Err(error)),
    }
}

/// Goes on with a story's current run.
pub(super) async fn go_on(desk: &Arc<Desk>, story: &StoryKey, run: RunKey) -> Went {
    let interrupt = Interrupt::listen();
    let shift = Shift::start(Arc::clone(desk), "command", 1, Only::Story(story.clone()));
    match shift.go_on(run).await {
        Ok(()) => follow(desk, shift, run, interrupt).await,
        Err(error) => Went::To(Err(error)),
    }
}

/// Goes on with a run, and says how that went.
pub(super) async fn to_its_end(
    desk: &Arc<Desk>,
    records: &Store,
    story: &StoryKey,
    run: RunKey,
    prices: &[Price],
    json: bool,
) -> Result<Exit> {
    let worked = match go_on(desk, story, run).await {
        Went::To(Ok(Some(reached))) => Worked::of(story.to_string(), Ok(reached)),
        // Another program has taken it meanwhile.
        Went::To(Ok(None)) => return Ok(Exit::Fine),
        Went::To(Err(error)) => Worked::of(story.to_string(), Err(error)),
        Went::Waits(why) => Worked::waits(story.to_string(), why),
        Went::Interrupted => {
            headless::message(INTERRUPTED);
            return Ok(Exit::Interrupted);
        }
    };
    say_failure(&worked, json);
    finish(desk, records, &[worked], prices, json, true).await
}

async fn follow(desk: &Arc<Desk>, mut shift: Shift, mut run: RunKey, mut interrupt: Interrupt) -> Went {
    let patience = Patience::new(desk);
    let mut waits = false;
    loop {
        let told = tokio::select! {
            told = shift.told() => told,
            () = patience.is_lost(), if waits => {
                let why = patience.why().await;
                shift.end(Ending::Now, vec![run]).await;
                return Went::Waits(why);
            }
            () = interrupt.typed() => {
                shift.end(Ending::Now, vec![run]).await;
                return Went::Interrupted;
            }
        };
        match told {
            Some(Told::Began(taken)) => (run, waits) = (taken, false),
            // It waits for its turn, or its time.
            Some(Told::Came { result: Ok(Some(Reached::Later(_))), .. }) => waits = true,
            Some(Told::Came { result, .. }) => {
                shift.end(Ending::Now, Vec::new()).await;
                return Went::To(result);
            }
            Some(Told::Trouble(error)) => headless::message(&error.to_string()),
            None => return Went::To(Ok(None)),
        }
    }
}
