//! A run once more from its record, without any model: each step is done again on what the steps before it came to, and must come to what
//! was recorded.
//!
//! What came from outside is taken from the record: the answers of models, what was looked up, pages that were opened, the claims that were
//! held against the index of that day, an editor's decisions, the time. All else is done again: answers are read anew, bullets parsed, drafts
//! proved, gates decided, feedback, report and files written.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

use super::{DeskError, Outputs, derive::derived};
use crate::{
    agents::{Agents, Plan},
    editorial::{next_steps::next_steps, report},
    newsroom::{Answer, ArticleGenerationResult, Entry, Journal, Outcome, Step, StoryKey},
    ports::{Records, RunKey, StoredCall},
};

/// What a replay came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Replayed {
    /// Steps that were done again.
    pub again: usize,
    /// Steps that were taken from the record.
    pub recorded: usize,
    /// Answers that were read again.
    pub answers: usize,
    /// Files that are the same, byte for byte.
    pub same: usize,
    /// Files of the run that are not there to be compared: paths below the workspace.
    pub missing: Vec<PathBuf>,
    /// What is not as it was recorded, a sentence each.
    pub differences: Vec<String>,
}

/// Does a run again and writes its files below `into`, then compares them with those that `kept` has.
///
/// # Errors
/// [`DeskError::Store`] where the record cannot be read, [`DeskError::Output`] where a file cannot be written.
pub async fn replay(records: &dyn Records, run: RunKey, kept: &Outputs, into: &Outputs) -> Result<Replayed, DeskError> {
    let stored = records.load(run).await?;
    let mut answers: HashMap<Step, Vec<Answer>> = HashMap::new();
    let mut asked = !stored.calls.is_empty();
    take(&mut answers, stored.calls);
    // What a run shares with those that it took over from was answered there.
    let mut before = stored.took_over;
    while let Some(earlier) = before {
        let earlier = records.load(earlier).await?;
        asked |= !earlier.calls.is_empty();
        before = earlier.took_over;
        take(&mut answers, earlier.calls);
    }
    let recorded = stored.journal;
    let work = move || {
        let mut done = Replayed::default();
        let mut journal = Journal::new(recorded.opening.clone());
        for entry in recorded.entries() {
            let answers = answers.get(&entry.step).map_or(&[][..], Vec::as_slice);
            let outcome = again(&journal, entry, answers, asked, &mut done);
            if outcome != entry.outcome {
                done.differences.push(format!("{} comes to something else than was recorded", entry.step));
            }
            journal.push(Entry { outcome, ..entry.clone() });
        }
        (journal, done)
    };
    let broke = |error: tokio::task::JoinError| DeskError::Output {
        path: "the replay".to_owned(),
        detail: format!("the rules broke off ({error}); please report this with the topic"),
    };
    let (journal, mut done) = tokio::task::spawn_blocking(work).await.map_err(broke)?;
    into.write_entries(&journal, journal.entries()).await?;
    let story = journal.opening.topic.story();
    if let Some(publication) = journal.publication() {
        into.write_canonical(&story, &report::result(&journal, publication)).await?;
    }
    let (kept, into) = (kept.clone(), into.clone());
    let compared = move || {
        compare_folder(&kept, &into, Path::new(&journal.opening.artifacts_dir), &mut done);
        if journal.publication().is_some() {
            compare_canonical(&kept, &into, &journal, &story, &mut done);
        }
        done
    };
    tokio::task::spawn_blocking(compared).await.map_err(broke)
}

/// What a step comes to on the journal so far.
fn again(journal: &Journal, entry: &Entry, answers: &[Answer], asked: bool, done: &mut Replayed) -> Outcome {
    let step = entry.step;
    if !matches!(step, Step::Decide { .. }) && !next_steps(journal).contains(&step) {
        done.differences.push(format!("{step} is not what comes next here"));
    }
    let now = match &entry.outcome {
        Outcome::Publication(publication) => &publication.generated_at,
        _ => &entry.at,
    };
    if let Some(outcome) = derived(journal, step, now) {
        done.again += 1;
        return outcome;
    }
    // The answer that counted is the one that comes to what was recorded; else the latest says what is different.
    let read = |answer: &Answer| {
        let mut outcome = Agents::read(journal, step, answer).ok()?;
        if let (Outcome::Evidence(found), Outcome::Evidence(recorded)) = (&mut outcome, &entry.outcome) {
            found.prompt.clone_from(&recorded.prompt);
        }
        Some(outcome)
    };
    let mut outcomes = answers.iter().filter_map(read).peekable();
    if let Some(latest) = outcomes.peek().cloned() {
        done.again += 1;
        done.answers += 1;
        return outcomes.find(|outcome| *outcome == entry.outcome).unwrap_or(latest);
    }
    let by_rules = if asked { Agents::without_anyone(journal, step) } else { offline(journal, step) };
    if let Some(outcome) = by_rules {
        done.again += 1;
        return outcome;
    }
    done.recorded += 1;
    entry.outcome.clone()
}

/// What the offline rules make of a step.
fn offline(journal: &Journal, step: Step) -> Option<Outcome> {
    match Agents::Offline.plan(journal, step)? {
        Plan::Done(outcome) => Some(*outcome),
        Plan::Ask(_) => None,
    }
}

/// Holds the files of the run's folder against those that were written again.
fn compare_folder(kept: &Outputs, into: &Outputs, folder: &Path, done: &mut Replayed) {
    let mut names: Vec<_> = std::fs::read_dir(into.workspace.join(folder))
        .into_iter()
        .flatten()
        .filter_map(|file| Some(file.ok()?.file_name()))
        .collect();
    names.sort();
    for name in names {
        let path = folder.join(name);
        let bytes = std::fs::read(into.workspace.join(&path)).ok();
        match std::fs::read(kept.workspace.join(&path)) {
            Ok(before) if Some(&before) == bytes.as_ref() => done.same += 1,
            Ok(_) => done.differences.push(format!("{} is not the file that was written again", path.display())),
            Err(_) => done.missing.push(path),
        }
    }
}

/// Holds the story's canonical file against the one that was written again, where it is this run's.
fn compare_canonical(kept: &Outputs, into: &Outputs, journal: &Journal, story: &StoryKey, done: &mut Replayed) {
    let path = kept.canonical(story);
    let Ok(before) = std::fs::read(&path) else {
        done.missing.push(path);
        return;
    };
    let anothers = serde_json::from_slice::<ArticleGenerationResult>(&before)
        .is_ok_and(|result| result.artifacts_dir.as_ref() != Some(&journal.opening.artifacts_dir));
    if anothers {
        return;
    }
    if std::fs::read(into.canonical(story)).is_ok_and(|bytes| bytes == before) {
        done.same += 1;
    } else {
        done.differences.push(format!("{} is not the file that was written again", path.display()));
    }
}

/// The usable answers of each step, the latest first; those of an earlier run behind them.
fn take(answers: &mut HashMap<Step, Vec<Answer>>, mut calls: Vec<StoredCall>) {
    calls.sort_by_key(|call| std::cmp::Reverse(call.key.attempt));
    for call in calls.into_iter().filter(|call| !call.rejected) {
        if let Some(answer) = call.answer {
            answers.entry(call.key.step).or_default().push(answer);
        }
    }
}
