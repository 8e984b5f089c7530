//! What general English knows of its words: synonyms, antonyms, kin, and which words name a thing that can be pointed at.
//!
//! Why: whether `refused` says again what `declined` said, or the opposite of what `accepted` said, is no matter of
//! spelling. The relations are those of `WordNet` (`assets/wordnet/`, with its notice), cut down to what the rules ask for. They say
//! what words can mean, not what they mean here: so a synonym excuses a word in any of its senses, and an antonym alone is
//! never enough for a finding.

use std::{cmp::Ordering, sync::LazyLock};

use crate::text::inflection::bases;

/// A line a word, sorted: `word flags synonyms +kin !antonyms ~similar`, a flag being a single letter.
static PACKED: &[u8] = include_bytes!("../../../assets/wordnet/relations.zst");

/// The packed lines, unpacked when the first rule asks.
static LINES: LazyLock<String> = LazyLock::new(|| {
    // A broken asset would silence rules; the tests below would not pass with one.
    let bytes = zstd::bulk::decompress(PACKED, MOST).unwrap_or_default();
    String::from_utf8(bytes).unwrap_or_default()
});

/// Bytes that the lines take at most.
const MOST: usize = 8 << 20;

/// What is known of a word of the dictionary.
#[derive(Debug, Clone, Copy)]
pub struct LexiconEntry {
    line: &'static str,
}

/// The entry of a dictionary's word.
pub fn entry(word: &str) -> Option<LexiconEntry> {
    let text = LINES.as_str();
    let bytes = text.as_bytes();
    let (mut low, mut high) = (0, bytes.len());
    while low < high {
        let middle = low.midpoint(high);
        let start = bytes.get(low..middle)?.iter().rposition(|&b| b == b'\n').map_or(low, |at| low + at + 1);
        let end = bytes.get(middle..high)?.iter().position(|&b| b == b'\n').map_or(high, |at| middle + at);
        let line = text.get(start..end)?;
        match line.split(' ').next().unwrap_or_default().cmp(word) {
            Ordering::Equal => return Some(LexiconEntry { line }),
            Ordering::Less => low = end + 1,
            Ordering::Greater => high = start,
        }
    }
    None
}

/// The entries that a word of a text can be a form of.
pub fn entries(folded: &str) -> Vec<LexiconEntry> {
    bases(folded).iter().filter_map(|base| entry(base)).collect()
}

impl LexiconEntry {
    /// The word itself.
    pub fn word(self) -> &'static str {
        self.line.split(' ').next().unwrap_or_default()
    }

    /// Whether it names a thing, a plant, an animal, something to eat, rather than a notion.
    pub fn is_thing(self) -> bool {
        self.flag('c')
    }

    /// Whether it is an adjective that says what a thing has to do with: `medical`, `electronic`.
    pub fn is_relational(self) -> bool {
        self.flag('p')
    }

    /// Whether it is an adjective above all.
    pub fn is_adjective(self) -> bool {
        self.flag('a')
    }

    /// Words that can mean the same, and words of the same family.
    pub fn like(self) -> impl Iterator<Item = &'static str> {
        self.related().filter_map(|word| match word.strip_prefix('+') {
            Some(kin) => Some(kin),
            None => Some(word).filter(|word| !word.starts_with(['!', '~']) && word.len() > 2),
        })
    }

    /// Adjectives that mean nearly the same.
    pub fn similar(self) -> impl Iterator<Item = &'static str> {
        self.related().filter_map(|word| word.strip_prefix('~'))
    }

    /// Words that mean the opposite.
    pub fn antonyms(self) -> impl Iterator<Item = &'static str> {
        self.related().filter_map(|word| word.strip_prefix('!'))
    }

    fn flag(self, flag: char) -> bool {
        self.related().next().is_some_and(|first| first.len() <= 2 && first.contains(flag))
    }

    fn related(self) -> impl Iterator<Item = &'static str> {
        self.line.split(' ').skip(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dictionary_is_whole_and_in_order() {
        let words: Vec<&str> = LINES.lines().filter_map(|line| line.split(' ').next()).collect();
        assert!(words.len() > 50_000 && words.is_sorted(), "{}", words.len());
        for word in ["aah", "zymotic", "decline", "wine"] {
            assert_eq!(entry(word).map(LexiconEntry::word), words.contains(&word).then_some(word), "{word}");
        }
        assert!(entry("").is_none() && entry("zzzz").is_none() && entry("declinedly").is_none());
    }

    #[test]
    fn an_entry_says_what_goes_with_a_word_and_what_against_it() {
        let decline = entry("decline").unwrap();
        assert!(decline.like().any(|word| word == "refuse") && decline.like().all(|word| word != "improvement"));
        assert!(entry("accept").unwrap().antonyms().eq(["refuse", "reject"]));
        assert!(entry("wine").unwrap().is_thing() && !decline.is_thing());
        assert!(entry("medical").unwrap().is_relational() && !entry("good").unwrap().is_relational());
        assert!(entry("rainy").unwrap().is_adjective() && !decline.is_adjective());
        assert!(entries("declined").iter().any(|entry| entry.word() == "decline"));
    }
}
