//! Text as text: cleaning it at the edge, cutting it into sentences, words and tokens with exact byte offsets.
//!
//! Knows nothing of stories. Everything here is pure, never panics on any input, and is linear in its length.

#![cfg_attr(test, allow(clippy::string_slice, reason = "a test that cuts at a wrong place should stop there"))]

pub mod alignment;
mod capital;
pub mod copied;
mod count;
pub mod diff;
mod elapsed;
pub mod footnotes;
pub mod inflection;
pub mod language;
pub mod marks;
pub mod merge;
mod non_ascii;
pub mod overlap;
mod pairing;
pub mod pattern;
pub mod places;
pub mod relevance;
mod same_person;
pub mod sanitise;
pub mod sentences;
pub mod spelling;
pub mod tagger;
pub mod time_code;
mod to_go;
mod tokenised;
pub mod tokens;
pub mod toon;
pub mod words;
pub mod wrapping;
pub mod xml;
pub mod yaml;

pub use capital::capital;
pub use count::{count, count_thousands, first_of, share, thousands};
pub use elapsed::elapsed;
pub use marks::in_marks;
pub use non_ascii::non_ascii;
pub use same_person::same_person;
pub use to_go::to_go;
