//! The shared parts of research: the prompts' names, limits, the questions, and the open verdicts.

use copydesk_newsroom::{Journal, Status, Verdict};

/// The prompts' names.
pub(super) const PLAN: &str = "plan";
pub(super) const TURN: &str = "research";
pub(super) const COVERAGE: &str = "coverage";
pub(super) const TRIAGE: &str = "triage";

/// Most questions of a plan, and most requests of a coverage.
pub(super) const MOST_QUESTIONS: usize = 8;

/// The verdicts of a round that ask for a change, in concern order.
pub(super) fn open_verdicts(journal: &Journal, round: u32) -> Vec<Verdict> {
    journal.verdicts(round).into_iter().filter(|verdict| verdict.status != Status::Keep).collect()
}

/// Whether a pass is the last that the run may make.
pub(super) fn is_last(journal: &Journal, pass: u32) -> bool {
    journal.opening.research.is_none_or(|rules| pass >= rules.passes)
}
