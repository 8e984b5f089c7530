//! Text as text: cleaning it at the edge, cutting it into sentences and words with exact byte offsets.
//!
//! Knows nothing of stories. Everything here is pure, never panics on any input, and is linear in its length.

pub mod sanitise;
// pub mod sentences;
// pub mod words;
