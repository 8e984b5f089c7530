//! How far a run came, and what is done where it has ended.

use std::{path::PathBuf, sync::Arc, time::Instant};

use super::{Desk, DeskError, driver::Driver, words};
use crate::{
    editorial::{decisions, report},
    newsroom::{Event, Journal, RunState, Step, StoryKey, Wait},
    ports::{Going, RunKey},
};

/// How far a run came.
#[derive(Debug, Clone)]
pub enum Reached {
    /// To its end.
    End(Box<Ended>),
    /// To a place where it waits for its editor.
    Gate(Waiting),
    /// An editor has paused it.
    Paused(StoryKey),
    /// To a step that waits for its turn in the queue, or for its time.
    Later(StoryKey),
}

/// A run that waits for its editor.
#[derive(Debug, Clone)]
pub struct Waiting {
    /// The story.
    pub story: StoryKey,
    /// The run.
    pub run_id: String,
    /// Its key.
    pub key: RunKey,
    /// Where.
    pub at: Wait,
    /// What is asked.
    pub question: String,
}

/// How a run ended.
#[derive(Debug, Clone)]
pub struct Ended {
    /// The story.
    pub story: StoryKey,
    /// The run.
    pub run_id: String,
    /// Whether a round passed.
    pub success: bool,
    /// Rounds reviewed.
    pub rounds: u32,
    /// Open concerns of the kept draft.
    pub open_concerns: u32,
    /// Why a human should look.
    pub flags: Vec<String>,
    /// Tokens sent and received, as far as the servers said.
    pub tokens: (u64, u64),
    /// How long this program worked on it.
    pub seconds: f64,
    /// What went wrong.
    pub error: Option<String>,
    /// The canonical file.
    pub canonical: PathBuf,
    /// The folder of the run's artifacts.
    pub artifacts: PathBuf,
}

impl Desk {
    /// What is told of a run that has nothing left to do but wait, or has ended.
    pub(super) async fn stop(&self, driver: &mut Driver, key: RunKey, began: Instant) -> Result<Reached, DeskError> {
        // A run that has ended writes its files as a step of their own.
        if driver.journal.publication().is_some() && !driver.mine.contains_key(&None) {
            return Ok(Reached::Later(driver.story.clone()));
        }
        match waiting(driver, key) {
            Some(waiting) => Ok(Reached::Gate(waiting)),
            None if driver.going == Going::Paused && driver.journal.publication().is_none() => {
                Ok(Reached::Paused(driver.journal.opening.topic.story()))
            }
            None if driver.journal.publication().is_none() => Ok(Reached::Later(driver.story.clone())),
            None => self.close(driver, key, began).await.map(|ended| Reached::End(Box::new(ended))),
        }
    }

    /// Writes the canonical file and notes that all files are there.
    async fn close(&self, driver: &mut Driver, key: RunKey, began: Instant) -> Result<Ended, DeskError> {
        let journal = Arc::clone(&driver.journal);
        let story = journal.opening.topic.story();
        let publication = journal.publication().ok_or_else(|| DeskError::Journal {
            story: story.clone(),
            step: "publish".into(),
            detail: "the run stopped before its end".into(),
        })?;
        let canonical = self.outputs.canonical(&story);
        if self.may_replace(&journal, &story).await? {
            self.outputs.write_canonical(&story, &report::result(&journal, publication)).await?;
        } else {
            let message = "the article that was signed off stays as it is; `run --replace` replaces it".to_owned();
            driver.pending.events.push(Event::Noted { step: Step::Publish, message });
            driver.commit().await?;
        }
        self.records.files_written(key).await?;
        driver.tell_closing();
        let summary = driver.summary();
        Ok(Ended {
            run_id: journal.opening.run_id.clone(),
            success: summary.state == RunState::Succeeded,
            rounds: summary.rounds,
            open_concerns: summary.open_concerns,
            flags: summary.flags,
            tokens: (summary.prompt_tokens, summary.completion_tokens),
            seconds: began.elapsed().as_secs_f64(),
            error: summary.error,
            canonical,
            artifacts: self.outputs.workspace.join(&journal.opening.artifacts_dir),
            story,
        })
    }

    /// Whether a finished run's result may stand in the story's canonical file: one that somebody signed off is only replaced by
    /// another that is signed, or where the person said so (DESIGN.md, section 4).
    async fn may_replace(&self, journal: &Journal, story: &StoryKey) -> Result<bool, DeskError> {
        if journal.opening.replaces_signed || decisions::signed_by(journal).is_some() {
            return Ok(true);
        }
        let runs = self.archive.runs_of(&story.to_string()).await?;
        Ok(!runs.iter().any(|(_, run)| run.signed_by.is_some() && run.run != journal.opening.run_id))
    }
}

/// Where the run waits, where it does.
pub(super) fn waiting(driver: &Driver, key: RunKey) -> Option<Waiting> {
    let journal = &driver.journal;
    let at = decisions::waits(journal)?;
    Some(Waiting {
        story: journal.opening.topic.story(),
        run_id: journal.opening.run_id.clone(),
        key,
        at,
        question: words::question(journal, at),
    })
}
