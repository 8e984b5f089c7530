//! How many syllables a word has: as `CMUdict` says it is spoken, otherwise as it would be hyphenated.
//!
//! The asset holds the words whose count the hyphenation gets wrong, each with its count; a word that `CMUdict` has and
//! the hyphenation gets right need not be there. `examples/syllables.rs` makes it.

use std::{io::Read as _, sync::LazyLock};

use hypher::{Lang, hyphenate_bounded};

/// Words and counts, a line each, sorted; compressed.
const COUNTS: &[u8] = include_bytes!("../../../assets/readability/syllables.zst");

/// More than the asset has, so that a wrong one cannot fill the memory.
const MOST: u64 = 8 * 1024 * 1024;

static TABLE: LazyLock<Box<[u8]>> = LazyLock::new(|| {
    let mut table = Vec::new();
    let read = zstd::stream::read::Decoder::new(COUNTS).and_then(|decoder| decoder.take(MOST).read_to_end(&mut table));
    // The asset is part of the program; its test reads it. Without it every word is hyphenated.
    if read.is_err() {
        table.clear();
    }
    table.into_boxed_slice()
});

/// The syllables of a word in lower case; at least one.
pub(super) fn of(word: &str) -> usize {
    listed(&TABLE, word).unwrap_or_else(|| hyphenated(word))
}

/// Counts the parts of a word in lower case by hyphenation, two letters kept at either end; at least one.
pub fn hyphenated(word: &str) -> usize {
    if word.is_ascii() && !word.is_empty() { hyphenate_bounded(word, Lang::English, 2, 2).count().max(1) } else { 1 }
}

/// Looks a word up in the sorted lines `word count`.
fn listed(table: &[u8], word: &str) -> Option<usize> {
    let (mut low, mut high) = (0, table.len());
    while low < high {
        let middle = usize::midpoint(low, high);
        let before = table.get(low..middle)?;
        let start = before.iter().rposition(|byte| *byte == b'\n').map_or(low, |at| low + at + 1);
        let line = table.get(start..)?.split(|byte| *byte == b'\n').next()?;
        let (count, written) = line.split_last()?;
        let written = written.strip_suffix(b" ")?;
        match written.cmp(word.as_bytes()) {
            std::cmp::Ordering::Equal => return Some(usize::from(count.saturating_sub(b'0'))),
            std::cmp::Ordering::Less => low = start + line.len() + 1,
            std::cmp::Ordering::Greater => high = start,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_the_syllables_that_are_spoken() {
        for (word, count) in [
            ("the", 1),
            ("area", 3),
            ("every", 3),
            ("people", 2),
            ("fire", 2),
            ("council", 2),
            ("naïve", 1),
            ("", 1),
            ("x", 1),
        ] {
            assert_eq!(of(word), count, "{word}");
        }
    }

    #[test]
    fn a_word_of_any_length_is_counted() {
        assert!(of(&"constitutional".repeat(1_000)) > 4_000);
    }

    #[test]
    fn the_table_is_sorted_and_found_from_end_to_end() {
        let lines: Vec<&[u8]> = TABLE.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).collect();
        assert!(lines.len() > 10_000);
        assert!(lines.is_sorted());
        for line in [lines[0], lines[lines.len() / 2], lines[lines.len() - 1]] {
            let (word, count) = std::str::from_utf8(line).unwrap().rsplit_once(' ').unwrap();
            assert_eq!(listed(&TABLE, word).map(|count| count.to_string()).as_deref(), Some(count));
        }
    }
}
