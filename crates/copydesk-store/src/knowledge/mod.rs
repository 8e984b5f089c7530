//! Texts cut into passages: the knowledge base's and the stories', found by words (FTS5) and by vectors (sqlite-vec).
//!
//! A text is on one of two shelves. Each has its own full text and its own table of vectors. So the words that are rare
//! in the knowledge base depend on the knowledge base alone, and a story's vectors lie together. Nothing is ranked
//! here: `copydesk_llm::knowledge` does that.

mod around;
pub(super) mod cache;
mod documents;
mod forgetting;
mod fulltext;
mod nearest;
mod rebuilding;
mod recutting;
mod remembering;
mod search;
mod settings;
mod shelf;
mod shelves;
mod stories;
#[cfg(test)]
mod tests;
mod vectors;
mod words;

pub(super) use rebuilding::{make_vector_tables, rebuild};
pub(super) use stories::forget_story_texts;
pub(super) use vectors::remove_vectors;
