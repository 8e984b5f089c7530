//! The effects of the decisions: the verdicts that count, the to-dos that go back to the writer, the place where the run waits.

use super::{
    effective::effective_verdicts,
    record::{applied, at_sign_off, edit, left, max_rounds, overruled, to_dos},
};
use crate::editorial::{
    consent,
    gate::{self, compile},
    next_steps, research,
    vouching::{self, concern_of},
};
use copydesk_newsroom::{Choice, GateOutcome, Gates, Journal, Status, Wait, WriterFeedback};

/// The concerns whose effective verdict differs from the specialist's. A verdict whose fix the editor made in the text was carried out, even
/// if the draft was then accepted as it stood.
pub fn overruled_concerns(journal: &Journal, round: u32) -> Vec<u32> {
    let (effective, fixed) = (effective_verdicts(journal, round), applied(journal, round));
    let is_carried_out = |concern: u32| fixed.contains(&concern) && overruled(journal, round, concern).is_none();
    let agents = journal.verdicts(round);
    let differing = agents.iter().filter(|verdict| !effective.contains(verdict)).map(|verdict| verdict.concern_id);
    differing.filter(|concern| !is_carried_out(*concern)).collect()
}

/// Where the run waits for its editor: nothing else can be done then.
pub fn waits(journal: &Journal) -> Option<Wait> {
    if journal.opening.gates == Gates::Auto || journal.publication().is_some() || journal.failure().is_some() {
        return None;
    }
    if let Some(call) = consent::waiting(journal) {
        return Some(call);
    }
    if research::plan_waits(journal) {
        return Some(Wait::Plan);
    }
    let round = journal.rounds();
    match journal.gate(round) {
        None => {
            (next_steps::is_judged(journal, round) && left(journal, round).is_none()).then_some(Wait::Gate { round })
        }
        Some(GateOutcome::Passed | GateOutcome::Stet) => {
            let is_open = at_sign_off(journal, round).is_none() && next_steps::is_prepared(journal, round);
            is_open.then_some(Wait::SignOff { round })
        }
        Some(_) => None,
    }
}

/// The outcome of a round's gate, once an editor has left it.
pub fn outcome(journal: &Journal, round: u32) -> GateOutcome {
    match left(journal, round).map(|decided| &decided.decision.choice) {
        Some(Choice::Spike { .. }) => GateOutcome::Spiked,
        Some(Choice::Stet { .. }) if edit(journal, round).is_none() => GateOutcome::Stet,
        _ if edit(journal, round).is_some() => GateOutcome::Edited,
        _ => match gate::decide(round, max_rounds(journal), &effective_verdicts(journal, round)) {
            GateOutcome::Passed if !to_dos(journal, round).is_empty() || research::is_asked(journal, round) => {
                GateOutcome::Revise
            }
            outcome => outcome,
        },
    }
}

/// The feedback that closes a round: the effective verdicts', then the editor's to-dos, then what research found, then those of
/// `house_style`. All but the first leave the rating alone.
pub fn feedback(journal: &Journal, round: u32, house_style: Vec<String>) -> WriterFeedback {
    let mut feedback = compile(round, &effective_verdicts(journal, round));
    let more = to_dos(journal, round).into_iter().chain(research::to_dos(journal, round)).chain(house_style);
    feedback.todo_list.extend(more);
    if !feedback.todo_list.is_empty() {
        feedback.reasoning = gate::numbered(&feedback.todo_list);
    }
    feedback
}

/// The to-dos of house style among those that went back to the writer after a round: they are behind all others.
pub fn house_style_to_dos(journal: &Journal, round: u32) -> &[String] {
    let others = feedback(journal, round, Vec::new()).todo_list.len();
    journal.feedback(round).and_then(|sent| sent.todo_list.get(others..)).unwrap_or_default()
}

/// The choice that accepts a finding while the run waits at `wait`. An open verdict on its concern is overruled, so that it does not go
/// back to the writer. Otherwise the finding alone is vouched for. A finding in a group is always vouched for alone, because the editor
/// says nothing of the group's other findings.
pub fn accepting(journal: &Journal, wait: Wait, number: u32, reason: String) -> Choice {
    let round = wait.round();
    let concern = concern_of(journal, round, number)
        .filter(|concern| matches!(wait, Wait::Gate { .. }) && vouching::group(journal, round, *concern).is_none());
    let open = effective_verdicts(journal, round)
        .into_iter()
        .find(|verdict| Some(verdict.concern_id) == concern && verdict.status != Status::Keep);
    match open {
        Some(verdict) => Choice::Override { concern: verdict.concern_id, status: Status::Keep, fix: None, reason },
        None => Choice::Accept { finding: number, reason },
    }
}
