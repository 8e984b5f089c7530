//! What a ranking is, before passages become hits.

use super::fusion::Fused;
use crate::ports::StoredPassage;

/// A passage with its place in the ranking.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    /// The passage.
    pub passage: StoredPassage,
    /// Why it is there.
    pub fused: Fused,
}

/// A query's passages, as they are cut.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// Best first.
    pub passages: Vec<Ranked>,
    /// Why not all of them were compared by vectors, if that was asked for.
    pub words_only: Option<String>,
}

/// What a query is compared by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// Its words.
    Words,
    /// Its vector.
    Vectors,
    /// Both, fused.
    Both,
}

/// A query taken apart.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct ParsedQuery {
    pub(super) words: Vec<String>,
    pub(super) vector: Option<Vec<f32>>,
    /// Why there is no vector, or why not all passages have one.
    pub(super) words_only: Option<String>,
    /// Whether that is a fault.
    pub(super) degraded: bool,
}
