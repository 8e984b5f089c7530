//! What follows from the decisions: which verdicts count, what goes back to the writer, where the run waits.

use super::record::{at_sign_off, edit, left, max_rounds, overruled, to_dos};
use crate::{
    editorial::{
        feedback::compile,
        gate, next_steps,
        vouching::{self, concern_of},
    },
    newsroom::{Choice, GateOutcome, Gates, Journal, Status, Verdict, Wait, WriterFeedback},
};

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
        } else if verdict.status != Status::Keep
            && let Some(decided) = vouching::settled_beside(journal, round, verdict.concern_id)
        {
            verdict.status = Status::Keep;
            verdict.misleading = false;
            verdict.suggested_fix = None;
            vouching::reason(decided.decision).clone_into(&mut verdict.rationale);
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
            let by_verdicts = gate::decide(round, max_rounds(journal), &effective_verdicts(journal, round));
            match by_verdicts {
                GateOutcome::Passed if !to_dos(journal, round).is_empty() => GateOutcome::Revise,
                outcome => outcome,
            }
        }
    }
}

/// The feedback that closes a round: the effective verdicts', then the editor's to-dos, then those of `house_style`. The latter two leave
/// the rating alone.
#[must_use]
pub fn feedback(journal: &Journal, round: u32, house_style: Vec<String>) -> WriterFeedback {
    let mut feedback = compile(round, &effective_verdicts(journal, round));
    let mut more = to_dos(journal, round);
    more.extend(house_style);
    if !more.is_empty() {
        feedback.todo_list.extend(more);
        let numbered: Vec<String> =
            feedback.todo_list.iter().zip(1..).map(|(to_do, number): (_, u32)| format!("{number}. {to_do}")).collect();
        feedback.reasoning = numbered.join("\n");
    }
    feedback
}

/// The to-dos of house style among those that went back to the writer after a round: they are behind all others.
#[must_use]
pub fn house_style_to_dos(journal: &Journal, round: u32) -> &[String] {
    let others = feedback(journal, round, Vec::new()).todo_list.len();
    journal.feedback(round).and_then(|sent| sent.todo_list.get(others..)).unwrap_or_default()
}

/// The choice with which a finding is accepted where the run waits at `wait`: an open verdict on its concern is overruled, so that it
/// does not go back to the writer. Otherwise, and in a group, whose other findings nobody speaks of, the finding alone is vouched for.
#[must_use]
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
