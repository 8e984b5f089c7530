use super::*;
use crate::editorial::{
    decisions::{self, is_by_hand, max_rounds, outcome, waits},
    next_steps::next_steps,
    testing::{add, article, opening, verdict},
};
use copydesk_newsroom::{
    ArticleReviewRaw, ArticleReviewResult, Choice, ConcernMappingResult, ConcernType, Confidence, Decision, Draft,
    GateOutcome, Gates, Opening, Outcome, Review, RunSettings, Specialist, Status, Step, Wait,
};

const BODY: &str = "The council voted. Work begins in April. Lighting costs a fifth.";

/// At the gate of its only round: three concerns on three sentences, and one on none; the first is a KEEP.
fn at_gate() -> Journal {
    let mut journal = Journal::new(Opening {
        gates: Gates::Editor,
        settings: RunSettings { max_rounds: 1, ..opening().settings },
        ..opening()
    });
    add(&mut journal, Step::Draft, Outcome::Draft(Draft { article: article(BODY), stripped: vec![], undone: vec![] }));
    let concern = |concern_id: u32, excerpt: &str| Concern {
        concern_id,
        excerpt: excerpt.into(),
        review_note: format!("“{excerpt}” why {concern_id}?"),
    };
    let concerns =
        vec![concern(1, "The council voted"), concern(2, "in April"), concern(3, "a fifth"), concern(4, "not in it")];
    let raw = concerns.iter().map(|one| format!("- {}", one.review_note)).collect::<Vec<_>>().join("\n");
    let raw = ArticleReviewRaw { markdown_bullets: raw };
    add(&mut journal, Step::Review { round: 1 }, Outcome::Review(Review::new(raw, vec![])));
    add(&mut journal, Step::Parse { round: 1 }, Outcome::Concerns(ArticleReviewResult { concerns }));
    let mapping = |concern_id| ConcernMapping {
        concern_id,
        concern_type: ConcernType::UnsupportedFact,
        selected_agent: Specialist::Opinion,
        confidence: Confidence::High,
        reason: "r".into(),
    };
    let mappings = (1..=4).map(mapping).collect();
    add(&mut journal, Step::Map { round: 1 }, Outcome::Mapping(ConcernMappingResult { mappings }));
    for (concern, status) in [(1, Status::Keep), (2, Status::Rewrite), (3, Status::Rewrite), (4, Status::Rewrite)] {
        let outcome = Outcome::Verdict(verdict(concern, status, (status != Status::Keep).then_some("fix it")));
        add(&mut journal, Step::Judge { round: 1, concern }, outcome);
    }
    journal
}

fn decide(journal: &mut Journal, round: u32, choice: Choice) {
    crate::editorial::choices::check(journal, &choice).unwrap();
    let number = u32::try_from(journal.decisions(round).len()).unwrap() + 1;
    add(journal, Step::Decide { round, number }, Outcome::Decision(Decision { by: "Ann".into(), choice }));
}

fn edit(journal: &mut Journal, round: u32, body: &str) {
    decide(journal, round, Choice::Edit { article: article(body) });
}

/// Does the steps of a round that need no editor, as the agents do them.
fn reviewed(journal: &mut Journal, round: u32) {
    let text = decisions::edit(journal, round - 1).unwrap().clone();
    assert_eq!(next_steps(journal), [Step::Revise { round: round - 1 }]);
    let draft = Draft { article: text, stripped: vec![], undone: vec![] };
    add(journal, Step::Revise { round: round - 1 }, Outcome::Draft(draft));
    let raw = ArticleReviewRaw { markdown_bullets: bullets(journal, round) };
    let concerns = crate::editorial::bullets::parse(&raw).unwrap();
    let count = concerns.concerns.len();
    add(journal, Step::Review { round }, Outcome::Review(Review::new(raw, vec![])));
    add(journal, Step::Parse { round }, Outcome::Concerns(concerns));
    if count > 0 {
        let mappings = (1..).take(count).map(|concern| mapping(journal, round, concern).unwrap()).collect();
        let mapped = ConcernMappingResult { mappings };
        add(journal, Step::Map { round }, Outcome::Mapping(mapped));
    }
    for concern in (1..).take(count) {
        assert!(next_steps(journal).contains(&Step::Judge { round, concern }), "nothing is looked up or asked");
        let verdict = verdict_of(journal, round, concern);
        add(journal, Step::Judge { round, concern }, Outcome::Verdict(verdict));
    }
}

fn verdict_of(journal: &Journal, round: u32, concern: u32) -> Verdict {
    super::verdict(journal, round, concern).unwrap()
}

fn gate(journal: &mut Journal, round: u32) -> GateOutcome {
    assert_eq!(next_steps(journal), [Step::Gate { round }]);
    let outcome = outcome(journal, round);
    add(journal, Step::Gate { round }, Outcome::Gate(outcome));
    outcome
}

#[test]
fn what_stands_as_it_was_stays_open_and_what_was_changed_is_closed() {
    let mut journal = at_gate();
    edit(&mut journal, 1, "Nobody voted.");
    edit(&mut journal, 1, &BODY.replace("in April", "in May"));
    decide(&mut journal, 1, Choice::Continue);
    assert_eq!(gate(&mut journal, 1), GateOutcome::Edited);
    assert!(is_by_hand(&journal, 2) && !is_by_hand(&journal, 1));
    assert_eq!(max_rounds(&journal), 2, "an edit costs no round");
    reviewed(&mut journal, 2);
    let open: Vec<(String, Status)> = journal
        .concerns(2)
        .unwrap()
        .concerns
        .iter()
        .zip(journal.verdicts(2))
        .map(|(concern, verdict)| (concern.excerpt.clone(), verdict.status))
        .collect();
    let stays = |excerpt: &str, status| (excerpt.to_owned(), status);
    assert_eq!(
        open,
        [
            stays("The council voted", Status::Keep),
            stays("a fifth", Status::Rewrite),
            stays("not in it", Status::Rewrite)
        ]
    );
    assert_eq!(waits(&journal), Some(Wait::Gate { round: 2 }));
    decide(&mut journal, 2, Choice::AnotherRound);
    decide(&mut journal, 2, Choice::Continue);
    assert_eq!(gate(&mut journal, 2), GateOutcome::Revise);
}

#[test]
fn an_edited_draft_waits_at_its_gate_with_the_to_dos_that_were_given_beside_the_edit() {
    let mut journal = at_gate();
    decide(&mut journal, 1, Choice::AnotherRound);
    decide(&mut journal, 1, Choice::Feedback { text: "Shorten it.".into() });
    edit(&mut journal, 1, &BODY.replace("in April", "in May"));
    decide(&mut journal, 1, Choice::Continue);
    assert_eq!(gate(&mut journal, 1), GateOutcome::Edited);
    reviewed(&mut journal, 2);
    assert_eq!((waits(&journal), next_steps(&journal)), (Some(Wait::Gate { round: 2 }), vec![]));
    // A second edit waits at a gate of its own, and nothing is forgotten.
    edit(&mut journal, 2, &BODY.replace("in April", "in June"));
    decide(&mut journal, 2, Choice::Continue);
    assert_eq!(gate(&mut journal, 2), GateOutcome::Edited);
    reviewed(&mut journal, 3);
    assert_eq!(waits(&journal), Some(Wait::Gate { round: 3 }));
    decide(&mut journal, 3, Choice::Continue);
    assert_eq!(gate(&mut journal, 3), GateOutcome::Revise);
    assert_eq!(decisions::feedback(&journal, 3, Vec::new()).todo_list, ["fix it", "fix it", "Shorten it."]);
}

#[test]
fn what_was_accepted_beside_an_edit_stays_accepted_at_the_gate_of_the_edited_draft() {
    let mut journal = at_gate();
    decide(&mut journal, 1, Choice::AnotherRound);
    decide(&mut journal, 1, Choice::Feedback { text: "Shorten it.".into() });
    edit(&mut journal, 1, &BODY.replace("in April", "in May"));
    decide(&mut journal, 1, Choice::Stet { reason: "I know it.".into() });
    assert_eq!(gate(&mut journal, 1), GateOutcome::Edited);
    reviewed(&mut journal, 2);
    assert_eq!(waits(&journal), Some(Wait::Gate { round: 2 }));
    assert!(journal.verdicts(2).iter().all(|verdict| verdict.status == Status::Keep), "they were overruled");
    assert_eq!(decisions::to_dos(&journal, 2), Vec::<String>::new(), "a to-do from before is settled, too");
    decide(&mut journal, 2, Choice::Continue);
    assert_eq!(gate(&mut journal, 2), GateOutcome::Passed);
    assert_eq!(waits(&journal), Some(Wait::SignOff { round: 2 }));
}

#[test]
fn an_edit_at_sign_off_waits_at_the_gate_of_its_draft() {
    let mut journal = at_gate();
    decide(&mut journal, 1, Choice::Stet { reason: "I know it.".into() });
    gate(&mut journal, 1);
    assert_eq!(waits(&journal), Some(Wait::SignOff { round: 1 }));
    edit(&mut journal, 1, &BODY.replace("voted.", "voted,"));
    assert_eq!(waits(&journal), None);
    assert!(!decisions::passed(&journal, 1));
    assert!(decisions::is_rewritten(&journal, 1), "what is changed there, the editor asked for");
    reviewed(&mut journal, 2);
    assert!(journal.verdicts(2).iter().all(|verdict| verdict.status == Status::Keep), "what was accepted stays so");
    assert_eq!(waits(&journal), Some(Wait::Gate { round: 2 }));
    decide(&mut journal, 2, Choice::Continue);
    assert_eq!(gate(&mut journal, 2), GateOutcome::Passed);
    assert_eq!(waits(&journal), Some(Wait::SignOff { round: 2 }));
}

#[test]
fn a_fix_that_is_made_closes_its_concern() {
    let mut journal = at_gate();
    decide(&mut journal, 1, Choice::Applied { concern: 2, article: article(&BODY.replace("in April", "in May")) });
    decide(&mut journal, 1, Choice::Stet { reason: "The rest is right.".into() });
    gate(&mut journal, 1);
    reviewed(&mut journal, 2);
    assert_eq!(waits(&journal), Some(Wait::Gate { round: 2 }));
    assert_eq!(journal.verdicts(1)[1].status, Status::Rewrite, "the verdict stays as it was given");
    assert!(journal.concerns(2).unwrap().concerns.iter().all(|concern| concern.excerpt != "in April"));
}
