//! How far a run came, and the work after its end.

use std::{path::PathBuf, sync::Arc};

use jiff::Timestamp;

use super::{Desk, DeskError, commit::JournalWriter, driver::Driver, words};
use crate::{
    editorial::{decisions, report},
    ports::{PauseState, RunKey, StoreError},
};
use copydesk_newsroom::{Event, Journal, RunState, Step, StoryKey, Wait};

/// How far a run came.
#[derive(Debug, Clone)]
pub enum Reached {
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
    pub story: StoryKey,
    pub run_id: String,
    pub key: RunKey,
    pub at: Wait,
    pub question: String,
}

/// How a run ended.
#[derive(Debug, Clone)]
pub struct Ended {
    pub story: StoryKey,
    pub run_id: String,
    /// Whether a round passed.
    pub success: bool,
    pub rounds: u32,
    /// Open concerns of the kept draft.
    pub open_concerns: u32,
    /// Whether no model reviewed its drafts.
    pub unreviewed: bool,
    /// Why a human should look.
    pub flags: Vec<String>,
    /// The remarks of a program on the kept draft, such as that it is short.
    pub remarks: Vec<String>,
    /// Tokens sent and received, as far as the servers said.
    pub tokens: (u64, u64),
    /// How long it took from opened to ended, with every wait.
    pub seconds: f64,
    pub error: Option<String>,
    pub canonical: PathBuf,
    /// The folder of the run's artifacts.
    pub artifacts: PathBuf,
}

impl Desk {
    /// How far a run came that has ended, or has nothing left to do but wait.
    pub(super) async fn stop(&self, driver: &mut Driver, key: RunKey) -> Result<Reached, DeskError> {
        // A run that has ended writes its files as a step of their own.
        let journal = &driver.writer.journal;
        let (story, published) = (journal.opening.topic.story(), journal.publication().is_some());
        if published && driver.hand.has_files() {
            return self.close(&mut driver.writer, key).await.map(|ended| Reached::End(Box::new(ended)));
        }
        Ok(match waiting(journal, key) {
            Some(waiting) => Reached::Gate(waiting),
            None if driver.going == PauseState::Paused && !published => Reached::Paused(story),
            None => Reached::Later(story),
        })
    }

    /// Writes the canonical file and notes that all files are there.
    async fn close(&self, writer: &mut JournalWriter, key: RunKey) -> Result<Ended, DeskError> {
        let journal = Arc::clone(&writer.journal);
        let story = journal.opening.topic.story();
        let publication = journal.publication().ok_or_else(|| DeskError::Journal {
            story: story.clone(),
            step: "publish".into(),
            detail: "the run stopped before its end".into(),
        })?;
        // A program that hung may wake long after another one has written these files, and perhaps later ones.
        if self.queue.unfinished_run(key).await?.is_none() {
            return Err(StoreError::TakenOver { story }.into());
        }
        let canonical = self.outputs.canonical(&story);
        if self.may_replace(&journal, &story).await? {
            self.outputs.write_canonical(&story, &report::result(&journal, publication)).await?;
        } else {
            let message = "the article that was signed off stays as it is; `run --replace` replaces it".to_owned();
            writer.pending.events.push(Event::Noted { step: Step::Publish, message });
            writer.commit(key).await?;
        }
        self.records.files_written(key).await?;
        writer.tell_closing();
        let summary = writer.summary();
        Ok(Ended {
            run_id: journal.opening.run_id.clone(),
            success: summary.state == RunState::Succeeded,
            rounds: summary.rounds,
            open_concerns: summary.open_concerns,
            unreviewed: journal.opening.no_reviewer,
            flags: summary.flags,
            remarks: report::kept_round(&journal)
                .into_iter()
                .flat_map(|round| report::remarks(&journal, round))
                .collect(),
            tokens: (summary.prompt_tokens, summary.completion_tokens),
            seconds: seconds_of(&journal),
            error: summary.error,
            canonical,
            artifacts: self.outputs.artifacts(&journal.opening)?,
            story,
        })
    }

    /// Whether a finished run's result may stand in the story's canonical file. A signed result is only replaced by
    /// another that is signed, or if the person said so.
    async fn may_replace(&self, journal: &Journal, story: &StoryKey) -> Result<bool, DeskError> {
        if journal.opening.replaces_signed || decisions::signed_by(journal).is_some() {
            return Ok(true);
        }
        let runs = self.archive.runs_of(&story.to_string()).await?;
        Ok(!runs.iter().any(|(_, run)| run.signed_by.is_some() && run.run != journal.opening.run_id))
    }
}

/// From the opening of a run to its last step, in seconds.
fn seconds_of(journal: &Journal) -> f64 {
    let at = |time: &str| time.parse::<Timestamp>().ok();
    let ended = journal.entries().last().and_then(|entry| at(&entry.at));
    let lasted = ended.zip(at(&journal.opening.opened_at)).map(|(ended, opened)| ended.duration_since(opened));
    lasted.map_or(0.0, |lasted| lasted.as_secs_f64().max(0.0))
}

/// If the run waits, if it does.
pub(super) fn waiting(journal: &Journal, key: RunKey) -> Option<Waiting> {
    let at = decisions::waits(journal)?;
    Some(Waiting {
        story: journal.opening.topic.story(),
        run_id: journal.opening.run_id.clone(),
        key,
        at,
        question: words::question(journal, at),
    })
}
