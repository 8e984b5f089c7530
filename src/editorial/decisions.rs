//! What an editor's decisions mean for a run: which verdicts count, what goes back to the writer, how many rounds there are,
//! where it waits (DESIGN.md, section 3, GATE). What can be decided when is [`super::choices`]' affair.

use crate::{
    editorial::{next_steps, vouching},
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
pub(crate) mod tests;
