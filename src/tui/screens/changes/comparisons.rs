//! The drafts of a run that were compared. Each pair once: a draft that is there never changes, nor what was asked between two.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use crate::editorial::changes::Comparison;

/// The rounds of two drafts, the earlier first.
pub type DraftPair = (u32, u32);

/// What was compared, and what is being compared.
#[derive(Debug, Clone, Default)]
pub struct Comparisons {
    known: HashMap<DraftPair, Option<Arc<Comparison>>>,
    asked: HashSet<DraftPair>,
}

impl Comparisons {
    /// Two drafts compared; none while they are not, or cannot be.
    #[must_use]
    pub fn of(&self, pair: DraftPair) -> Option<&Arc<Comparison>> {
        self.known.get(&pair)?.as_ref()
    }

    /// Whether two drafts have been compared, or cannot be.
    #[must_use]
    pub fn has(&self, pair: DraftPair) -> bool {
        self.known.contains_key(&pair)
    }

    /// How many pairs have been.
    #[must_use]
    pub fn count(&self) -> usize {
        self.known.len()
    }

    /// Notes that a pair is asked for; false where it was before.
    pub fn ask(&mut self, pair: DraftPair) -> bool {
        self.asked.insert(pair)
    }

    /// What came of it; none where there are no two such drafts.
    pub fn add(&mut self, pair: DraftPair, comparison: Option<Arc<Comparison>>) {
        self.asked.insert(pair);
        self.known.insert(pair, comparison);
    }
}
