//! Small stories for the tests of the crates above: at a gate, with decisions, with research.

#![allow(
    clippy::missing_panics_doc,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "for tests, which stop at the unexpected"
)]

pub mod research;
pub mod research_report;

use super::{
    decisions::{feedback, outcome},
    flags,
    next_steps::next_steps,
    report,
};
pub use copydesk_newsroom::testing::{add, add_round, article, opening, verdict};
use copydesk_newsroom::{
    Choice, Claim, Decision, Gates, Journal, LookUp, MemoryRecord, Opening, Outcome, Passage, Publication,
    SimilarityMeasure, Specialist, Stance, Status, Step, Tier, Witness,
};

/// A claim that no passage was found for.
pub fn claim(text: &str, verified: bool) -> Claim {
    Claim {
        start: 0,
        end: text.len(),
        text: text.into(),
        passage: None,
        similarity: None,
        measure: SimilarityMeasure::Words,
        findings: vec![],
        witnesses: vec![],
        resolved: None,
        distrusted: vec![],
        weak_pages: vec![],
        verified,
    }
}

/// A claim that a source contradicts.
pub fn contradicted(text: &str) -> Claim {
    let passage =
        Passage { file: "minutes".into(), text: "It has six stalls.".into(), tier: Tier::Source, ..Passage::default() };
    let witness = Witness { passage, stance: Stance::Contradicts, note: None };
    Claim { witnesses: vec![witness], ..claim(text, false) }
}

pub fn decide(journal: &mut Journal, round: u32, choice: Choice) {
    let number = u32::try_from(journal.decisions(round).len()).unwrap() + 1;
    let decision = Decision { by: "Ada".into(), choice };
    add(journal, Step::Decide { round, number }, Outcome::Decision(decision));
}

/// A run of an editor at the gate of round 1: the first of two concerns is KEEP, the second REWRITE.
pub fn at_gate() -> Journal {
    let mut journal = Journal::new(Opening { gates: Gates::Editor, ..opening() });
    add_round(&mut journal, 1, &[Specialist::Opinion; 2]);
    for (concern, status) in [(1, Status::Keep), (2, Status::Rewrite)] {
        let fix = (status != Status::Keep).then_some("the agent's fix");
        add(&mut journal, Step::Judge { round: 1, concern }, Outcome::Verdict(verdict(concern, status, fix)));
    }
    journal
}

/// Does the local steps that are ready, as the desk does.
pub fn go_on(journal: &mut Journal) -> Vec<Step> {
    loop {
        let steps = next_steps(journal);
        let outcome = match steps.first() {
            Some(Step::Gate { round }) => Outcome::Gate(outcome(journal, *round)),
            Some(Step::Feedback { round }) => Outcome::Feedback(feedback(journal, *round, Vec::new())),
            Some(Step::Publish) => Outcome::Publication(Publication {
                generated_at: "t".into(),
                success: report::succeeded(journal),
                flags: flags::raised(journal, |_, _| vec![]),
            }),
            _ => return steps,
        };
        add(journal, steps[0], outcome);
    }
}

pub fn overrule(concern: u32, status: Status, fix: Option<&str>) -> Choice {
    Choice::Override { concern, status, fix: fix.map(str::to_owned), reason: format!("I know about {concern}") }
}

pub fn look_up(remembered: Option<MemoryRecord>) -> Outcome {
    Outcome::LookUp(LookUp {
        query: "q".into(),
        normalized_query: "q".into(),
        model_name: "m".into(),
        kb_index_version: None,
        cache_key_hash: "0".repeat(16),
        remembered,
        passages: vec![],
        ..LookUp::default()
    })
}
