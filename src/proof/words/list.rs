//! Lists of words, written as a line of text and looked up by hash.

use std::sync::OnceLock;

use foldhash::HashSet;

/// A list of words.
#[derive(Debug)]
pub struct WordList {
    text: &'static str,
    set: OnceLock<HashSet<&'static str>>,
}

/// The words of a line, between white space.
pub const fn words(text: &'static str) -> WordList {
    WordList { text, set: OnceLock::new() }
}

impl WordList {
    pub fn contains(&self, word: &str) -> bool {
        self.set.get_or_init(|| self.text.split_ascii_whitespace().collect()).contains(word)
    }
}

/// Groups of words, written as a text file: a group a line, `#` before a comment.
#[derive(Debug)]
pub struct WordGroups(&'static str);

impl WordGroups {
    pub const fn new(text: &'static str) -> Self {
        Self(text)
    }

    /// The words of each group.
    pub fn all(&self) -> impl Iterator<Item = std::str::Split<'static, char>> {
        self.0.lines().filter(|line| !line.starts_with('#')).map(|line| line.split(' '))
    }

    /// The words of the groups that have `word`.
    pub fn beside(&self, word: &str) -> impl Iterator<Item = &'static str> {
        self.all().filter(move |group| group.clone().any(|one| one == word)).flatten()
    }
}
