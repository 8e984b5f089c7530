//! Decides whether a round passes.

use copydesk_newsroom::{GateOutcome, Status, Verdict};

/// The outcome by the verdicts alone; [`crate::editorial::decisions::outcome`] adds the editor.
///
/// A round passes if every verdict is KEEP. Any other goes back to the writer, unless it was the last.
#[must_use]
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
#[must_use]
pub fn best_round(rounds: &[(u32, Vec<Verdict>)]) -> Option<u32> {
    rounds
        .iter()
        .min_by_key(|(round, verdicts)| {
            let open = verdicts.iter().filter(|verdict| verdict.status != Status::Keep).count();
            (open, std::cmp::Reverse(*round))
        })
        .map(|(round, _)| *round)
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
