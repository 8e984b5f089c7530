//! What an editor's decisions mean for a run: which verdicts count, what goes back to the writer, how many rounds there are,
//! where it waits (DESIGN.md, section 3, GATE). What can be decided when is [`super::choices`]' affair.

use crate::{
    editorial::next_steps,
    newsroom::{
        ArticleResponse, Choice, Decided, GateOutcome, Gates, Journal, Status, Step, Verdict, Wait, WriterFeedback,
    },
    text::sanitise,
};

/// The decisions of a round that count: without those undone and without the undoings.
pub fn standing(journal: &Journal, round: u32) -> impl Iterator<Item = Decided<'_>> {
    journal
        .decisions(round)
        .into_iter()
        .filter(|decided| !decided.undone && !matches!(decided.decision.choice, Choice::Undo { .. }))
}

/// How many rounds the run may take: as it was opened, and one for each that an editor added.
#[must_use]
pub fn max_rounds(journal: &Journal) -> u32 {
    let added = journal
        .entries()
        .iter()
        .filter(|entry| matches!(entry.step, Step::Decide { .. }))
        .map(|entry| entry.step.round())
        .collect::<std::collections::BTreeSet<u32>>()
        .into_iter()
        .flat_map(|round| standing(journal, round))
        .filter(|decided| decided.decision.choice == Choice::AnotherRound)
        .count();
    journal.opening.max_rounds.saturating_add(u32::try_from(added).unwrap_or(u32::MAX))
}

/// The decision that overrules the verdict on a concern; the latest counts.
#[must_use]
pub fn overruled(journal: &Journal, round: u32, concern: u32) -> Option<Decided<'_>> {
    standing(journal, round)
        .filter(|decided| matches!(decided.decision.choice, Choice::Override { concern: of, .. } if of == concern))
        .last()
}

/// The decision with which the gate of a round was left.
#[must_use]
pub fn left(journal: &Journal, round: u32) -> Option<Decided<'_>> {
    standing(journal, round).find(|decided| {
        matches!(decided.decision.choice, Choice::Continue | Choice::Stet { .. } | Choice::Spike { .. })
    })
}

/// What was decided about the article that passed: signed off, sent back or spiked.
#[must_use]
pub fn at_sign_off(journal: &Journal, round: u32) -> Option<Decided<'_>> {
    journal.gate(round)?;
    standing(journal, round).find(|decided| {
        matches!(decided.decision.choice, Choice::SignOff { .. } | Choice::SendBack { .. })
            || (matches!(decided.decision.choice, Choice::Spike { .. })
                && journal.gate(round) != Some(GateOutcome::Spiked))
    })
}

/// The hand edit of a round; the latest counts.
#[must_use]
pub fn edit(journal: &Journal, round: u32) -> Option<&ArticleResponse> {
    journal.decisions(round).into_iter().rev().filter(|decided| !decided.undone).find_map(|decided| {
        match &decided.decision.choice {
            Choice::Edit { article } => Some(article),
            _ => None,
        }
    })
}

/// Whether the round's draft passed its gate and was not sent back or spiked afterwards.
#[must_use]
pub fn passed(journal: &Journal, round: u32) -> bool {
    matches!(journal.gate(round), Some(GateOutcome::Passed | GateOutcome::Stet))
        && !at_sign_off(journal, round)
            .is_some_and(|decided| matches!(decided.decision.choice, Choice::SendBack { .. } | Choice::Spike { .. }))
}

/// Who signed the run's article off, where somebody did.
#[must_use]
pub fn signed_by(journal: &Journal) -> Option<&str> {
    let round = journal.rounds();
    let decided = at_sign_off(journal, round)?;
    matches!(decided.decision.choice, Choice::SignOff { .. }).then_some(decided.decision.by.as_str())
}

/// The verdicts that count: the agents', with what an editor decided in their place. A draft that was accepted as it stands
/// has no open verdict.
#[must_use]
pub fn effective_verdicts(journal: &Journal, round: u32) -> Vec<Verdict> {
    let mut verdicts = journal.verdicts(round);
    for verdict in &mut verdicts {
        if let Some(decided) = overruled(journal, round, verdict.concern_id)
            && let Choice::Override { status, fix, reason, .. } = &decided.decision.choice
        {
            verdict.status = *status;
            verdict.misleading = *status != Status::Keep;
            verdict.suggested_fix.clone_from(fix);
            verdict.rationale.clone_from(reason);
        }
    }
    // What was sent back or given up at sign-off was not accepted after all.
    let taken_back = at_sign_off(journal, round)
        .is_some_and(|decided| matches!(decided.decision.choice, Choice::SendBack { .. } | Choice::Spike { .. }));
    if !taken_back
        && let Some(decided) = left(journal, round)
        && let Choice::Stet { reason } = &decided.decision.choice
    {
        for verdict in verdicts.iter_mut().filter(|verdict| verdict.status != Status::Keep) {
            verdict.status = Status::Keep;
            verdict.misleading = false;
            verdict.suggested_fix = None;
            verdict.rationale = format!("stet, {}: {reason}", decided.decision.by);
        }
    }
    verdicts
}

/// The concerns on which something else counts than what the specialist said.
#[must_use]
pub fn overruled_concerns(journal: &Journal, round: u32) -> Vec<u32> {
    let effective = effective_verdicts(journal, round);
    let agents = journal.verdicts(round);
    agents.iter().filter(|verdict| !effective.contains(verdict)).map(|verdict| verdict.concern_id).collect()
}

/// The to-dos that an editor added at the gate, or sent back at sign-off, in order.
#[must_use]
pub fn to_dos(journal: &Journal, round: u32) -> Vec<String> {
    standing(journal, round)
        .flat_map(|decided| match &decided.decision.choice {
            Choice::Feedback { text } | Choice::SendBack { text } => lines(text),
            _ => Vec::new(),
        })
        .collect()
}

/// One to-do a line; list marks and empty lines are left out.
#[must_use]
pub fn lines(text: &str) -> Vec<String> {
    text.lines()
        .map(|line| sanitise::one_line(line.trim_start().trim_start_matches(['-', '*', '•'])))
        .filter(|line| !line.is_empty())
        .collect()
}

/// Where the run waits for its editor: nothing else can be done then.
#[must_use]
pub fn waits(journal: &Journal) -> Option<Wait> {
    if journal.opening.gates == Gates::Auto || journal.publication().is_some() || journal.failure().is_some() {
        return None;
    }
    let round = journal.rounds();
    match journal.gate(round) {
        None => {
            (next_steps::is_judged(journal, round) && left(journal, round).is_none()).then_some(Wait::Gate { round })
        }
        Some(GateOutcome::Passed | GateOutcome::Stet) => {
            at_sign_off(journal, round).is_none().then_some(Wait::SignOff { round })
        }
        Some(_) => None,
    }
}

/// What the gate of a round decides, once an editor has left it.
#[must_use]
pub fn outcome(journal: &Journal, round: u32) -> GateOutcome {
    match left(journal, round).map(|decided| &decided.decision.choice) {
        Some(Choice::Stet { .. }) => GateOutcome::Stet,
        Some(Choice::Spike { .. }) => GateOutcome::Spiked,
        _ if edit(journal, round).is_some() => GateOutcome::Edited,
        _ => {
            let by_verdicts = super::gate::decide(round, max_rounds(journal), &effective_verdicts(journal, round));
            match by_verdicts {
                GateOutcome::Passed if !to_dos(journal, round).is_empty() => GateOutcome::Revise,
                outcome => outcome,
            }
        }
    }
}

/// The feedback that closes a round: the effective verdicts', then the editor's to-dos, which leave the rating alone
/// (DESIGN.md, section 3).
#[must_use]
pub fn feedback(journal: &Journal, round: u32) -> WriterFeedback {
    let mut feedback = super::feedback::compile(round, &effective_verdicts(journal, round));
    let own = to_dos(journal, round);
    if !own.is_empty() {
        feedback.todo_list.extend(own);
        let numbered: Vec<String> =
            feedback.todo_list.iter().zip(1..).map(|(to_do, number): (_, u32)| format!("{number}. {to_do}")).collect();
        feedback.reasoning = numbered.join("\n");
    }
    feedback
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::{
        editorial::{
            next_steps::{
                next_steps,
                tests::{add, add_round, article, opening, verdict},
            },
            report,
        },
        newsroom::{Decision, Opening, Outcome, Publication, Specialist},
    };

    pub(crate) fn decide(journal: &mut Journal, round: u32, choice: Choice) {
        let number = u32::try_from(journal.decisions(round).len()).unwrap() + 1;
        let decision = Decision { by: "Ada".into(), choice };
        add(journal, Step::Decide { round, number }, Outcome::Decision(decision));
    }

    /// A run of an editor at the gate of round 1: the first of two concerns is KEEP, the second REWRITE.
    pub(crate) fn at_gate() -> Journal {
        let mut journal = Journal::new(Opening { gates: Gates::Editor, ..opening() });
        add_round(&mut journal, 1, &[Specialist::Opinion; 2]);
        for (concern, status) in [(1, Status::Keep), (2, Status::Rewrite)] {
            let fix = (status != Status::Keep).then_some("the agent's fix");
            add(&mut journal, Step::Judge { round: 1, concern }, Outcome::Verdict(verdict(concern, status, fix)));
        }
        journal
    }

    /// Does the local steps that are ready, as the desk does.
    pub(crate) fn go_on(journal: &mut Journal) -> Vec<Step> {
        loop {
            let steps = next_steps(journal);
            let outcome = match steps.first() {
                Some(Step::Gate { round }) => Outcome::Gate(outcome(journal, *round)),
                Some(Step::Feedback { round }) => Outcome::Feedback(feedback(journal, *round)),
                Some(Step::Publish) => Outcome::Publication(Publication {
                    generated_at: "t".into(),
                    success: report::succeeded(journal),
                    flags: report::flags(journal),
                }),
                _ => return steps,
            };
            add(journal, steps[0], outcome);
        }
    }

    pub(crate) fn overrule(concern: u32, status: Status, fix: Option<&str>) -> Choice {
        Choice::Override { concern, status, fix: fix.map(str::to_owned), reason: format!("I know about {concern}") }
    }

    #[test]
    fn a_run_waits_at_its_gate_until_the_editor_leaves_it() {
        let mut journal = at_gate();
        assert_eq!(waits(&journal), Some(Wait::Gate { round: 1 }));
        assert_eq!(next_steps(&journal), []);
        decide(&mut journal, 1, overrule(2, Status::Keep, None));
        assert_eq!(waits(&journal), Some(Wait::Gate { round: 1 }));
        decide(&mut journal, 1, Choice::Continue);
        assert_eq!(next_steps(&journal), [Step::Gate { round: 1 }]);
        go_on(&mut journal);
        assert_eq!(waits(&journal), Some(Wait::SignOff { round: 1 }));
        decide(&mut journal, 1, Choice::SignOff { chain: "00".into() });
        go_on(&mut journal);
        assert_eq!((report::succeeded(&journal), signed_by(&journal)), (true, Some("Ada")));
        assert_eq!(waits(&journal), None);
    }

    #[test]
    fn a_run_without_an_editor_never_waits() {
        let mut journal = at_gate();
        journal.opening.gates = Gates::Auto;
        assert_eq!((waits(&journal), next_steps(&journal)), (None, vec![Step::Gate { round: 1 }]));
    }

    #[test]
    fn an_override_counts_and_the_verdict_stays() {
        let mut journal = at_gate();
        let agents = journal.verdicts(1);
        decide(&mut journal, 1, overrule(1, Status::Remove, Some("Delete it.")));
        decide(&mut journal, 1, overrule(2, Status::Remove, None));
        decide(&mut journal, 1, overrule(2, Status::Keep, None));
        let effective = effective_verdicts(&journal, 1);
        assert_eq!(
            effective[0],
            Verdict {
                status: Status::Remove,
                misleading: true,
                suggested_fix: Some("Delete it.".into()),
                rationale: "I know about 1".into(),
                ..agents[0].clone()
            }
        );
        assert_eq!((effective[1].status, effective[1].misleading), (Status::Keep, false), "the latest counts");
        assert_eq!(journal.verdicts(1), agents);
        decide(&mut journal, 1, Choice::Undo { number: 3 });
        assert_eq!(effective_verdicts(&journal, 1)[1].status, Status::Remove, "what was undone no longer counts");
        decide(&mut journal, 1, Choice::Undo { number: 2 });
        assert_eq!(effective_verdicts(&journal, 1)[1], agents[1]);
    }

    #[test]
    fn the_editors_to_dos_follow_the_verdicts_and_leave_the_rating_alone() {
        let mut journal = at_gate();
        let before = feedback(&journal, 1);
        decide(&mut journal, 1, Choice::Feedback { text: "- Name the chair.\n\n * Say when.\n".into() });
        let after = feedback(&journal, 1);
        assert_eq!(after.todo_list, ["the agent's fix", "Name the chair.", "Say when."]);
        assert_eq!(after.reasoning, "1. the agent's fix\n2. Name the chair.\n3. Say when.");
        assert_eq!((after.rating, after.improvement_suggestions), (before.rating, before.improvement_suggestions));
        decide(&mut journal, 1, Choice::Continue);
        assert_eq!(go_on(&mut journal), [Step::Revise { round: 1 }]);
    }

    #[test]
    fn feedback_sends_a_round_back_that_would_pass() {
        let mut journal = at_gate();
        decide(&mut journal, 1, overrule(2, Status::Keep, None));
        decide(&mut journal, 1, Choice::Feedback { text: "Name the chair.".into() });
        decide(&mut journal, 1, Choice::Continue);
        assert_eq!(go_on(&mut journal), [Step::Revise { round: 1 }]);
        assert_eq!(journal.feedback(1).unwrap().todo_list, ["Name the chair."]);
    }

    #[test]
    fn a_hand_edit_is_the_next_draft() {
        let mut journal = at_gate();
        decide(&mut journal, 1, Choice::Edit { article: article("First.") });
        decide(&mut journal, 1, Choice::Edit { article: article("Second.") });
        assert_eq!(edit(&journal, 1), Some(&article("Second.")));
        decide(&mut journal, 1, Choice::Undo { number: 2 });
        assert_eq!(edit(&journal, 1), Some(&article("First.")));
        decide(&mut journal, 1, Choice::Continue);
        assert_eq!(go_on(&mut journal), [Step::Revise { round: 1 }], "no feedback goes to a writer");
        assert_eq!(journal.gate(1), Some(GateOutcome::Edited));
    }

    #[test]
    fn stet_accepts_the_draft_and_overrules_what_is_open() {
        let mut journal = at_gate();
        decide(&mut journal, 1, Choice::Stet { reason: "It is right.".into() });
        go_on(&mut journal);
        assert_eq!(waits(&journal), Some(Wait::SignOff { round: 1 }));
        decide(&mut journal, 1, Choice::SignOff { chain: String::new() });
        go_on(&mut journal);
        let report = report::editor_report(&journal);
        assert_eq!(report.blocking_concerns, None);
        let verdict = &report.iterations[0].verdicts[1];
        assert_eq!((verdict.status, verdict.rationale.as_str()), (Status::Keep, "stet, Ada: It is right."));
    }

    #[test]
    fn a_spiked_story_is_failed_by_the_editor() {
        let mut journal = at_gate();
        decide(&mut journal, 1, Choice::Spike { reason: "The source withdrew.".into() });
        go_on(&mut journal);
        assert_eq!(report::error(&journal).as_deref(), Some("spiked by Ada: The source withdrew."));
        assert_eq!((report::succeeded(&journal), report::flags(&journal)), (false, vec![]));
    }

    #[test]
    fn another_round_goes_beyond_the_limit() {
        let mut journal = at_gate();
        journal.opening.max_rounds = 1;
        decide(&mut journal, 1, Choice::AnotherRound);
        assert_eq!(max_rounds(&journal), 2);
        decide(&mut journal, 1, Choice::Continue);
        assert_eq!(go_on(&mut journal), [Step::Revise { round: 1 }]);
    }

    #[test]
    fn an_article_can_be_sent_back_from_sign_off() {
        let mut journal = at_gate();
        decide(&mut journal, 1, overrule(2, Status::Keep, None));
        decide(&mut journal, 1, Choice::Continue);
        go_on(&mut journal);
        decide(&mut journal, 1, Choice::SendBack { text: "The lead buries the vote.".into() });
        assert_eq!(go_on(&mut journal), [Step::Revise { round: 1 }]);
        assert_eq!(journal.feedback(1).unwrap().todo_list, ["The lead buries the vote."]);
        assert!(!report::succeeded(&journal));
        add_round(&mut journal, 2, &[]);
        assert_eq!(waits(&journal), Some(Wait::Gate { round: 2 }));
        decide(&mut journal, 2, Choice::Continue);
        go_on(&mut journal);
        decide(&mut journal, 2, Choice::SignOff { chain: String::new() });
        go_on(&mut journal);
        assert_eq!((report::kept_round(&journal), report::succeeded(&journal)), (Some(2), true));
    }

    #[test]
    fn an_article_can_be_spiked_at_sign_off() {
        let mut journal = at_gate();
        decide(&mut journal, 1, Choice::Stet { reason: String::new() });
        go_on(&mut journal);
        decide(&mut journal, 1, Choice::Spike { reason: "Legal says no.".into() });
        go_on(&mut journal);
        assert_eq!(report::error(&journal).as_deref(), Some("spiked by Ada: Legal says no."));
        assert!(!report::succeeded(&journal));
        assert_eq!(effective_verdicts(&journal, 1)[1].status, Status::Rewrite, "it was not accepted after all");
    }
}
