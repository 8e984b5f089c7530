//! Functions shared by the commands that decide for an editor.

use crate::cli::prelude::*;
use crate::cli::work::results;
use crate::desk::{Desk, DeskError};
use crate::editorial::{choices::GateSeen, decisions};
use crate::newsroom::{Choice, Journal};
use crate::ports::{Archive as _, Records as _};

/// A person can mend a refusal, or the name of a step that does not exist or no longer failed.
pub(crate) fn mendable(error: DeskError) -> anyhow::Error {
    match error {
        DeskError::Refused { .. } | DeskError::NoSuchStep { .. } | DeskError::NoFailedStep { .. } => {
            WrongUse(error.to_string()).into()
        }
        other => other.into(),
    }
}

/// Makes choices one after the other; `made` is told of each. Another person's decision between two of them stops the rest, since they were
/// not made with it in mind.
pub(crate) async fn decide_all(
    desk: &Arc<Desk>,
    records: &Store,
    (run, story): (RunKey, &StoryKey),
    journal: &Journal,
    choices: Vec<Choice>,
    made: impl Fn(&Choice),
) -> Result<()> {
    let mut seen = decisions::waits(journal).map(|wait| GateSeen::of(journal, wait));
    let mut entries = journal.entries().len();
    let mut left = choices.len();
    for choice in choices {
        let done = desk.decide(run, story, choice.clone(), seen).await.map_err(mendable)?;
        if let Some(error) = &done.unwritten {
            headless::message(&error.to_string());
        }
        made(&choice);
        left -= 1;
        if left == 0 {
            break;
        }
        // It is part of what the next one is decided against; nothing else may be.
        let now = records.load(run).await?.journal;
        entries += 1;
        if now.entries().len() != entries {
            let said = format!(
                "{story}: somebody else decided meanwhile, so {} not made. Give the command again",
                count_left(left)
            );
            return Err(wrong_use(said));
        }
        seen = decisions::waits(&now).map(|wait| GateSeen::of(&now, wait));
    }
    Ok(())
}

fn count_left(left: usize) -> String {
    if left == 1 { "one decision was".to_owned() } else { format!("{left} decisions were") }
}

/// Resumes the story's current run until it waits again or ends.
pub(crate) async fn resume_current(desk: &Arc<Desk>, records: &Store, story: &StoryKey, json: bool) -> Result<Exit> {
    let Some((run, _)) = records.current_run(&story.to_string()).await? else { return Ok(Exit::Fine) };
    results::work_to_the_end(desk, records, (story, run), json).await
}
