use super::*;
use crate::editorial::{
    artifacts,
    choices::{Refused, check},
    decisions::{accepting, effective_verdicts, waits},
    flags,
    testing::{add, add_round, article, verdict},
    testing::{at_gate, decide, go_on, overrule},
};
use copydesk_newsroom::{
    ArticleReviewRaw, ConcernType, Draft, Flag, GateOutcome, KeptLedger, LastBullet, LedgerRow, Outcome, Proof,
    Publication, Review, SpanKind, Specialist, Standing, Step,
};

fn quotation(text: &str) -> Finding {
    Finding {
        concern_type: ConcernType::UnsupportedFact,
        rule: "quotation.not_found".into(),
        field: "articleBody".into(),
        start: 0,
        end: text.len(),
        text: text.into(),
        blocks: true,
        note: "These words stand in no source.".into(),
        passage: None,
        replacement: Some(String::new()),
    }
}

fn reviewed(journal: &mut Journal, round: u32, findings: Vec<Finding>) {
    let raw = ArticleReviewRaw { markdown_bullets: "- x\n- x".into() };
    add(journal, Step::Review { round }, Outcome::Review(Review::new(raw, findings)));
}

/// At the gate of round 1; the second of two concerns is the proof's, and its verdict is REWRITE.
fn with_a_quotation() -> Journal {
    let mut journal = at_gate();
    reviewed(&mut journal, 1, vec![quotation("x")]);
    journal
}

/// The same, but every verdict is KEEP.
fn kept() -> Journal {
    let mut journal = Journal::new(at_gate().opening);
    add_round(&mut journal, 1, &[Specialist::Opinion; 2]);
    reviewed(&mut journal, 1, vec![quotation("x")]);
    for concern in [1, 2] {
        let outcome = Outcome::Verdict(verdict(concern, Status::Keep, None));
        add(&mut journal, Step::Judge { round: 1, concern }, outcome);
    }
    journal
}

fn accept(finding: u32) -> Choice {
    Choice::Accept { finding, reason: "I hold the tape.".into() }
}

fn open(journal: &Journal, round: u32) -> Vec<u32> {
    unsettled(journal, round).map(|(number, _)| number).collect()
}

#[test]
fn the_proofs_bullets_come_last() {
    let journal = with_a_quotation();
    assert_eq!(behind(&journal, 1, 1), None, "the reviewer's own");
    assert_eq!(behind(&journal, 1, 2), Some((1, &quotation("x"))));
    assert_eq!(
        (concern_of(&journal, 1, 1), concern_of(&journal, 1, 2), concern_of(&journal, 1, 0)),
        (Some(2), None, None)
    );
    assert_eq!((finding(&journal, 1, 2), finding(&journal, 2, 1)), (None, None));
}

/// At the gate of round 1: the first concern is a quotation with its double, the second a group with two others.
fn with_a_group() -> Journal {
    let mut journal = at_gate();
    let raw = ArticleReviewRaw { markdown_bullets: "- x\n- x".into() };
    let findings = ["w", "x", "y", "z"].map(quotation).to_vec();
    let last_bullets = vec![LastBullet::Findings(vec![3, 1]), LastBullet::Group(vec![2, 4])];
    let review = Review { last_bullets, ..Review::new(raw, findings) };
    add(&mut journal, Step::Review { round: 1 }, Outcome::Review(review));
    journal
}

#[test]
fn a_concern_of_several_findings_is_found_from_each_of_them() {
    let journal = with_a_group();
    assert_eq!(behind(&journal, 1, 1), Some((3, &quotation("y"))), "the strongest");
    assert_eq!((behind(&journal, 1, 2), group(&journal, 1, 1), group(&journal, 1, 3)), (None, None, None));
    assert_eq!(group(&journal, 1, 2), Some(vec![(2, &quotation("x")), (4, &quotation("z"))]));
    let concerns = [1, 2, 3, 4, 5, 0].map(|number| concern_of(&journal, 1, number));
    assert_eq!(concerns, [Some(1), Some(2), Some(1), Some(2), None, None]);
}

#[test]
fn a_group_stands_once_a_human_lets_each_of_its_findings_stand() {
    let mut journal = with_a_group();
    let wait = waits(&journal).unwrap();
    let status = |journal: &Journal| effective_verdicts(journal, 1)[1].status;
    assert_eq!(accepting(&journal, wait, 2, "I hold the tape.".into()), accept(2), "nothing is said of the other");
    assert_eq!(check(&journal, &accept(2)), Ok(wait));
    decide(&mut journal, 1, accept(2));
    assert_eq!((status(&journal), open(&journal, 1)), (Status::Rewrite, vec![1, 3, 4]));
    decide(&mut journal, 1, accept(4));
    assert_eq!((status(&journal), open(&journal, 1)), (Status::Keep, vec![1, 3]));
    decide(&mut journal, 1, overrule(2, Status::Rewrite, None));
    assert_eq!(status(&journal), Status::Rewrite, "the last word counts");

    let mut journal = with_a_group();
    decide(&mut journal, 1, overrule(2, Status::Keep, None));
    assert_eq!((status(&journal), open(&journal, 1)), (Status::Keep, vec![1, 3]), "overruled like any other");
    decide(&mut journal, 1, overrule(1, Status::Keep, None));
    assert_eq!(open(&journal, 1), [0; 0], "doubles are one concern");
}

#[test]
fn what_an_editor_lets_stand_of_a_group_stands_in_the_next_round() {
    let mut journal = with_a_group();
    journal.opening.settings.max_rounds = 3;
    decide(&mut journal, 1, accept(2));
    let again = |journal: &Journal| {
        let mut journal = journal.clone();
        let draft = journal.draft(1).unwrap().clone();
        add(&mut journal, Step::Revise { round: 1 }, Outcome::Draft(draft));
        let review = journal.review(1).unwrap().clone();
        let concerns = journal.concerns(1).unwrap().clone();
        add(&mut journal, Step::Review { round: 2 }, Outcome::Review(review));
        add(&mut journal, Step::Parse { round: 2 }, Outcome::Concerns(concerns));
        settled_before(&journal, 2, 2).map(|decided| (decided.round, decided.number))
    };
    assert_eq!(again(&journal), None, "one of two");
    decide(&mut journal, 1, accept(4));
    assert_eq!(again(&journal), Some((1, 2)), "both");
}

#[test]
fn an_open_verdict_is_overruled_and_a_keep_is_vouched_for() {
    let journal = with_a_quotation();
    let reason = || "I hold the tape.".to_owned();
    let wait = waits(&journal).unwrap();
    let keep = Choice::Override { concern: 2, status: Status::Keep, fix: None, reason: reason() };
    assert_eq!(accepting(&journal, wait, 1, reason()), keep);
    assert_eq!(check(&journal, &accept(1)), Err(Refused::Open { finding: 1, concern: 2 }));
    assert_eq!(check(&journal, &accept(7)), Err(Refused::NoFinding { round: 1, finding: 7 }));
    // The agent says KEEP: nothing is open, but no editor vouches for it.
    let journal = kept();
    assert_eq!(accepting(&journal, wait, 1, reason()), accept(1));
    let silent = Choice::Accept { finding: 1, reason: " ".into() };
    assert_eq!(check(&journal, &silent), Err(Refused::Text("say why the finding may stand")));
    assert_eq!(check(&journal, &accept(1)), Ok(wait));
}

#[test]
fn nobody_signs_over_words_that_no_source_carries_also_where_every_verdict_is_keep() {
    let mut journal = kept();
    decide(&mut journal, 1, Choice::Continue);
    go_on(&mut journal);
    let sign = Choice::SignOff { chain: String::new(), as_notes: false };
    let refused = Refused::Unsettled { findings: vec![(1, "x".into())] };
    assert_eq!(check(&journal, &sign), Err(refused.clone()));
    assert_eq!(
        refused.to_string(),
        "a quotation stands in no source as it is, and nobody vouches for it: accept finding 1 (“x”) with a reason, or send the \
         story back"
    );
    decide(&mut journal, 1, accept(1));
    assert_eq!(accepted(&journal, 1, 1).map(|decided| reason(decided.decision)), Some("I hold the tape."));
    assert_eq!(check(&journal, &sign).map(|wait| wait.to_string()), Ok("r1.sign-off".into()));
    // It can be taken back as long as nothing is signed; a decision of the gate cannot.
    assert!(check(&journal, &Choice::Undo { number: 2 }).is_ok());
    assert!(check(&journal, &Choice::Undo { number: 1 }).is_err());
    decide(&mut journal, 1, Choice::Undo { number: 2 });
    assert_eq!(check(&journal, &sign), Err(refused));
    decide(&mut journal, 1, accept(1));
    decide(&mut journal, 1, sign);
    go_on(&mut journal);
    assert_eq!(journal.publication().map(|publication| publication.flags.clone()), Some(vec![]));
}

#[test]
fn an_overruled_verdict_and_a_stet_over_an_open_one_are_a_humans_word_too() {
    for choice in [overrule(2, Status::Keep, None), Choice::Stet { reason: "I hold the tape.".into() }] {
        let mut journal = with_a_quotation();
        assert_eq!(open(&journal, 1), [1]);
        decide(&mut journal, 1, choice);
        assert_eq!(open(&journal, 1), [0; 0]);
    }
    // A stet says nothing of what a KEEP had settled.
    let mut journal = kept();
    decide(&mut journal, 1, Choice::Stet { reason: "Good enough.".into() });
    assert_eq!(open(&journal, 1), [1]);
}

#[test]
fn the_same_sentence_needs_no_second_word_in_a_later_round_and_others_do() {
    let mut journal = with_a_quotation();
    decide(&mut journal, 1, overrule(2, Status::Keep, None));
    kept_in_round_two(&mut journal, SENTENCE);
    reviewed(&mut journal, 2, vec![quotation("x"), quotation("an x")]);
    assert_eq!(open(&journal, 2), [2]);
    assert_eq!(accepted(&journal, 2, 1).map(|decided| (decided.round, decided.number)), Some((1, 1)));
}

#[test]
fn what_an_earlier_round_let_stand_is_settled_before_anybody_is_asked() {
    let mut journal = with_a_quotation();
    decide(&mut journal, 1, overrule(2, Status::Keep, None));
    assert_eq!(accepted_before(&journal, 1, 1), None, "of its own round nothing is known before");
    kept_in_round_two(&mut journal, SENTENCE);
    let settled = |journal: &Journal, concern| settled_before(journal, 2, concern).map(|decided| decided.round);
    assert_eq!((settled(&journal, 1), settled(&journal, 2)), (None, Some(1)));
    // A later decision does not change what was settled before it.
    decide(&mut journal, 2, overrule(2, Status::Remove, None));
    assert_eq!((settled(&journal, 2), open(&journal, 2)), (Some(1), vec![1]));
    decide(&mut journal, 1, overrule(2, Status::Remove, None));
    assert_eq!(settled(&journal, 2), None);
}

#[test]
fn what_is_let_stand_in_one_field_is_not_rewritten_from_another() {
    let mut journal = Journal::new(at_gate().opening);
    add_round(&mut journal, 1, &[Specialist::Opinion; 2]);
    // The same words in the same sentence, as a summary repeats its text.
    reviewed(&mut journal, 1, vec![quotation("x"), quotation("x")]);
    for concern in [1, 2] {
        let outcome = Outcome::Verdict(verdict(concern, Status::Rewrite, Some("Delete “x”.")));
        add(&mut journal, Step::Judge { round: 1, concern }, outcome);
    }
    let statuses = |journal: &Journal| effective_verdicts(journal, 1).iter().map(|verdict| verdict.status).collect();
    let both: Vec<Status> = statuses(&journal);
    assert_eq!(both, [Status::Rewrite, Status::Rewrite]);
    decide(&mut journal, 1, overrule(2, Status::Keep, None));
    let both: Vec<Status> = statuses(&journal);
    assert_eq!((both, open(&journal, 1)), (vec![Status::Keep, Status::Keep], vec![]));
    assert_eq!(settled_beside(&journal, 1, 1).map(|decided| decided.number), Some(1));
    assert_eq!(settled_beside(&journal, 1, 2), None, "it was decided about itself");
    // Whoever wants it gone says so of any of the two.
    decide(&mut journal, 1, overrule(1, Status::Remove, None));
    let both: Vec<Status> = statuses(&journal);
    assert_eq!((both, open(&journal, 1)), (vec![Status::Remove, Status::Keep], vec![1, 2]));
}

#[test]
fn nobody_looks_up_or_searches_for_what_was_let_stand() {
    let mut journal = with_a_quotation();
    decide(&mut journal, 1, overrule(2, Status::Keep, None));
    decide(&mut journal, 1, Choice::AnotherRound);
    add(&mut journal, Step::Gate { round: 1 }, Outcome::Gate(GateOutcome::Revise));
    let feedback = crate::editorial::gate::compile(1, &[]);
    add(&mut journal, Step::Feedback { round: 1 }, Outcome::Feedback(feedback));
    add_round(&mut journal, 2, &[Specialist::FactCheck, Specialist::FactCheck]);
    let draft = Draft { article: article(SENTENCE), stripped: vec![], undone: vec![] };
    add(&mut journal, Step::Revise { round: 1 }, Outcome::Draft(draft));
    reviewed(&mut journal, 2, vec![quotation("x")]);
    let steps = crate::editorial::next_steps::next_steps(&journal);
    assert_eq!(steps, [Step::LookUp { round: 2, concern: 1 }, Step::Judge { round: 2, concern: 2 }]);
}

/// A second round whose draft has the same sentence, and whose model keeps everything.
fn kept_in_round_two(journal: &mut Journal, body: &str) {
    add_round(journal, 2, &[Specialist::Opinion; 2]);
    let draft = Draft { article: article(body), stripped: vec![], undone: vec![] };
    add(journal, Step::Revise { round: 1 }, Outcome::Draft(draft));
    reviewed(journal, 2, vec![quotation("x")]);
    for concern in [1, 2] {
        add(journal, Step::Judge { round: 2, concern }, Outcome::Verdict(verdict(concern, Status::Keep, None)));
    }
}

const SENTENCE: &str = "Draft 1 with an x.";

#[test]
fn a_stet_that_was_sent_back_vouches_for_nothing() {
    let mut journal = with_a_quotation();
    decide(&mut journal, 1, Choice::Stet { reason: "I hold the tape.".into() });
    go_on(&mut journal);
    kept_in_round_two(&mut journal, SENTENCE);
    assert_eq!(open(&journal, 2), [0; 0]);
    decide(&mut journal, 1, Choice::SendBack { text: "The quotation must go.".into() });
    assert_eq!(open(&journal, 2), [1]);
}

#[test]
fn the_last_word_counts() {
    // In one round.
    let mut journal = with_a_quotation();
    decide(&mut journal, 1, overrule(2, Status::Keep, None));
    decide(&mut journal, 1, overrule(2, Status::Remove, None));
    assert_eq!(open(&journal, 1), [1]);
    // Over two.
    let mut journal = with_a_quotation();
    decide(&mut journal, 1, overrule(2, Status::Keep, None));
    kept_in_round_two(&mut journal, SENTENCE);
    assert_eq!(open(&journal, 2), [0; 0]);
    decide(&mut journal, 2, overrule(2, Status::Rewrite, None));
    assert_eq!(open(&journal, 2), [1]);
    decide(&mut journal, 2, accept(1));
    assert_eq!(open(&journal, 2), [0; 0]);
}

#[test]
fn the_same_words_in_another_mouth_need_a_word_of_their_own() {
    let mut journal = with_a_quotation();
    decide(&mut journal, 1, overrule(2, Status::Keep, None));
    kept_in_round_two(&mut journal, "Draft 1 with a Pruitt x.");
    assert_eq!(open(&journal, 2), [1]);
}

#[test]
fn a_draft_that_an_earlier_version_reviewed_is_said_not_to_be_proved() {
    let mut journal = kept();
    assert!(!unproved(&journal, 1), "its run proves nothing");
    journal.opening.settings.proves = true;
    assert!(unproved(&journal, 1));
    add(&mut journal, Step::Prove { round: 1 }, Outcome::Proof(Proof::default()));
    assert!(!unproved(&journal, 1));
}

#[test]
fn a_run_without_an_editor_is_flagged_and_succeeds_all_the_same() {
    let mut journal = kept();
    journal.opening.gates = copydesk_newsroom::Gates::Auto;
    go_on(&mut journal);
    let flags = vec![Flag::QuotationUnproved];
    let publication = Publication { generated_at: "t".into(), success: true, flags: flags.clone() };
    assert_eq!((journal.publication(), flags::raised(&journal, |_, _| vec![])), (Some(&publication), flags));
    journal.opening.settings.flags.left_out.insert(Flag::QuotationUnproved);
    assert_eq!(flags::raised(&journal, |_, _| vec![]), [], "where the rules leave it out");
}

#[test]
fn who_gives_a_story_up_signs_nothing() {
    let mut journal = with_a_quotation();
    decide(&mut journal, 1, Choice::Spike { reason: "No.".into() });
    go_on(&mut journal);
    assert_eq!(flags::raised(&journal, |_, _| vec![]), []);
    assert_eq!(reason(&Decision { by: "Ada".into(), choice: Choice::Continue }), "");
}

#[test]
fn the_record_has_the_finding_beside_the_decision() {
    let mut journal = kept();
    decide(&mut journal, 1, accept(1));
    decide(&mut journal, 1, Choice::Continue);
    go_on(&mut journal);
    let entry = journal.entries().iter().find(|entry| entry.step == Step::Gate { round: 1 }).unwrap().clone();
    let files = artifacts::of_entry(&journal, &entry).unwrap();
    let file = files.iter().find(|file| file.name == "iter1_decisions.json").unwrap();
    let rows: serde_json::Value = serde_json::from_slice(&file.bytes).unwrap();
    assert_eq!(rows[0]["decision"]["accept"], serde_json::json!({ "finding": 1, "reason": "I hold the tape." }));
    assert_eq!(rows[0]["accepted_finding"], serde_json::json!(quotation("x")));
}

#[test]
fn a_row_is_a_finding_only_if_ledger_and_review_are_the_proofs() {
    let mut journal = with_a_quotation();
    let ledger = Ledger::default();
    let rows_of = |journal: &Journal| rows(journal, 1, &ledger).map(<[_]>::to_vec);
    assert_eq!(rows_of(&journal), None, "its draft has no proof");
    let kept = KeptLedger { ledger: ledger.clone(), findings: vec![Some(7)], ..KeptLedger::default() };
    let proof = |findings, kept| Outcome::Proof(Proof { findings, kept });
    let step = Step::Prove { round: 1 };
    add(&mut journal, step, proof(vec![quotation("x")], None));
    assert_eq!(rows_of(&journal), None, "no ledger was kept");
    add(&mut journal, step, proof(vec![quotation("x")], Some(kept.clone())));
    assert_eq!(rows_of(&journal), Some(vec![Some(7)]));
    reviewed(&mut journal, 1, vec![quotation("x"), quotation("y")]);
    assert_eq!(rows_of(&journal), None, "the review has findings of its own");
    reviewed(&mut journal, 1, vec![quotation("x")]);
    let other = KeptLedger { ledger: Ledger { rows: vec![row()] }, ..kept };
    add(&mut journal, step, proof(vec![quotation("x")], Some(other)));
    assert_eq!(rows_of(&journal), None, "the page shows another ledger");
}

fn row() -> LedgerRow {
    LedgerRow {
        kind: SpanKind::Quotation,
        standing: Standing::NotFound,
        rule: "quotation.not_found".into(),
        field: "articleBody".into(),
        start: 0,
        end: 1,
        text: "x".into(),
        concern_type: None,
        blocks: false,
        note: None,
        passage: None,
        replacement: None,
    }
}

#[test]
fn what_a_specialist_set_aside_is_the_editors_to_settle() {
    let numbers = |journal: &Journal| -> Vec<u32> { set_aside(journal, 1).map(|(number, _)| number).collect() };
    assert_eq!(numbers(&with_a_quotation()), Vec::<u32>::new(), "an open verdict hides nothing");
    let mut journal = kept();
    assert_eq!(numbers(&journal), [1]);
    decide(&mut journal, 1, accept(1));
    assert_eq!(numbers(&journal), Vec::<u32>::new());
    let mut journal = kept();
    decide(&mut journal, 1, overrule(2, Status::Keep, None));
    assert_eq!(numbers(&journal), Vec::<u32>::new());
    let mut journal = kept();
    decide(&mut journal, 1, Choice::Edit { article: article("Another draft.") });
    assert_eq!(numbers(&journal), Vec::<u32>::new(), "its words are gone");
}
