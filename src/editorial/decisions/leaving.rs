//! How a gate was left.

use super::{
    record::{at_sign_off, is_by_hand, left_by_choice, max_rounds},
    settled::settled_verdicts,
};
use crate::{
    editorial::gate,
    newsroom::{Choice, Decided, GateOutcome, Journal},
};

/// The decision with which the gate of a round was left. What an editor chose beside a hand edit is meant for the edited text: its gate asks
/// nobody again, unless the choice would end the run there. An edit at sign-off comes back to it if it raises nothing.
#[must_use]
pub fn left(journal: &Journal, round: u32) -> Option<Decided<'_>> {
    left_by_choice(journal, round).or_else(|| {
        // Somebody who decides there was asked.
        let asked = || journal.gate(round).is_none() && !journal.decisions(round).is_empty();
        let before = round.checked_sub(1).filter(|_| is_by_hand(journal, round) && !asked())?;
        let by_verdicts = || gate::decide(round, max_rounds(journal), &settled_verdicts(journal, round));
        if journal.gate(before) != Some(GateOutcome::Edited) {
            return at_sign_off(journal, before).filter(|_| by_verdicts() == GateOutcome::Passed);
        }
        left(journal, before).filter(|chosen| match chosen.decision.choice {
            Choice::Stet { .. } => true,
            _ => by_verdicts() != GateOutcome::RoundsUsedUp,
        })
    })
}
