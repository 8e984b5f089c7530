//! A run once more from its record, without any model: each step is done again on the outcomes of the steps before it, and must have the
//! recorded outcome.
//!
//! The record gives all input from outside: models' answers, look-ups, opened pages, an editor's decisions, the time,
//! and the claims as the index of that day had them. It also gives the ledger beside the proof's findings: an earlier
//! version kept none, or judged some rows by other rules. All else is done again: answers are read anew, bullets
//! parsed, drafts proved, gates decided, feedback, report and files written.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

use super::{DeskError, Outputs, derive::derived};
use crate::{
    agents::{Agents, Plan, notes_by_rule},
    editorial::{next_steps::next_steps, report},
    ports::{Records, RunKey, StoredCall, StoredRun, WorkProgress, aside},
};
use copydesk_newsroom::{Answer, ArticleGenerationResult, Entry, Journal, Outcome, PublishingNote, Step, StoryKey};

/// The result of a replay.
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
    /// The differences from the record, a sentence each.
    pub differences: Vec<String>,
}

/// A run with the data that are needed to do its steps again.
struct Generation {
    journal: Journal,
    /// The usable answers of each step, the latest first. An answer that was known from an earlier run is among them.
    answers: HashMap<Step, Vec<Answer>>,
    /// Whether models were asked.
    asked: bool,
    /// Entries that it took over from the run before: they were made under the settings of that one.
    shared: usize,
}

/// A run and those that it took over from, the latest first.
async fn generations(records: &dyn Records, run: RunKey) -> Result<Vec<Generation>, DeskError> {
    let mut generations: Vec<Generation> = Vec::new();
    let mut next = Some(run);
    while let Some(run) = next {
        let StoredRun { journal, calls, took_over, .. } = records.load(run).await?;
        if let Some(later) = generations.last_mut() {
            let same = |(a, b): &(&Entry, &Entry)| (a.step, &a.at, &a.outcome) == (b.step, &b.at, &b.outcome);
            later.shared = later.journal.entries().iter().zip(journal.entries()).take_while(same).count();
        }
        generations.push(Generation { asked: !calls.is_empty(), answers: answers(calls), journal, shared: 0 });
        next = took_over;
    }
    Ok(generations)
}

/// The run in which an entry was made.
fn maker(generations: &[Generation], entry: usize) -> Option<&Generation> {
    generations.iter().find(|generation| entry >= generation.shared)
}

/// Does a run again and writes its files below `into`, then compares them with those that `kept` has. `progress` is told how many steps are
/// done.
///
/// # Errors
/// [`DeskError::Store`] if the record cannot be read, [`DeskError::Output`] if a file cannot be written.
pub async fn replay(
    records: &dyn Records,
    run: RunKey,
    kept: &Outputs,
    into: &Outputs,
    progress: WorkProgress,
) -> Result<Replayed, DeskError> {
    let generations = generations(records, run).await?;
    let work = move || {
        let mut done = Replayed::default();
        let recorded = &generations.first()?.journal;
        let mut journal = Journal::new(recorded.opening.clone());
        for (number, entry) in recorded.entries().iter().enumerate() {
            let maker = maker(&generations, number)?;
            journal.opening.clone_from(&maker.journal.opening);
            let outcome = again(&journal, entry, maker, &mut done);
            if outcome != entry.outcome {
                done.differences.push(format!("{} comes to something else than was recorded", entry.step));
            }
            journal.push(Entry { outcome, ..entry.clone() });
            progress.at(number as u64 + 1, recorded.entries().len() as u64);
        }
        journal.opening.clone_from(&recorded.opening);
        Some((journal, done))
    };
    let broke = |detail: String| DeskError::Output {
        path: "the replay".to_owned(),
        detail: format!("the rules broke off ({detail}); please report this with the topic"),
    };
    let worked = aside(work).await.map_err(|error| broke(error.to_string()))?;
    let (journal, mut done) = worked.ok_or_else(|| broke("no run".to_owned()))?;
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
    aside(compared).await.map_err(|error| broke(error.to_string()))
}

/// Does a step again on the journal so far, and returns its outcome.
fn again(journal: &Journal, entry: &Entry, maker: &Generation, done: &mut Replayed) -> Outcome {
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
    // The answer that counted gives the recorded outcome. If none does, the latest answer shows the difference.
    let read = |answer: &Answer| {
        let mut outcome = Agents::read(journal, step, answer).ok()?;
        // The desk adds to an answer the prompt that was sent, the model that was asked, and the calls that a person must allow.
        match (&mut outcome, &entry.outcome) {
            (Outcome::Evidence(found), Outcome::Evidence(recorded)) => found.prompt.clone_from(&recorded.prompt),
            (Outcome::Opinions(given), Outcome::Opinions(recorded)) => given.by.clone_from(&recorded.by),
            (Outcome::Turn(turn), Outcome::Turn(recorded)) => turn.asks.clone_from(&recorded.asks),
            _ => {}
        }
        Some(outcome)
    };
    let mut outcomes = maker.answers.get(&step).into_iter().flatten().filter_map(read).peekable();
    if let Some(latest) = outcomes.peek().cloned() {
        done.again += 1;
        done.answers += 1;
        return outcomes.find(|outcome| *outcome == entry.outcome).unwrap_or(latest);
    }
    let by_rules = match &entry.outcome {
        // Why the model's notes are missing is on record alone.
        Outcome::Prepared(recorded) => without_notes(journal, step, recorded),
        // The budget of that day is not on record.
        Outcome::Failure(failure) if failure.over_budget => None,
        _ if maker.asked => Agents::without_anyone(journal, step),
        _ => offline(journal, step),
    };
    if let Some(mut outcome) = by_rules {
        done.again += 1;
        if let (Outcome::Proof(proof), Outcome::Proof(recorded)) = (&mut outcome, &entry.outcome) {
            proof.kept.clone_from(&recorded.kept);
        }
        return outcome;
    }
    done.recorded += 1;
    entry.outcome.clone()
}

/// Returns the Publisher's notes without an answer of its model: the rules' notes, and the recorded notes on the missing answer.
fn without_notes(journal: &Journal, step: Step, recorded: &[PublishingNote]) -> Option<Outcome> {
    let mut notes = notes_by_rule(journal, step.round())?;
    notes.extend(recorded.iter().filter(|noted| noted.is_missing()).cloned());
    Some(Outcome::Prepared(notes))
}

/// Returns the outcome of a step by the offline rules; none if they do not do it.
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

/// Holds the story's canonical file against the one that was written again, if it is this run's.
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

/// The usable answers of each step, the latest first.
fn answers(mut calls: Vec<StoredCall>) -> HashMap<Step, Vec<Answer>> {
    let mut answers: HashMap<Step, Vec<Answer>> = HashMap::new();
    calls.sort_by_key(|call| std::cmp::Reverse(call.key.attempt));
    for call in calls.into_iter().filter(|call| !call.rejected) {
        if let Some(answer) = call.answer {
            answers.entry(call.key.step).or_default().push(answer);
        }
    }
    answers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::{add, article, opening};
    use copydesk_newsroom::{Draft, Finding, Ledger, Opening, Proof, RunSettings};

    /// Returns the differences that replaying the proof of a draft finds, if `recorded` changed the proof on record.
    fn differences(recorded: impl FnOnce(Proof) -> Proof) -> Vec<String> {
        let mut opening = Opening { settings: RunSettings { proves: true, ..opening().settings }, ..opening() };
        opening.topic.source_text = "The plan lays 1.4 miles of paths.".into();
        let mut journal = Journal::new(opening);
        let article = article("The plan lays 1.8 miles of paths.");
        add(&mut journal, Step::Draft, Outcome::Draft(Draft { article, stripped: vec![], undone: vec![] }));
        let step = Step::Prove { round: 1 };
        let Some(Outcome::Proof(proof)) = Agents::without_anyone(&journal, step) else { panic!("no proof") };
        assert!(!proof.findings.is_empty() && proof.kept.is_some());
        let mut whole = journal.clone();
        add(&mut whole, step, Outcome::Proof(recorded(proof)));
        let entry = whole.entries().last().unwrap();
        let maker = Generation { journal: whole.clone(), answers: HashMap::new(), asked: true, shared: 0 };
        let mut done = Replayed::default();
        if again(&journal, entry, &maker, &mut done) != entry.outcome {
            done.differences.push("different".to_owned());
        }
        assert_eq!((done.again, done.recorded), (1, 0));
        done.differences
    }

    #[test]
    fn a_proof_of_other_versions_is_the_same_again_if_its_findings_are() {
        assert_eq!(differences(|proof| proof), [""; 0]);
        assert_eq!(differences(|proof| Proof { kept: None, ..proof }), [""; 0], "as it was before the ledger was kept");
        let other = |mut proof: Proof| {
            proof.kept.as_mut().unwrap().ledger = Ledger::default();
            proof
        };
        assert_eq!(differences(other), [""; 0], "as other rules judged the rest of the draft");
        let found = |proof: Proof| Proof { findings: Vec::<Finding>::new(), ..proof };
        assert_eq!(differences(found), ["different"]);
    }
}
