//! What commands share that decide for an editor.

use std::sync::Arc;

use anyhow::Result;

use crate::{
    cli::{
        exit::{Exit, WrongUse},
        work::foreground,
    },
    config::Price,
    desk::{Desk, DeskError, Made},
    headless,
    newsroom::StoryKey,
    ports::Archive as _,
    store::Store,
};

/// A person can mend a refusal, or the name of a step that does not exist or no longer failed.
pub(crate) fn mendable(error: DeskError) -> anyhow::Error {
    match error {
        DeskError::Refused { .. } | DeskError::NoSuchStep { .. } | DeskError::NoFailedStep { .. } => {
            WrongUse(error.to_string()).into()
        }
        other => other.into(),
    }
}

/// Says which file of a decision could not be written.
pub(crate) fn say_unwritten(made: &Made) {
    if let Some(error) = &made.unwritten {
        headless::message(&error.to_string());
    }
}

/// Resumes the story's current run until it waits again or ends.
pub(crate) async fn resume_current(
    desk: &Arc<Desk>,
    records: &Store,
    story: &StoryKey,
    prices: &[Price],
    json: bool,
) -> Result<Exit> {
    let run = records.runs_of(&story.to_string()).await?.into_iter().find(|(_, run)| run.current);
    let Some((run, _)) = run else { return Ok(Exit::Fine) };
    foreground::to_its_end(desk, records, story, run, prices, json).await
}
