//! The results that a connection keeps from one search to the next. Claims and questions of one story repeat the same searches, and a
//! revised draft repeats those of the draft before.

use std::{cell::RefCell, collections::HashMap};

use copydesk_core::ports::{Area, Filter, PassageHit};

/// A shelf and a word.
type ShelfWord = (&'static str, String);

#[derive(Default)]
pub(crate) struct SearchCache {
    /// In how many passages a word stands, by shelf and word, with how many passages the shelf had then.
    pub(super) counted_words: RefCell<HashMap<ShelfWord, (i64, i64)>>,
    pub(super) found: RefCell<FoundBefore>,
    /// None if the index has few vectors, or no sample was taken yet.
    pub(super) sample: RefCell<Option<Sample>>,
}

/// The hits of earlier searches, and the passages in which words were looked for.
#[derive(Default)]
pub(super) struct FoundBefore {
    /// How the shelves stood when the queries were asked.
    pub(super) shelves: ShelfState,
    /// By the words of the query.
    pub(super) hits: HashMap<Vec<String>, Vec<QueryHits>>,
    /// Which words a passage has and which it has not.
    pub(super) words: HashMap<i64, HashMap<String, bool>>,
}

/// The last key that a passage was given, and how many passages each shelf has. No key is given twice, so one of these changes whenever
/// a passage comes or goes.
pub(super) type ShelfState = (i64, i64, i64);

/// Where and among what a query's words were looked for, how many hits were wanted, and what was found.
pub(super) struct QueryHits {
    pub(super) area: Area,
    pub(super) filter: Filter,
    pub(super) most: usize,
    pub(super) hits: Vec<PassageHit>,
}

/// Signs of vectors from all over the index.
pub(super) struct Sample {
    /// The embedder that made them.
    pub(super) embedder: String,
    /// The last vector's key when the sample was taken.
    pub(super) last: i64,
    pub(super) signs: Vec<Vec<u8>>,
}
