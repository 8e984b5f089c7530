//! Texts cut into passages: the knowledge base's and the stories', found by words (FTS5) and by vectors (sqlite-vec).
//!
//! A text is on one of two shelves, each with a full text and a table of vectors of its own: what is rare in the knowledge base is
//! judged by the knowledge base alone, and a story's vectors lie together. Nothing is ranked here: `crate::knowledge` does that.

mod around;
mod expression;
mod forgetting;
mod nearest;
mod recutting;
mod remembering;
mod search;
mod shelf;
mod stories;
#[cfg(test)]
mod tests;
mod vectors;

pub(super) use nearest::Sample;
pub(super) use remembering::Remembered;

/// Where a text stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// In the knowledge base.
    Knowledge,
    /// With the stories.
    Story,
}

impl Place {
    /// What its tables' names begin with.
    fn name(self) -> &'static str {
        match self {
            Self::Knowledge => "knowledge",
            Self::Story => "story",
        }
    }
}
