//! The verdicts that count: the agents', and those that an editor put in their place.

use super::record::{at_sign_off, left, overruled};
use crate::editorial::vouching;
use copydesk_newsroom::{Choice, Journal, Status, Verdict};

/// The verdicts that count: the agents', with what an editor decided in their place. A draft that was accepted as it stands
/// has no open verdict.
pub fn effective_verdicts(journal: &Journal, round: u32) -> Vec<Verdict> {
    let mut verdicts = settled_verdicts(journal, round);
    // A draft that was sent back or given up at sign-off was not accepted after all.
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

/// The agents' verdicts, with what an editor decided in their place one by one.
pub fn settled_verdicts(journal: &Journal, round: u32) -> Vec<Verdict> {
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
    verdicts
}
