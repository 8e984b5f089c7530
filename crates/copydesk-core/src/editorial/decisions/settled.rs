//! The verdicts of the agents, and what an editor decided in place of single ones.

use super::record::overruled;
use crate::editorial::vouching;
use copydesk_newsroom::{Choice, Journal, Status, Verdict};

/// The agents' verdicts, with what an editor decided in their place one by one.
#[must_use]
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
