//! The editor's report and the canonical result, read off a journal (docs/reference/contract.md).

use crate::editorial::{decisions, gate, remarks::is_remark};
use copydesk_newsroom::{
    ArticleGenerationResult, ArticleMetadata, Choice, Claims, Concern, Decision, Draft, EditorReport, FinalStatus,
    GateOutcome, IterationReport, Journal, Outcome, Publication, SPIKED_BY, Status,
};

/// The round whose draft is kept: the one that passed; else the best one that was judged to its end; else the latest. A draft
/// that the editor replaced by an own text or sent back is never the best.
pub fn kept_round(journal: &Journal) -> Option<u32> {
    let rounds = 1..=decisions::max_rounds(journal);
    if let Some(passed) = rounds.clone().find(|round| decisions::passed(journal, *round)) {
        return Some(passed);
    }
    let left_behind = rounds.clone().rev().find(|round| is_left_behind(journal, *round)).unwrap_or(0);
    let judged: Vec<_> = rounds
        .clone()
        .filter(|round| journal.gate(*round).is_some())
        .filter(|round| *round > left_behind)
        .map(|round| (round, decisions::effective_verdicts(journal, round)))
        .collect();
    gate::best_round(&judged).or_else(|| Some(journal.latest_draft()).filter(|round| *round > 0))
}

/// Whether the editor put another draft in the place of this round's.
fn is_left_behind(journal: &Journal, round: u32) -> bool {
    let sent_back = decisions::at_sign_off(journal, round)
        .is_some_and(|decided| !matches!(decided.decision.choice, Choice::SignOff { .. } | Choice::Spike { .. }));
    journal.draft(round + 1).is_some() && (journal.gate(round) == Some(GateOutcome::Edited) || sent_back)
}

pub fn kept_draft(journal: &Journal) -> Option<&Draft> {
    journal.draft(kept_round(journal)?)
}

/// The round whose draft is the story's article, seen from `round`: the kept round once the run has ended, before that `round` itself. 0 if
/// there is none.
pub fn shown_round(journal: &Journal, round: u32) -> u32 {
    if journal.publication().is_some() { kept_round(journal).unwrap_or(0) } else { round }
}

/// The story's article as it stands: the kept draft once the run has ended, before that the latest, which is the one that waits.
pub fn standing_draft(journal: &Journal) -> Option<&Draft> {
    journal.draft(shown_round(journal, journal.latest_draft()))
}

/// The headline of the draft that stands, if it is not that of the first draft. A fact sheet's is new from the first draft on if it is a part of
/// the working title: `Mill fire` of `NOTES mill fire, Tues 22 Sept 2026 (NQ)`.
pub fn new_headline(journal: &Journal) -> Option<&str> {
    let first = journal.draft(1)?;
    let headline = standing_draft(journal)?.article.headline.as_str();
    let title = journal.opening.topic.source_metadata.topic_title.trim_end_matches('.');
    let is_part = headline.len() < title.len() && title.to_lowercase().contains(&headline.to_lowercase());
    let is_new = headline != first.article.headline || journal.opening.extract && is_part && !headline.is_empty();
    is_new.then_some(headline)
}

/// The claims of the draft that stands: of that draft alone, never of an earlier one.
pub fn standing_claims(journal: &Journal) -> Option<&Claims> {
    journal.claims(shown_round(journal, journal.latest_draft()))
}

/// Whether a round passed.
pub fn succeeded(journal: &Journal) -> bool {
    journal.failure().is_none() && (1..=decisions::max_rounds(journal)).any(|round| decisions::passed(journal, round))
}

/// The to-dos that the draft of a round leaves undone, because its writer could not do them. For an editor's own text, they are those that
/// the draft before it left undone, because it is unknown whether the editor did them.
pub fn undone(journal: &Journal, round: u32) -> Vec<String> {
    let mut written = round;
    while written > 1 && decisions::is_rewritten(journal, written - 1) {
        written -= 1;
    }
    let mut undone = journal.draft(written).map(|draft| draft.undone.clone()).unwrap_or_default();
    if written != round {
        // It was remarked on another text.
        undone.retain(|said| !is_remark(said));
    }
    undone
}

/// A program's remarks on the draft of a round as a whole.
pub fn remarks(journal: &Journal, round: u32) -> impl Iterator<Item = String> {
    undone(journal, round).into_iter().filter(|said| is_remark(said))
}

/// The concerns of the latest review that are not settled by a KEEP.
pub fn open_concerns(journal: &Journal, round: u32) -> Vec<Concern> {
    let verdicts = decisions::effective_verdicts(journal, round);
    let kept = |id: u32| verdicts.iter().any(|verdict| verdict.concern_id == id && verdict.status == Status::Keep);
    let concerns = journal.concerns(round).map(|result| result.concerns.clone()).unwrap_or_default();
    concerns.into_iter().filter(|concern| !kept(concern.concern_id)).collect()
}

/// The report over every round whose review was parsed.
pub fn editor_report(journal: &Journal) -> EditorReport {
    let iterations: Vec<IterationReport> = (1..=decisions::max_rounds(journal))
        .filter_map(|round| {
            let concerns = journal.concerns(round)?;
            let draft = journal.draft(round)?;
            Some(IterationReport {
                iteration_number: round,
                concerns: concerns.concerns.clone(),
                mappings: journal.mapping(round).map(|mapping| mapping.mappings.clone()).unwrap_or_default(),
                verdicts: decisions::effective_verdicts(journal, round),
                feedback_to_writer: journal.feedback(round).cloned(),
                article_draft: draft.article.clone(),
            })
        })
        .collect();
    let succeeded = succeeded(journal);
    let reviewed = kept_round(journal).filter(|round| journal.concerns(*round).is_some());
    EditorReport {
        total_iterations: u32::try_from(iterations.len()).unwrap_or(u32::MAX),
        iterations,
        final_status: if succeeded { FinalStatus::Success } else { FinalStatus::Failed },
        blocking_concerns: if succeeded { None } else { reviewed.map(|round| open_concerns(journal, round)) },
    }
}

/// The reason that a story did not succeed, for a person; none on success.
pub fn error(journal: &Journal) -> Option<String> {
    if succeeded(journal) {
        return None;
    }
    if let Some((step, failure)) = journal.failure() {
        // No step of the story was begun.
        let before = if journal.opening.is_unusable() { String::new() } else { format!("{step}: ") };
        return Some(format!("{before}{}", failure.message));
    }
    if let Some((by, reason)) = spiked(journal) {
        return Some(format!("{SPIKED_BY}{by}: {reason}"));
    }
    let open = kept_round(journal).map_or(0, |round| open_concerns(journal, round).len());
    let rounds = decisions::max_rounds(journal);
    Some(format!(
        "all {rounds} rounds (editor_max_rounds) are used up and {open} concern{} of the best draft {} open",
        if open == 1 { "" } else { "s" },
        if open == 1 { "is" } else { "are" }
    ))
}

/// Who gave the story up and why; none if it was not given up.
pub(super) fn spiked(journal: &Journal) -> Option<(&str, &str)> {
    journal.entries().iter().rev().find_map(|entry| match &entry.outcome {
        Outcome::Decision(Decision { by, choice: Choice::Spike { reason } }) => Some((by.as_str(), reason.as_str())),
        _ => None,
    })
}

/// The canonical result of a finished run. `publication` is its last entry.
pub fn result(journal: &Journal, publication: &Publication) -> ArticleGenerationResult {
    let article = kept_draft(journal).map(|draft| draft.article.clone());
    let topic = &journal.opening.topic;
    let source = &topic.source_metadata;
    let metadata = article.as_ref().map(|_| ArticleMetadata {
        source_file: source.source_file.clone(),
        channel_name: source.channel_name.to_string(),
        video_id: source.video_id.clone(),
        video_title: source.video_title.clone(),
        publish_date: source.publish_date.clone(),
        topic_slug: source.topic_slug.to_string(),
        topic_title: source.topic_title.clone(),
        style_mode: topic.style_mode.clone(),
        target_length_words: topic.target_length_words.clone(),
        generated_at: publication.generated_at.clone(),
    });
    ArticleGenerationResult {
        success: publication.success,
        article,
        metadata,
        editor_report: Some(editor_report(journal)),
        artifacts_dir: Some(journal.opening.artifacts_dir.clone()),
        error: error(journal),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::{add, add_round, article, claim, opening, verdict};
    use copydesk_newsroom::{Failure, Specialist, Step};

    /// Two rounds: the first with `first` open verdicts, the second with `second`.
    fn used_up(first: usize, second: usize) -> Journal {
        let mut journal = Journal::new(opening());
        for (round, open) in [(1, first), (2, second)] {
            add_round(&mut journal, round, &[Specialist::Opinion; 3]);
            for concern in 1..=3u32 {
                let status = if (concern as usize) <= open { Status::Rewrite } else { Status::Keep };
                let outcome = Outcome::Verdict(verdict(concern, status, Some("fix")));
                add(&mut journal, Step::Judge { round, concern }, outcome);
            }
            let outcome = gate::decide(round, 2, &journal.verdicts(round));
            add(&mut journal, Step::Gate { round }, Outcome::Gate(outcome));
        }
        journal
    }

    #[test]
    fn a_run_that_used_up_its_rounds_keeps_its_best_draft() {
        let journal = used_up(1, 2);
        let report = editor_report(&journal);
        assert_eq!(kept_round(&journal), Some(1));
        assert_eq!(report.final_status, FinalStatus::Failed);
        let blocking: Vec<u32> = report.blocking_concerns.unwrap().iter().map(|c| c.concern_id).collect();
        assert_eq!(blocking, [1]);
        assert_eq!(
            error(&journal).unwrap(),
            "all 2 rounds (editor_max_rounds) are used up and 1 concern of the best draft is open"
        );
    }

    #[test]
    fn the_article_is_the_latest_draft_until_the_run_has_ended() {
        let mut journal = used_up(1, 2);
        assert_eq!((kept_round(&journal), shown_round(&journal, 2), shown_round(&journal, 1)), (Some(1), 2, 1));
        assert_eq!(standing_draft(&journal), journal.draft(2));
        for (round, text) in [(1, "It rained."), (2, "It snowed.")] {
            let claims = Claims { claims: vec![claim(text, true)], words_only: None };
            add(&mut journal, Step::Claims { round }, Outcome::Claims(claims));
        }
        let standing = |journal: &Journal| standing_claims(journal).map(|claims| claims.claims[0].text.clone());
        assert_eq!(standing(&journal).as_deref(), Some("It snowed."));
        let publication = Publication { generated_at: "t".into(), success: false, flags: vec![] };
        add(&mut journal, Step::Publish, Outcome::Publication(publication));
        assert_eq!((shown_round(&journal, 2), standing_draft(&journal)), (1, journal.draft(1)));
        assert_eq!(standing_draft(&Journal::new(opening())), None);
    }

    #[test]
    fn a_headline_is_new_once_it_is_another_than_the_first_drafts() {
        let mut journal = used_up(1, 2);
        assert_eq!((new_headline(&journal), new_headline(&Journal::new(opening()))), (None, None));
        let mut changed = journal.draft(2).unwrap().clone();
        changed.article.headline = "Another headline".into();
        add(&mut journal, Step::Revise { round: 1 }, Outcome::Draft(changed));
        assert_eq!(new_headline(&journal), Some("Another headline"));
        // The first line of notes is not a title.
        let mut notes = used_up(1, 2);
        notes.opening.topic.source_metadata.topic_title = "NOTES headline, Tues 22 Sept (NQ)".into();
        assert_eq!(new_headline(&notes), None);
        notes.opening.extract = true;
        assert_eq!(new_headline(&notes), Some("Headline"));
    }

    #[test]
    fn what_the_writer_left_undone_is_not_forgotten_with_a_hand_edit() {
        let written = |undone: &[&str]| {
            let undone = undone.iter().map(|to_do| (*to_do).to_owned()).collect();
            Outcome::Draft(Draft { article: article("Text."), stripped: vec![], undone })
        };
        let mut journal = Journal::new(opening());
        add(&mut journal, Step::Draft, written(&[]));
        add(&mut journal, Step::Gate { round: 1 }, Outcome::Gate(GateOutcome::Revise));
        add(&mut journal, Step::Revise { round: 1 }, written(&["Name the chair."]));
        for round in [2, 3] {
            add(&mut journal, Step::Gate { round }, Outcome::Gate(GateOutcome::Edited));
            add(&mut journal, Step::Revise { round }, written(&[]));
        }
        add(&mut journal, Step::Gate { round: 4 }, Outcome::Gate(GateOutcome::Revise));
        add(&mut journal, Step::Revise { round: 4 }, written(&[]));
        assert_eq!((journal.latest_draft(), Journal::new(opening()).latest_draft()), (5, 0));
        let counts = [1, 2, 3, 4, 5].map(|round| undone(&journal, round).len());
        assert_eq!(counts, [0, 1, 1, 1, 0], "until a writer has the text again");
    }

    #[test]
    fn a_tie_keeps_the_later_draft() {
        assert_eq!(kept_round(&used_up(2, 2)), Some(2));
    }

    #[test]
    fn a_run_that_passed_has_no_error_and_no_blocking_concern() {
        let journal = used_up(1, 0);
        assert!(succeeded(&journal));
        assert_eq!(error(&journal), None);
        assert_eq!(editor_report(&journal).blocking_concerns, None);
    }

    #[test]
    fn a_run_that_broke_off_reports_what_there_is() {
        let mut journal = Journal::new(opening());
        add(&mut journal, Step::Draft, Outcome::Failure(Failure::of("the server refused")));
        let publication = Publication { generated_at: "t".into(), success: false, flags: vec![] };
        let result = result(&journal, &publication);
        assert_eq!(result.error.as_deref(), Some("draft: the server refused"));
        assert_eq!((result.article, result.metadata), (None, None));
        assert_eq!(result.editor_report.unwrap().total_iterations, 0);
    }
}
