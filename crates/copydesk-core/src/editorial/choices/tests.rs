use super::{texts::cleaned, *};
use crate::editorial::{
    testing::{add, article},
    testing::{at_gate, decide, go_on, overrule},
};
use copydesk_newsroom::{Choice, Journal, Outcome, Proof, Status, Step, Wait};

fn refused(journal: &Journal, choice: &Choice) -> String {
    check(journal, choice).map_or_else(|error| error.to_string(), |wait| format!("possible at {wait}"))
}

/// The first gate, with this many decisions.
fn at(made: usize) -> GateSeen {
    GateSeen { at: Wait::Gate { round: 1 }, made }
}

#[test]
fn what_cannot_be_decided_says_why() {
    let gate = at_gate();
    let feedback = |text: &str| Choice::Feedback { text: text.into() };
    for (choice, said) in [
        (overrule(2, Status::Keep, None), "possible at r1.gate"),
        (overrule(9, Status::Keep, None), "round 1 has no verdict on a concern 9"),
        (overrule(2, Status::Keep, Some("x")), "KEEP leaves the text as it is: it has no fix"),
        (overrule(2, Status::Remove, Some(" ")), "the fix is empty: say what to do, or leave it out"),
        (
            Choice::Override { concern: 2, status: Status::Keep, fix: None, reason: " \n".into() },
            "overruling a verdict needs a reason",
        ),
        (feedback("\u{200b}"), "the feedback is empty"),
        (feedback("- \n*"), "the feedback is empty"),
        (feedback(&"x".repeat(100_001)), "that is longer than 100,000 bytes"),
        (Choice::Edit { article: article(" ") }, "The text is empty"),
        (Choice::Undo { number: 1 }, "There is no decision 1 to undo"),
        (Choice::Spike { reason: String::new() }, "say why you spike the story"),
        (Choice::Stet { reason: " ".into() }, "verdicts are open: say why the draft may stand all the same"),
        (
            Choice::SignOff { chain: String::new(), as_notes: false },
            "This story waits for your decision, round 1. Decide on the round first: continue, or approve the draft as it is. Signing off comes after that",
        ),
        (Choice::Continue, "possible at r1.gate"),
    ] {
        assert_eq!(refused(&gate, &choice), said, "{choice:?}");
    }
}

#[test]
fn in_the_last_round_nothing_is_sent_where_nobody_would_act_on_it() {
    let mut journal = at_gate();
    journal.opening.settings.max_rounds = 1;
    let choice = Choice::Feedback { text: "x".into() };
    assert_eq!(
        refused(&journal, &choice),
        "this is the last round, and nobody would act on the feedback: add another round first"
    );
    decide(&mut journal, 1, Choice::AnotherRound);
    assert_eq!(refused(&journal, &choice), "possible at r1.gate");
    for _ in 0..38 {
        decide(&mut journal, 1, Choice::AnotherRound);
    }
    assert_eq!(refused(&journal, &Choice::AnotherRound), "a run has at most 40 rounds");
}

#[test]
fn an_added_round_is_kept_as_long_as_something_needs_it() {
    let mut journal = at_gate();
    journal.opening.settings.max_rounds = 1;
    decide(&mut journal, 1, Choice::AnotherRound);
    decide(&mut journal, 1, Choice::Feedback { text: "x".into() });
    let undo = |number| Choice::Undo { number };
    assert_eq!(refused(&journal, &undo(1)), "decision 2 (feedback) needs the other round: undo that one first");
    decide(&mut journal, 1, Choice::AnotherRound);
    assert_eq!(refused(&journal, &undo(1)), "possible at r1.gate", "there is one to spare");
    decide(&mut journal, 1, undo(3));
    decide(&mut journal, 1, undo(2));
    assert_eq!(refused(&journal, &undo(1)), "possible at r1.gate");
}

#[test]
fn what_is_pasted_is_cleaned() {
    let text = || "a\u{1b}[31mb\r\nc".to_owned();
    let clean = || "ab\nc".to_owned();
    let overrule = |fix, reason| Choice::Override { concern: 1, status: Status::Remove, fix, reason };
    for (typed, kept) in [
        (overrule(Some(text()), text()), overrule(Some(clean()), clean())),
        (Choice::Feedback { text: text() }, Choice::Feedback { text: clean() }),
        (Choice::SendBack { text: text() }, Choice::SendBack { text: clean() }),
        (Choice::Stet { reason: text() }, Choice::Stet { reason: clean() }),
        (Choice::Spike { reason: text() }, Choice::Spike { reason: clean() }),
        (Choice::Edit { article: article(&text()) }, Choice::Edit { article: article(&clean()) }),
    ] {
        assert_eq!(cleaned(typed), kept);
    }
}

#[test]
fn after_the_gate_only_sign_off_is_left() {
    let mut journal = at_gate();
    decide(&mut journal, 1, Choice::Stet { reason: "It is right.".into() });
    go_on(&mut journal);
    assert_eq!(
        refused(&journal, &overrule(2, Status::Keep, None)),
        "This story waits for sign-off: sign it, edit it, or send it back. Overruling a verdict is possible only before sign-off"
    );
    assert_eq!(
        refused(&journal, &Choice::SignOff { chain: String::new(), as_notes: false }),
        "possible at r1.sign-off"
    );
    decide(&mut journal, 1, Choice::SignOff { chain: String::new(), as_notes: false });
    go_on(&mut journal);
    assert_eq!(
        refused(&journal, &Choice::Continue),
        "This story is finished. Reopen it first. Continuing is possible only while a story waits for you"
    );
}

#[test]
fn a_decision_is_admitted_with_the_next_number_of_its_round_and_clean_texts() {
    let mut journal = at_gate();
    let typed = || Choice::Feedback { text: "a\u{1b}[31mb".into() };
    let kept = || Choice::Feedback { text: "ab".into() };
    let step = |number| Step::Decide { round: 1, number };
    let admitted = |journal: &Journal, made| admit(journal, true, typed(), Some(at(made)));
    assert_eq!(admitted(&journal, 0), Ok((step(1), kept())));
    decide(&mut journal, 1, kept());
    assert_eq!(admitted(&journal, 1), Ok((step(2), kept())));
    decide(&mut journal, 1, Choice::Undo { number: 1 });
    assert_eq!(admitted(&journal, 2), Ok((step(3), kept())), "what was undone keeps its number");
}

#[test]
fn what_was_decided_on_something_else_is_not_admitted() {
    let mut journal = at_gate();
    let stet = || Choice::Stet { reason: "It is right.".into() };
    decide(&mut journal, 1, overrule(2, Status::Keep, None));
    let refused = |seen| admit(&journal, true, stet(), Some(seen)).unwrap_err().to_string();
    let told = refused(at(0));
    let whose = journal.entries().last().map(|entry| copydesk_newsroom::local_time(&entry.at)).unwrap();
    assert!(told.contains(&format!(" decided at {whose} on this story in the meantime")), "two programs: {told}");
    let later = GateSeen { at: Wait::Gate { round: 2 }, made: 1 };
    assert_eq!(refused(later), told, "another gate");
    assert_eq!(admit(&journal, true, stet(), None), Ok((Step::Decide { round: 1, number: 2 }, stet())));
    let replaced = Refused::Replaced { what: "Stet" };
    assert_eq!(admit(&journal, false, stet(), Some(at(1))), Err(replaced), "a later run has replaced it");
    // A choice that is not possible anyway is refused for that reason.
    decide(&mut journal, 1, stet());
    go_on(&mut journal);
    assert_eq!(admit(&journal, true, stet(), Some(at(2))), Err(check(&journal, &stet()).unwrap_err()));
    let told = admit(&journal, true, stet(), Some(at(1))).unwrap_err().to_string();
    assert!(told.contains("decided at"), "a colleague has sent it on: {told}");
}

#[test]
fn nobody_approves_by_a_proof_that_is_older_than_its_sources() {
    let mut journal = at_gate();
    add(&mut journal, Step::Prove { round: 1 }, Outcome::Proof(Proof::default()));
    decide(&mut journal, 1, overrule(2, Status::Keep, None));
    assert_eq!(refused(&journal, &Choice::Continue), "possible at r1.gate", "it passes");
    decide(
        &mut journal,
        1,
        Choice::AddSource {
            name: "letter".into(),
            text: "The pond is old.".into(),
            hidden: Vec::new(),
            recorded: None,
        },
    );
    let said = refused(&journal, &Choice::Continue);
    assert!(said.starts_with("the draft was checked before you changed its sources. Give a to-do"), "{said}");
    assert_eq!(refused(&journal, &Choice::Stet { reason: String::new() }), "possible at r1.gate");
    let mut told = journal.clone();
    decide(&mut told, 1, Choice::Feedback { text: "Look at the letter.".into() });
    assert_eq!(refused(&told, &Choice::Continue), "possible at r1.gate", "the next draft is proved by it");
    decide(&mut journal, 1, Choice::Undo { number: 2 });
    assert_eq!(refused(&journal, &Choice::Continue), "possible at r1.gate");
}
