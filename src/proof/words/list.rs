//! Lists of words, written as a line of text and looked up by hash.

use std::sync::OnceLock;

use foldhash::HashSet;

/// A list of words.
#[derive(Debug)]
pub struct Words {
    text: &'static str,
    set: OnceLock<HashSet<&'static str>>,
}

/// The words of a line, between white space.
pub const fn words(text: &'static str) -> Words {
    Words { text, set: OnceLock::new() }
}

impl Words {
    pub fn contains(&self, word: &str) -> bool {
        self.set.get_or_init(|| self.text.split_ascii_whitespace().collect()).contains(word)
    }
}
