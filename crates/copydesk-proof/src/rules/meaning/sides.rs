//! Words that speak for and against the same thing. Dictionaries list few opposites, and a writer who reverses a sentence uses others.

use std::{collections::HashMap, sync::LazyLock};

use crate::sources::SourceArchive;
use copydesk_text::inflection::bases;

/// For each word the words on its side, and those on the other.
static SIDES: LazyLock<HashMap<&str, Vec<(&str, &str)>>> = LazyLock::new(|| {
    let lines = include_str!("../../../../../assets/words/sides.txt").lines();
    let mut sides: HashMap<&str, Vec<(&str, &str)>> = HashMap::new();
    for (one, other) in lines.filter_map(|line| line.split_once(" | ")) {
        for (mine, theirs) in [(one, other), (other, one)] {
            for word in mine.split_ascii_whitespace() {
                sides.entry(word).or_default().push((mine, theirs));
            }
        }
    }
    sides
});

/// The dictionary's words on a word's own side, and on the other, as far as the sources have them.
pub fn sides(archive: &SourceArchive<'_>, word: &str) -> (Vec<String>, Vec<String>) {
    let (mut own, mut other) = (Vec::new(), Vec::new());
    for base in bases(word) {
        for (mine, theirs) in SIDES.get(base.as_str()).into_iter().flatten() {
            own.extend(mine.split_ascii_whitespace());
            other.extend(theirs.split_ascii_whitespace());
        }
    }
    other.retain(|word| !own.contains(word));
    let [own, other] = [own, other].map(|words| -> Vec<String> {
        words.into_iter().filter(|word| archive.has(word)).map(str::to_owned).collect()
    });
    (own, other)
}
