//! Lists of words: short ones are written in the code, long ones are text files in `assets/words`.

use std::{collections::BTreeSet, sync::OnceLock};

use foldhash::{HashMap, HashSet};

/// A list of words, looked up by hash.
#[derive(Debug)]
pub struct WordList {
    text: &'static str,
    set: OnceLock<HashSet<&'static str>>,
}

/// The words of a text, between white space. In a file, a line that begins with `#` is a comment.
pub const fn words(text: &'static str) -> WordList {
    WordList { text, set: OnceLock::new() }
}

impl WordList {
    pub fn contains(&self, word: &str) -> bool {
        let words = || self.text.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_ascii_whitespace);
        self.set.get_or_init(|| words().collect()).contains(word)
    }
}

/// Groups of words, written as a text file: a group a line, `#` before a comment.
#[derive(Debug)]
pub struct WordGroups {
    text: &'static str,
    /// The lines of each word.
    lines: OnceLock<HashMap<&'static str, Vec<&'static str>>>,
}

impl WordGroups {
    pub const fn new(text: &'static str) -> Self {
        Self { text, lines: OnceLock::new() }
    }

    /// The words of each group.
    pub fn all(&self) -> impl Iterator<Item = std::str::Split<'static, char>> {
        self.lines().map(|line| line.split(' '))
    }

    /// The words of the groups that have `word`.
    pub fn beside(&self, word: &str) -> impl Iterator<Item = &'static str> {
        let lines = self.lines.get_or_init(|| {
            let mut lines: HashMap<_, Vec<_>> = HashMap::default();
            for line in self.lines() {
                let words: BTreeSet<_> = line.split(' ').collect();
                for word in words {
                    lines.entry(word).or_default().push(line);
                }
            }
            lines
        });
        lines.get(word).into_iter().flatten().flat_map(|line| line.split(' '))
    }

    fn lines(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.text.lines().filter(|line| !line.starts_with('#'))
    }
}
