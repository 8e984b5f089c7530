//! Words that speak for and against the same thing: dictionaries list few opposites, and a writer who reverses a sentence uses other words.

use std::{collections::HashMap, sync::LazyLock};

use crate::sources::SourceArchive;
use copydesk_text::inflection::bases;

/// Words for something, and words against it.
static SIDES: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    let lines = include_str!("../../../../../assets/words/sides.txt").lines();
    lines.filter_map(|line| line.split_once(" | ")).collect()
});

/// The sides of a word: the index of the pair, and which of the two.
static SIDE_OF: LazyLock<HashMap<&str, Vec<(usize, bool)>>> = LazyLock::new(|| {
    let mut map: HashMap<&str, Vec<(usize, bool)>> = HashMap::new();
    for (index, (one, other)) in SIDES.iter().enumerate() {
        for (words, side) in [(one, false), (other, true)] {
            for word in words.split_ascii_whitespace() {
                map.entry(word).or_default().push((index, side));
            }
        }
    }
    map
});

/// The dictionary's words on a word's own side, and on the other, as far as the sources have them.
pub fn sides(archive: &SourceArchive<'_>, word: &str) -> (Vec<String>, Vec<String>) {
    let (mut own, mut other) = (Vec::new(), Vec::new());
    for base in bases(word) {
        for &(index, second) in SIDE_OF.get(base.as_str()).into_iter().flatten() {
            let Some(&(one, two)) = SIDES.get(index) else { continue };
            let (mine, theirs) = if second { (two, one) } else { (one, two) };
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
