//! The comparisons of a run's drafts. Each pair is compared once, because drafts and the to-dos between them never change.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use copydesk_core::editorial::changes::Comparison;

/// The rounds of two drafts, the earlier first.
pub type DraftPair = (u32, u32);

#[derive(Debug, Clone, Default)]
pub struct Comparisons {
    pub(crate) known: HashMap<DraftPair, Option<Arc<Comparison>>>,
    asked: HashSet<DraftPair>,
}

impl Comparisons {
    /// The comparison of two drafts, if there is one.
    pub(crate) fn of(&self, pair: DraftPair) -> Option<&Arc<Comparison>> {
        self.known.get(&pair)?.as_ref()
    }

    /// Whether two drafts were compared, or cannot be.
    pub(crate) fn has(&self, pair: DraftPair) -> bool {
        self.known.contains_key(&pair)
    }

    /// Notes that a pair was requested. False if it was requested before.
    pub fn ask(&mut self, pair: DraftPair) -> bool {
        self.asked.insert(pair)
    }

    /// Takes in a comparison; none if there are no two such drafts.
    pub fn add(&mut self, pair: DraftPair, comparison: Option<Arc<Comparison>>) {
        self.asked.insert(pair);
        self.known.insert(pair, comparison);
    }
}
