//! The state of the page of changes: the two drafts on the screen, and all comparisons so far.

use std::sync::Arc;

use crate::screens::changes::{
    comparisons::{Comparisons, DraftPair},
    model::Compared,
};
use copydesk_core::editorial::changes::accepted;
use copydesk_newsroom::Journal;

/// The comparison that is shown, the one that is wanted, and those that are known.
#[derive(Debug, Clone, Default)]
pub struct ChangesPage {
    pub compared: Option<Compared>,
    pub wanted: Option<DraftPair>,
    pub known: Comparisons,
}

impl ChangesPage {
    /// Shows the wanted drafts once they are compared. Until then the earlier ones stay.
    pub fn lay(&mut self, journal: &Journal) {
        let is_shown = |pair: &DraftPair| self.compared.as_ref().is_some_and(|shown| shown.pair() == *pair);
        let Some(pair) = self.wanted.filter(|pair| !is_shown(pair)) else { return };
        let layout = self.compared.as_ref().map(|compared| compared.state.layout).unwrap_or_default();
        if let Some(comparison) = self.known.of(pair) {
            self.compared = Some(Compared::new(pair, Arc::clone(comparison), layout));
        } else if self.known.has(pair) {
            self.compared = None;
        }
        self.read_accepted(journal);
    }

    /// Reads again which of the shown changes an editor accepted.
    pub fn read_accepted(&mut self, journal: &Journal) {
        if let Some(compared) = &mut self.compared {
            compared.state.accepted = accepted(journal, compared.pair(), &compared.comparison);
        }
    }

    /// Shows nothing, if a draft newer than those that are shown exists.
    pub fn forget_older_than(&mut self, latest: u32) {
        if self.compared.as_ref().is_some_and(|compared| compared.state.to < latest) {
            (self.compared, self.wanted) = (None, None);
        }
    }
}
