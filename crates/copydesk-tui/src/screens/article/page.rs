//! The state of the article's page: the article as it would be printed, and the notes that its editor should see before signing.

use std::sync::Arc;

use crate::screens::article::noted::Noted;
use crate::screens::article::signing::Signing;
use crate::screens::article::{Printed, SigningBeside};
use crate::screens::changes::Comparisons;
use copydesk_core::editorial::{decisions, report};
use copydesk_newsroom::{ArticleResponse, Journal, Wait};

#[derive(Debug, Clone, Default)]
pub struct ArticlePage {
    pub printed: Printed,
    pub signing: Signing,
    pub noted: Noted,
}

impl ArticlePage {
    /// Shows the article for a reader of `round`.
    pub fn lay(&mut self, journal: &Journal, round: u32) {
        match shown_article(journal, round) {
            Some(article) => {
                let marks = decided_at(journal, round).map(|_| self.noted.marks(round, article)).unwrap_or_default();
                self.printed.set(article, marks);
            }
            None => self.printed.clear(),
        }
    }

    /// Makes the notes again, if there is more to note.
    pub fn lay_signing(&mut self, journal: &Journal, comparisons: &Comparisons, beside: SigningBeside<'_>) {
        if self.signing.read(journal, comparisons, beside) {
            self.printed.set_notes(Arc::from(self.signing.notes.as_slice()));
        }
    }
}

/// Where the editor decides about the draft of a round: its gate, or its sign-off. None if the story does not wait there.
pub fn decided_at(journal: &Journal, round: u32) -> Option<Wait> {
    decisions::waits(journal).filter(|wait| wait.call().is_none() && wait.round() == round)
}

/// The article that a page shows, copies and saves. It is the kept one once the run has ended, the draft with the
/// editor's changes while it waits, else the draft of the round.
pub fn shown_article(journal: &Journal, round: u32) -> Option<&ArticleResponse> {
    if let Some(edited) = decided_at(journal, round).and_then(|wait| decisions::edit(journal, wait.round())) {
        return Some(edited);
    }
    journal.draft(report::shown_round(journal, round)).map(|draft| &draft.article)
}
