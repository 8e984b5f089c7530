//! What the article's page keeps: the article as it would be printed, and what its editor should know before signing.

use std::sync::Arc;

use crate::editorial::{changes::FollowUp, report};
use crate::newsroom::{ArticleResponse, Journal};
use crate::tui::screens::{
    article::{model::Printed, signing::Signing},
    changes::comparisons::Comparisons,
};

#[derive(Debug, Clone, Default)]
pub struct ArticlePage {
    pub printed: Printed,
    pub signing: Signing,
}

impl ArticlePage {
    /// Shows the article for a reader of `round`.
    pub fn lay(&mut self, journal: &Journal, round: u32) {
        match shown_article(journal, round) {
            Some(article) => self.printed.set(article, Vec::new(), None),
            None => self.printed.clear(),
        }
    }

    /// Makes the notes again, if there is more to note.
    pub fn lay_signing(&mut self, journal: &Journal, comparisons: &Comparisons, left: &[FollowUp]) {
        if self.signing.read(journal, comparisons, left) {
            self.printed.set_notes(Arc::from(self.signing.notes.as_slice()));
        }
    }
}

/// The article that a page shows, copies and saves: the kept one once the run has ended, else the draft of the round.
#[must_use]
pub fn shown_article(journal: &Journal, round: u32) -> Option<&ArticleResponse> {
    journal.draft(report::shown_round(journal, round)).map(|draft| &draft.article)
}
