//! House style as data: a newsroom's usage in Vale's rules, grammar and spelling, and how hard a text is to read.
//!
//! A style is a folder of small YAML files that a copy editor can write; this room reads them as Vale does
//! (<https://vale.sh>) and holds an article's own prose against them. It judges neither the inside of a quotation nor a
//! name that the sources have: those are somebody else's words. Nothing here says whether a thing is true, and nothing
//! changes how a check ends. Reads no file: whoever calls hands over texts.

#![cfg_attr(test, allow(clippy::string_slice, reason = "a test that cuts at a wrong place should stop there"))]

mod capitalization;
mod casing;
mod conditional;
mod consistency;
mod existence;
mod fields;
mod house;
mod message;
mod names;
mod note;
mod occurrence;
mod page;
mod pattern;
mod problem;
mod readability;
mod repetition;
mod review;
mod rule;
mod rules;
mod scope;
mod spelling;
mod stretch;
mod substitution;
mod syllables;
mod to_dos;
mod word_list;

pub use house::own_demands;
pub use names::Dictionary;
pub use note::{NoteLevel, StyleNote};
pub use problem::StyleProblem;
pub use readability::{MEASURED_AS, Readability};
pub use review::StyleReview;
pub use rules::Style;
pub use spelling::unknown_words;
pub use syllables::hyphenated;
pub use to_dos::{asks, to_dos};
pub use word_list::{NotAWord, listed_words, with_word};

#[cfg(test)]
mod tests;
