//! The knowledge base: which files are in its folder, what changed, how they are cut into passages.
//!
//! Reads files and hands passages to the shelf behind its port; searches nothing itself.

mod files;

pub use files::{Refreshed, refresh};
