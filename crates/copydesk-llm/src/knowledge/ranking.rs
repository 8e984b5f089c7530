//! The types of a ranking, before passages become hits.

use super::fusion::Fused;
use copydesk_core::ports::StoredPassage;

/// A passage with its place in the ranking.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    pub passage: StoredPassage,
    pub fused: Fused,
}

/// A query's passages, not yet merged with their neighbours.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// Best first.
    pub passages: Vec<Ranked>,
    /// Why not all passages were compared by vectors, if the caller asked for that.
    pub words_only: Option<String>,
}

/// The way in which passages are matched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    Words,
    Vectors,
    /// Both, fused.
    Both,
}

/// A parsed query.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct ParsedQuery {
    pub(super) words: Vec<String>,
    pub(super) vector: Option<Vec<f32>>,
    /// Why there is no vector, or why not all passages have one.
    pub(super) words_only: Option<String>,
    /// Whether the reason is a fault.
    pub(super) degraded: bool,
}
