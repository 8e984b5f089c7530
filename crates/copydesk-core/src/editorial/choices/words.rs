//! A choice, and where a story is, as parts of a sentence.

use crate::editorial::decisions::waits;
use copydesk_newsroom::{Choice, Gates, Journal, Wait};

/// The action of a choice, as the beginning of a sentence.
pub(super) fn words(choice: &Choice) -> &'static str {
    match choice {
        Choice::Override { .. } => "Overruling a verdict",
        Choice::Feedback { .. } => "Feedback",
        Choice::Edit { .. } => "A hand edit",
        Choice::Applied { .. } => "Making a fix in the text",
        Choice::Accept { .. } => "Accepting a finding",
        Choice::Triage { .. } => "Triage",
        Choice::Research { .. } => "Research",
        Choice::AddSource { .. } => "Adding a source",
        Choice::RemoveSource { .. } => "Removing a source",
        Choice::DistrustSource { .. } => "Distrusting a source",
        Choice::Call { .. } => "A decision on a call",
        Choice::Comment { .. } => "A comment",
        Choice::AcceptChange { .. } => "Accepting a change",
        Choice::AnotherRound => "Another round",
        Choice::Undo { .. } => "Undoing a decision",
        Choice::Continue => "Continuing",
        Choice::Stet { .. } => "Stet",
        Choice::Spike { .. } => "Spiking",
        Choice::SignOff { .. } => "Signing off",
        Choice::SendBack { .. } => "Sending back",
    }
}

/// Where the story is, as the end of a sentence.
#[must_use]
pub fn state(journal: &Journal) -> String {
    if let Some(publication) = journal.publication() {
        return if publication.success { "is finished. Reopen it first" } else { "has ended. Reopen it first" }
            .to_owned();
    }
    match waits(journal) {
        Some(Wait::Gate { round }) => format!("waits for your decision, round {round}"),
        Some(Wait::SignOff { .. }) => "waits for sign-off".to_owned(),
        Some(Wait::Call { .. }) => "waits for your word on a call of the Reporter".to_owned(),
        None if journal.opening.gates == Gates::Auto => "decides by its verdicts alone".to_owned(),
        None => "has not reached its next gate".to_owned(),
    }
}
