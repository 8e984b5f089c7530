//! Problems, in the words that the screen shows.

use std::{error::Error, fmt};

/// A message about a problem: made from an error, which says what to do, or from a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Trouble(String);

impl Trouble {
    pub fn new(words: impl Into<String>) -> Self {
        Self(words.into())
    }
}

impl<E: Error> From<E> for Trouble {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}

impl From<Trouble> for String {
    fn from(Trouble(words): Trouble) -> Self {
        words
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}
