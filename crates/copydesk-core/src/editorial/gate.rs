//! Decides whether a round passes, and makes feedback of its verdicts without a model (docs/reference/contract.md).

use copydesk_newsroom::{GateOutcome, Status, Verdict, WriterFeedback};

/// The outcome by the verdicts alone; [`crate::editorial::decisions::outcome`] adds the editor.
///
/// A round passes if every verdict is KEEP. Any other goes back to the writer, unless it was the last.
pub fn decide(round: u32, max_rounds: u32, verdicts: &[Verdict]) -> GateOutcome {
    if verdicts.iter().all(|verdict| verdict.status == Status::Keep) {
        GateOutcome::Passed
    } else if round >= max_rounds {
        GateOutcome::RoundsUsedUp
    } else {
        GateOutcome::Revise
    }
}

/// The round whose draft is kept if no round passed: it has the fewest verdicts that are not KEEP, and is the later one on a tie.
/// Each item is a round and its verdicts; a round without complete verdicts is not offered.
pub fn best_round(rounds: &[(u32, Vec<Verdict>)]) -> Option<u32> {
    rounds
        .iter()
        .min_by_key(|(round, verdicts)| {
            let open = verdicts.iter().filter(|verdict| verdict.status != Status::Keep).count();
            (open, std::cmp::Reverse(*round))
        })
        .map(|(round, _)| *round)
}

/// Most rationales of kept text that are passed on.
const MAX_SUGGESTIONS: usize = 5;

/// Compiles the feedback that closes `iteration`. `verdicts` are the effective ones, in concern order.
///
/// To-dos are the fixes of REWRITE and REMOVE verdicts that have one. Suggestions are the rationales of up to five KEEP
/// verdicts. The rating is 10 less two for each to-do and one for each suggestion, within 1 to 10.
pub fn compile(iteration: u32, verdicts: &[Verdict]) -> WriterFeedback {
    let todo_list: Vec<String> = verdicts
        .iter()
        .filter(|verdict| matches!(verdict.status, Status::Rewrite | Status::Remove))
        .filter_map(|verdict| verdict.suggested_fix.clone())
        .collect();
    let improvement_suggestions: Vec<String> = verdicts
        .iter()
        .filter(|verdict| verdict.status == Status::Keep)
        .take(MAX_SUGGESTIONS)
        .map(|verdict| verdict.rationale.clone())
        .collect();
    let cost = todo_list.len().saturating_mul(2).saturating_add(improvement_suggestions.len());
    let rating = u8::try_from(10usize.saturating_sub(cost).max(1)).unwrap_or(1);
    let reasoning =
        if todo_list.is_empty() { "No to-do: the open verdicts name no fix.".to_owned() } else { numbered(&todo_list) };
    WriterFeedback {
        iteration,
        rating,
        passed: false,
        reasoning,
        improvement_suggestions,
        todo_list,
        verdicts: verdicts.to_vec(),
    }
}

/// Lines with their numbers, from 1.
pub fn numbered(lines: &[String]) -> String {
    let lines: Vec<String> = (1..).zip(lines).map(|(number, line): (u32, _)| format!("{number}. {line}")).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::verdict;

    #[test]
    fn only_all_keep_passes_and_the_last_round_is_the_last() {
        let keep = verdict(1, Status::Keep, None);
        let unfixable = verdict(2, Status::Remove, None);
        assert_eq!(decide(1, 3, &[]), GateOutcome::Passed);
        assert_eq!(decide(3, 3, std::slice::from_ref(&keep)), GateOutcome::Passed);
        assert_eq!(decide(1, 3, &[keep.clone(), unfixable.clone()]), GateOutcome::Revise);
        assert_eq!(decide(3, 3, &[keep, unfixable]), GateOutcome::RoundsUsedUp);
    }

    #[test]
    fn the_best_draft_has_fewest_open_verdicts_and_the_later_wins() {
        let open = |n: u32| (1..=n).map(|id| verdict(id, Status::Rewrite, None)).collect::<Vec<_>>();
        assert_eq!(best_round(&[]), None);
        assert_eq!(best_round(&[(1, open(2)), (2, open(1)), (3, open(1))]), Some(3));
        assert_eq!(best_round(&[(1, open(1)), (2, open(4))]), Some(1));
    }
}

#[cfg(test)]
mod feedback_tests {
    use super::*;
    use crate::editorial::testing::verdict;

    #[test]
    fn to_dos_suggestions_and_rating_follow_the_seed() {
        let mut verdicts = vec![
            verdict(1, Status::Rewrite, Some("fix one")),
            verdict(2, Status::Remove, None),
            verdict(3, Status::Remove, Some("fix three")),
        ];
        verdicts.extend((4..=10).map(|id| verdict(id, Status::Keep, Some("ignored"))));
        let feedback = compile(2, &verdicts);
        assert_eq!(
            feedback,
            WriterFeedback {
                iteration: 2,
                rating: 1,
                passed: false,
                reasoning: "1. fix one\n2. fix three".into(),
                improvement_suggestions: (4..=8).map(|id| format!("rationale {id}")).collect(),
                todo_list: vec!["fix one".into(), "fix three".into()],
                verdicts,
            }
        );
    }

    #[test]
    fn the_rating_stays_within_one_and_ten() {
        let many: Vec<Verdict> = (1..=50).map(|id| verdict(id, Status::Rewrite, Some("x"))).collect();
        assert_eq!(compile(1, &many).rating, 1);
        assert_eq!(compile(1, &[verdict(1, Status::Rewrite, None)]).rating, 10);
        assert_eq!(compile(1, &[verdict(1, Status::Rewrite, Some("x"))]).rating, 8);
    }
}
