//! Whether a finding of the proof can be accepted, and whether any holds a sign-off back.

use super::{refused::Refused, texts::said};
use crate::editorial::{
    decisions::{self, standing},
    vouching,
};
use copydesk_newsroom::{Choice, Journal, Wait};
use copydesk_text::sanitise;

/// Most characters of a finding's text in a message.
const LONGEST_EXCERPT: usize = 60;

/// Whether a finding can be accepted by itself: it exists, and no open verdict keeps it open all the same.
pub(super) fn acceptable(journal: &Journal, wait: Wait, finding: u32, reason: &str) -> Result<(), Refused> {
    let round = wait.round();
    if vouching::finding(journal, round, finding).is_none() {
        return Err(Refused::NoFinding { round, finding });
    }
    if let Choice::Override { concern, .. } = decisions::accepting(journal, wait, finding, String::new()) {
        return Err(Refused::Open { finding, concern });
    }
    said(reason, "say why the finding may stand")
}

/// Checks that an editor has settled every finding that holds a sign-off back: words in quotation marks that no source carries.
pub(super) fn all_settled(journal: &Journal, round: u32) -> Result<(), Refused> {
    let shown = |text: &str| sanitise::excerpt(&sanitise::one_line(text), LONGEST_EXCERPT);
    let findings: Vec<(u32, String)> =
        vouching::unsettled(journal, round).map(|(number, finding)| (number, shown(&finding.text))).collect();
    if findings.is_empty() { Ok(()) } else { Err(Refused::Unsettled { findings }) }
}

/// Whether a decision of the round only let a finding or a change stand, or noted something.
pub(super) fn has_no_consequence(journal: &Journal, round: u32, number: u32) -> bool {
    standing(journal, round).any(|decided| decided.number == number && decided.decision.choice.has_no_consequence())
}
