use super::*;
use crate::editorial::{
    control_record, flags,
    next_steps::next_steps,
    report,
    testing::{add_round, article, at_gate, decide, go_on, overrule},
};
use copydesk_newsroom::{Choice, GateOutcome, Gates, Status, Step, Verdict, Wait};

mod gates;

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
    decide(&mut journal, 1, Choice::SignOff { chain: "00".into(), as_notes: false });
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
    let before = feedback(&journal, 1, Vec::new());
    decide(&mut journal, 1, Choice::Feedback { text: "- Name the chair.\n\n * Say when.\n".into() });
    let after = feedback(&journal, 1, Vec::new());
    assert_eq!(after.todo_list, ["the agent's fix", "Name the chair.", "Say when."]);
    let with_style = feedback(&journal, 1, vec!["Delete “very”.".into()]);
    assert_eq!(with_style.todo_list, ["the agent's fix", "Name the chair.", "Say when.", "Delete “very”."]);
    assert!(with_style.reasoning.ends_with("\n4. Delete “very”."), "{}", with_style.reasoning);
    assert_eq!(with_style.rating, before.rating);
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
    decide(&mut journal, 1, Choice::SignOff { chain: String::new(), as_notes: false });
    go_on(&mut journal);
    let report = report::editor_report(&journal);
    assert_eq!(report.blocking_concerns, None);
    let verdict = &report.iterations[0].verdicts[1];
    assert_eq!((verdict.status, verdict.rationale.as_str()), (Status::Keep, "stet, Ada: It is right."));
}

#[test]
fn a_fix_in_the_text_is_carried_out_and_not_overruled_by_the_stet_behind_it() {
    let mut journal = at_gate();
    decide(&mut journal, 1, Choice::Stet { reason: "It is right.".into() });
    assert_eq!(overruled_concerns(&journal, 1), [2]);
    let mut journal = at_gate();
    decide(&mut journal, 1, Choice::Applied { concern: 2, article: article("Fixed.") });
    decide(&mut journal, 1, Choice::Stet { reason: "It is right.".into() });
    assert_eq!(overruled_concerns(&journal, 1), Vec::<u32>::new());
    let stet = journal.decisions(1).pop().unwrap();
    assert_eq!(
        control_record::decision_in_words(&journal, &stet),
        "accepted their own text as it stands (stet), 0 verdicts open: It is right."
    );
}

#[test]
fn a_spiked_story_is_failed_by_the_editor() {
    let mut journal = at_gate();
    decide(&mut journal, 1, Choice::Spike { reason: "The source withdrew.".into() });
    go_on(&mut journal);
    assert_eq!(report::error(&journal).as_deref(), Some("spiked by Ada: The source withdrew."));
    assert_eq!((report::succeeded(&journal), flags::raised(&journal, |_, _| vec![])), (false, vec![]));
}

#[test]
fn another_round_goes_beyond_the_limit() {
    let mut journal = at_gate();
    journal.opening.settings.max_rounds = 1;
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
    decide(&mut journal, 2, Choice::SignOff { chain: String::new(), as_notes: false });
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
