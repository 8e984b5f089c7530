//! Whatever an editor decides, in whatever order: no step after a gate is taken without a decision at that gate.

use proptest::prelude::*;

use super::{super::*, decide};
use crate::editorial::{
    bullets, by_hand, choices,
    next_steps::next_steps,
    testing::{add, article, opening, verdict},
};
use copydesk_newsroom::{
    ArticleReviewRaw, Choice, ConcernMapping, ConcernMappingResult, ConcernType, Confidence, Draft, Gates, Journal,
    Opening, Outcome, Proof, Publication, Review, RunSettings, Specialist, Status, Step, Wait,
};

const SENTENCES: [&str; 4] =
    ["The council voted.", "Work begins in April.", "Lighting costs a fifth.", "Nobody spoke."];

/// The draft of a round: one sentence tells it from the others.
fn draft(round: u32) -> Draft {
    let body = format!("{} Draft {round} ends.", SENTENCES.join(" "));
    Draft { article: article(&body), stripped: vec![], undone: vec![] }
}

/// The agents' outcome of a step; `fate` decides the words of reviewers and specialists.
fn outcome_of(journal: &Journal, step: Step, fate: &mut impl Iterator<Item = u8>) -> Outcome {
    match step {
        Step::Draft => Outcome::Draft(draft(1)),
        Step::Revise { round } if is_rewritten(journal, round) => {
            Outcome::Draft(Draft { article: edit(journal, round).unwrap().clone(), stripped: vec![], undone: vec![] })
        }
        Step::Revise { round } => Outcome::Draft(draft(round + 1)),
        Step::Prove { .. } => Outcome::Proof(Proof::default()),
        Step::Review { round } => {
            let own = if is_by_hand(journal, round) {
                by_hand::bullets(journal, round)
            } else {
                let doubted = SENTENCES.iter().filter(|_| fate.next().is_some_and(|fate| fate % 2 == 0));
                doubted.map(|sentence| format!("- “{sentence}” why?")).collect::<Vec<_>>().join("\n")
            };
            Outcome::Review(Review::new(ArticleReviewRaw { markdown_bullets: own }, vec![]))
        }
        Step::Parse { round } => Outcome::Concerns(bullets::parse(&journal.review(round).unwrap().raw).unwrap()),
        Step::Map { round } => {
            let mapping = |concern_id| {
                by_hand::mapping(journal, round, concern_id).unwrap_or_else(|| ConcernMapping {
                    concern_id,
                    concern_type: ConcernType::UnsupportedFact,
                    selected_agent: Specialist::Opinion,
                    confidence: Confidence::High,
                    reason: "r".into(),
                })
            };
            let concerns = &journal.concerns(round).unwrap().concerns;
            let mappings = concerns.iter().map(|concern| mapping(concern.concern_id)).collect();
            Outcome::Mapping(ConcernMappingResult { mappings })
        }
        Step::Judge { round, concern } => {
            let earlier = by_hand::verdict(journal, round, concern).filter(|_| is_by_hand(journal, round));
            Outcome::Verdict(earlier.unwrap_or_else(|| match fate.next().unwrap_or_default() % 3 {
                0 => verdict(concern, Status::Rewrite, Some("mend it")),
                1 => verdict(concern, Status::Remove, None),
                _ => verdict(concern, Status::Keep, None),
            }))
        }
        Step::Gate { round } => Outcome::Gate(outcome(journal, round)),
        Step::Prepare { .. } => Outcome::Prepared(vec![]),
        Step::Feedback { round } => Outcome::Feedback(feedback(journal, round, Vec::new())),
        Step::Publish => Outcome::Publication(Publication { generated_at: "t".into(), success: true, flags: vec![] }),
        other => panic!("nobody is asked for {other}"),
    }
}

/// A choice that an editor may try at any time, even if it is not possible.
fn choice(pick: u8, number: u8, journal: &Journal) -> Choice {
    let concern = u32::from(number % 4) + 1;
    let round = journal.rounds().max(1);
    let without = |sentence: &str| {
        let text = journal.draft(round).map_or("", |draft| &draft.article.articleBody);
        article(text.replace(sentence, "").trim())
    };
    match pick % 12 {
        0 => Choice::Override { concern, status: Status::Keep, fix: None, reason: "I know it.".into() },
        1 => Choice::Override { concern, status: Status::Rewrite, fix: Some("Say it.".into()), reason: "No.".into() },
        2 => Choice::Feedback { text: "Name the mayor.".into() },
        3 => Choice::Edit { article: without(SENTENCES[usize::from(number % 4)]) },
        4 => Choice::Applied { concern, article: without(SENTENCES[usize::from(number % 4)]) },
        5 => Choice::AnotherRound,
        6 => Choice::Undo { number: u32::try_from(journal.decisions(round).len()).unwrap() },
        7 => Choice::Stet { reason: "It may stand.".into() },
        8 if number.is_multiple_of(8) => Choice::Spike { reason: "No story.".into() },
        9 => Choice::SignOff { chain: String::new(), as_notes: false },
        10 => Choice::SendBack { text: "Name the mayor.".into() },
        _ => Choice::Continue,
    }
}

/// Takes every step that is ready. At most one gate may be left: that of the last decision, if it leaves a gate.
fn goes_on(journal: &mut Journal, fate: &mut impl Iterator<Item = u8>) -> Result<(), TestCaseError> {
    let mut may_leave = journal.entries().last().and_then(|entry| match (&entry.step, &entry.outcome) {
        (Step::Decide { round, .. }, Outcome::Decision(decision)) if decision.choice.leaves() => Some(*round),
        _ => None,
    });
    let mut at_sign_off = false;
    while let Some(step) = next_steps(journal).first().copied() {
        prop_assert_eq!(waits(journal), None, "a run that waits has nothing to do but {}", step);
        prop_assert!(!at_sign_off || matches!(step, Step::Prepare { .. }), "{step} is taken, and nobody signed");
        if let Step::Gate { round } = step {
            prop_assert_eq!(may_leave.take(), Some(round), "a gate is left, and nobody decided there");
        }
        let outcome = outcome_of(journal, step, fate);
        at_sign_off |= matches!(
            outcome,
            Outcome::Gate(copydesk_newsroom::GateOutcome::Passed | copydesk_newsroom::GateOutcome::Stet)
        );
        add(journal, step, outcome);
    }
    prop_assert!(journal.publication().is_some() || waits(journal).is_some(), "the run is stuck");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_gate_is_left_without_a_decision_of_its_editor_there(
        (prepares, proves) in any::<(bool, bool)>(),
        max_rounds in 1..4_u32,
        decisions in prop::collection::vec(any::<(u8, u8)>(), 1..40),
        fate in prop::collection::vec(any::<u8>(), 1..60),
    ) {
        let mut fate = fate.into_iter().cycle();
        let opening = Opening { gates: Gates::Editor, settings: RunSettings { prepares, proves, max_rounds, ..opening().settings }, ..opening() };
        let mut journal = Journal::new(opening);
        goes_on(&mut journal, &mut fate)?;
        prop_assert_eq!(waits(&journal), Some(Wait::Gate { round: 1 }));
        for (pick, number) in decisions {
            let choice = choice(pick, number, &journal);
            let Ok(wait) = choices::check(&journal, &choice) else { continue };
            let before = next_steps(&journal);
            prop_assert!(before.is_empty(), "{before:?} are ready while the run waits at {wait}");
            decide(&mut journal, wait.round(), choice);
            goes_on(&mut journal, &mut fate)?;
        }
    }
}
