//! Verbs and nouns for a figure that grows or shrinks.

use crate::words::{WordList, words};

pub static UP: WordList = words(include_str!("../../../../assets/words/rising.txt"));
pub static DOWN: WordList = words(include_str!("../../../../assets/words/falling.txt"));
