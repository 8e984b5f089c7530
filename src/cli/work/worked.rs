//! The result of a story that a program worked on, or waited for.

use serde_json::json;

use crate::cli::prelude::*;
use crate::cli::work::spending;
use crate::desk::{self, Desk, DeskError, Ended, Reached, Rejection, StoryLocks};
use crate::editorial::silence;
use crate::headless::{ResultRow, RowState};
use crate::newsroom::{ArticleGenerationResult, ListedRun, RunState};
use crate::ports::Archive as _;

const PAUSED: &str = "Paused. `copydesk set STORY --unpause` ends the pause";

/// A story's row, and how its run ended where it did.
pub struct WorkedStory {
    /// As the table of results has it.
    pub row: ResultRow,
    /// None if it has not ended here.
    pub ended: Option<Ended>,
    /// Whether the desk did not work on it at all: the topic has failed, however its story stands.
    pub(crate) refused: bool,
}

impl WorkedStory {
    /// From what the desk said of a story.
    pub(crate) fn of(story: String, result: Result<Reached, DeskError>) -> Self {
        match result {
            Ok(Reached::Gate(waiting)) => {
                let note = format!(
                    "Waiting for {}: {} `copydesk` opens it; `copydesk show {story}` lists your choices",
                    waiting.at.in_words(),
                    waiting.question
                );
                Self::unended(story, RowState::Waits, note, false)
            }
            Ok(Reached::Paused) => Self::unended(story, RowState::Waits, PAUSED.to_owned(), false),
            Ok(Reached::End(ended)) => {
                let run = &ended.summary;
                let row = ResultRow {
                    story,
                    state: if run.state == RunState::Succeeded { RowState::Success } else { RowState::Failed },
                    extract: ended.extract,
                    note: run
                        .error
                        .clone()
                        .into_iter()
                        .chain(run.flags.iter().map(|flag| format!("flagged: {flag}")))
                        .chain(ended.remarks.iter().cloned())
                        .chain(ended.unreviewed.then(|| silence::NOBODY.to_owned()))
                        .collect::<Vec<_>>()
                        .join("; "),
                    rounds: run.rounds,
                    open_concerns: run.open_concerns,
                    tokens: run.prompt_tokens.saturating_add(run.completion_tokens),
                    cost: None,
                    time: headless::lasted(ended.seconds),
                };
                Self { row, ended: Some(*ended), refused: false }
            }
            Ok(Reached::Later(_)) => {
                let note = "Queued: `copydesk resume` resumes it".to_owned();
                Self::unended(story, RowState::Waits, note, false)
            }
            // The story itself has not failed: it is its editor's turn.
            Err(error @ DeskError::Waits { .. }) => Self::unended(story, RowState::Waits, error.to_string(), true),
            // Nothing is to be done for it, so a batch that has it succeeds.
            Err(error @ DeskError::Signed { .. }) => Self::unended(story, RowState::Success, error.to_string(), false),
            Err(error) if error.passes() => Self::waits(story, error.to_string()),
            Err(error) => Self::rejected(story, error.to_string()),
        }
    }

    /// A story that another program has brought to where it is.
    pub(crate) fn elsewhere(listed: &ListedRun, held: bool) -> Self {
        let ended = matches!(listed.state, RunState::Succeeded | RunState::Failed);
        let state = match listed.state {
            RunState::Succeeded => RowState::Success,
            RunState::Failed => RowState::Failed,
            RunState::Open | RunState::Superseded => RowState::Waits,
        };
        let story = &listed.story;
        let said = match listed.waits_at() {
            _ if ended => "Finished by another copydesk".to_owned(),
            Some(wait) => format!(
                "Waiting for {}: `copydesk` opens it; `copydesk show {story}` lists your choices",
                wait.in_words()
            ),
            None if listed.state == RunState::Superseded => {
                format!("Replaced by another run: `copydesk show {story}`")
            }
            None if held && !listed.paused => "Stopped: `copydesk resume` resumes it".to_owned(),
            None => PAUSED.to_owned(),
        };
        let note =
            listed.error.iter().cloned().chain(listed.reasons().into_iter().map(|flag| format!("flagged: {flag}")));
        let note: Vec<String> = note.chain([said]).collect();
        let mut worked = Self::unended(listed.story.clone(), state, note.join("; "), false);
        worked.row.extract = listed.extract;
        worked.row.count(listed);
        worked
    }

    /// A topic that cannot be worked on, and why.
    pub fn rejected(story: String, note: String) -> Self {
        Self::unended(story, RowState::Failed, note, true)
    }

    /// A story that a person has stopped with the program.
    pub(crate) fn stopped(story: String) -> Self {
        let note = "Stopped: `copydesk resume` resumes it".to_owned();
        Self::unended(story, RowState::Waits, note, false)
    }

    /// A story that cannot continue for now.
    pub(crate) fn waits(story: String, note: String) -> Self {
        Self::unended(story, RowState::Waits, note, true)
    }

    fn unended(story: String, state: RowState, note: String, refused: bool) -> Self {
        let row = ResultRow { story, state, note, time: "-".into(), ..ResultRow::default() };
        Self { row, ended: None, refused }
    }

    /// Whether the topic has failed, which the exit code says.
    pub(crate) fn failed(&self) -> bool {
        self.refused || self.row.state == RowState::Failed
    }

    /// The row, with what the records have of its story, and what that cost.
    pub(crate) async fn standing(&self, desk: &Desk, store: &Store) -> Result<(ResultRow, Option<f64>)> {
        let mut row = self.row.clone();
        let known = store.current_run(&row.story).await?;
        let Some((key, run)) = known.filter(|_| !self.refused || row.state == RowState::Waits) else {
            return Ok((row, None));
        };
        row.extract = self.ended.as_ref().map_or(run.extract, |ended| ended.extract);
        if row.state == RowState::Waits {
            row.count(&run);
        }
        let cost = spending::cost_of(desk, store, key).await?;
        row.cost = cost.map(|cost| spending::amount(desk, cost));
        Ok((row, cost))
    }
}

/// A story that the desk could not work on has no event of its own: it is said here.
pub(crate) fn say_failure(worked: &WorkedStory, json: bool) {
    if worked.refused {
        let (story, message) = (&worked.row.story, &worked.row.note);
        if json {
            // The output may have no reader; the exit code says it as well.
            let _ = headless::data(&json!({ "event": "topic_failed", "story": story, "error": message }).to_string());
        } else {
            let named = if message.starts_with(story.as_str()) { String::new() } else { format!("{story}: ") };
            headless::message(&format!("{named}{message}"));
        }
    }
}

/// A topic that names its story but cannot be used still leaves its failure in a file (docs/reference/contract.md, 6). Says where.
pub(crate) async fn write_rejection(settings: &Settings, story: &StoryKey, message: &str) {
    let result = ArticleGenerationResult {
        success: false,
        article: None,
        metadata: None,
        editor_report: None,
        artifacts_dir: None,
        error: Some(message.to_owned()),
    };
    // The file is this machine's alone.
    let locks = StoryLocks::from(wiring::lock_folder(settings));
    let written = desk::reject(&wiring::outputs(settings), &locks, story, &result).await;
    headless::message(&match written {
        Ok(Rejection { file, kept: None }) => format!("{story}: The failure is in {}", file.display()),
        Ok(Rejection { file, kept: Some(kept) }) => {
            format!("{story}: The failure is in {}; {} is unchanged", file.display(), kept.display())
        }
        Err(error) => format!("{story}: The failure was not written: {error}"),
    });
}
