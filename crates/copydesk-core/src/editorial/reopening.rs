//! The step at which a run that has ended is taken up again.

use crate::editorial::{
    choices::{Refused, state},
    decisions::{left, passed, standing},
    report,
};
use copydesk_newsroom::{Choice, Journal, Step};

/// How an ended run continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reopening {
    /// The first step that is done anew.
    pub at: Step,
    /// The draft that the run kept, if it is of an earlier round than `at`.
    pub kept: Option<KeptEarlier>,
}

/// A draft that was kept although later ones were written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeptEarlier {
    pub round: u32,
    /// The step at which the run is forked to go on from it.
    pub at: Step,
}

impl KeptEarlier {
    /// The note for the editor, as the end of a message.
    pub fn note(self) -> String {
        format!("the draft kept was that of round {}; fork {} to go on from it", self.round, self.at)
    }
}

/// Finds the step at which a run that has ended is taken up again. It is the last one at which an editor could decide,
/// so that nothing that was written or decided is left behind. That is the step that failed; else the decision that
/// ended the last round; else its gate; for an article that passed, its sign-off. Earlier rounds are reached by
/// forking.
///
/// # Errors
/// [`Refused::NotNow`] if the run has not ended.
pub fn reopening(journal: &Journal) -> Result<Reopening, Refused> {
    let not_ended = || Refused::NotNow { what: "Reopening", when: "once a story has ended", now: state(journal) };
    journal.publication().ok_or_else(not_ended)?;
    let last = journal.rounds();
    let at = match journal.failure() {
        Some((step, _)) => step,
        None if last == 0 => Step::Draft,
        None => place(journal, last),
    };
    let kept = report::kept_round(journal)
        .filter(|round| *round < at.round())
        .map(|round| KeptEarlier { round, at: place(journal, round) });
    Ok(Reopening { at, kept })
}

/// The step at which an editor can decide otherwise about the draft of a round.
fn place(journal: &Journal, round: u32) -> Step {
    let ending = standing(journal, round)
        .find(|decided| decided.decision.choice.leaves() && !matches!(decided.decision.choice, Choice::Continue))
        .or_else(|| left(journal, round).filter(|_| !passed(journal, round)));
    match ending {
        Some(decided) => Step::Decide { round, number: decided.number },
        None if passed(journal, round) => Step::Publish,
        None => Step::Gate { round },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::{
        testing::{add, add_round, verdict},
        testing::{at_gate, decide, go_on},
    };
    use copydesk_newsroom::{Failure, Gates, Outcome, Specialist, Status};

    fn at(journal: &Journal) -> Step {
        reopening(journal).unwrap().at
    }

    /// Adds round 2 with three open verdicts: its draft is worse than that of round 1.
    fn worse_round(journal: &mut Journal) {
        add_round(journal, 2, &[Specialist::Opinion; 3]);
        for concern in 1..=3 {
            let verdict = verdict(concern, Status::Rewrite, Some("fix"));
            add(journal, Step::Judge { round: 2, concern }, Outcome::Verdict(verdict));
        }
    }

    #[test]
    fn a_story_is_reopened_where_it_can_be_decided_otherwise() {
        let ended = |choice| {
            let mut journal = at_gate();
            decide(&mut journal, 1, choice);
            go_on(&mut journal);
            journal
        };
        assert!(reopening(&at_gate()).is_err());
        let journal = ended(Choice::Spike { reason: "x".into() });
        assert_eq!(at(&journal), Step::Decide { round: 1, number: 1 });
        let mut used_up = at_gate();
        used_up.opening.settings.max_rounds = 1;
        decide(&mut used_up, 1, Choice::Continue);
        go_on(&mut used_up);
        assert_eq!(reopening(&used_up), Ok(Reopening { at: Step::Decide { round: 1, number: 1 }, kept: None }));
        let mut auto = at_gate();
        auto.opening.gates = Gates::Auto;
        auto.opening.settings.max_rounds = 1;
        go_on(&mut auto);
        assert_eq!(reopening(&auto), Ok(Reopening { at: Step::Gate { round: 1 }, kept: None }));
        let mut failed = at_gate();
        decide(&mut failed, 1, Choice::Continue);
        add(&mut failed, Step::Gate { round: 1 }, Outcome::Failure(Failure::of("x")));
        go_on(&mut failed);
        assert_eq!(at(&failed), Step::Gate { round: 1 }, "not the decision before it");
        let mut signed = ended(Choice::Stet { reason: "It is right.".into() });
        decide(&mut signed, 1, Choice::SignOff { chain: String::new(), as_notes: false });
        go_on(&mut signed);
        assert_eq!(at(&signed), Step::Decide { round: 1, number: 1 }, "stet itself can be decided anew");
    }

    #[test]
    fn it_is_reopened_in_its_last_round_although_an_earlier_draft_was_kept() {
        let mut editors = at_gate();
        decide(&mut editors, 1, Choice::Continue);
        go_on(&mut editors);
        worse_round(&mut editors);
        let mut spiked = editors.clone();
        for (journal, choice) in [(&mut editors, Choice::Continue), (&mut spiked, Choice::Spike { reason: "x".into() })]
        {
            decide(journal, 2, choice);
            go_on(journal);
            let kept = KeptEarlier { round: 1, at: Step::Decide { round: 1, number: 1 } };
            assert_eq!(
                reopening(journal),
                Ok(Reopening { at: Step::Decide { round: 2, number: 1 }, kept: Some(kept) })
            );
            assert_eq!(kept.note(), "the draft kept was that of round 1; fork r1.d1 to go on from it");
        }

        let mut auto = at_gate();
        auto.opening.gates = Gates::Auto;
        go_on(&mut auto);
        worse_round(&mut auto);
        go_on(&mut auto);
        let kept = KeptEarlier { round: 1, at: Step::Gate { round: 1 } };
        assert_eq!(reopening(&auto), Ok(Reopening { at: Step::Gate { round: 2 }, kept: Some(kept) }));
    }
}
