//! The dictionary: synonyms, antonyms and related words, and which words name concrete things.
//!
//! Why: spelling does not show that `refused` means what `declined` means, or the opposite of `accepted`. The
//! relations are those of `WordNet` (`assets/wordnet/`, with its notice), reduced to what the rules need. They say
//! what words can mean, not what they mean here. So a synonym excuses a word in any of its senses, and an antonym
//! alone is never enough for a finding.

use std::{cell::RefCell, sync::LazyLock};

use compact_str::CompactString;
use copydesk_text::inflection::bases;
use foldhash::HashMap;

/// A line a word, sorted: `word flags synonyms +kin !antonyms ~similar`, a flag being a single letter.
static PACKED: &[u8] = include_bytes!("../../../../assets/wordnet/relations.zst");

/// The packed lines, unpacked when the first rule asks.
static LINES: LazyLock<String> = LazyLock::new(|| {
    // A broken asset would silence rules, but then the tests below fail.
    let bytes = zstd::bulk::decompress(PACKED, MOST).unwrap_or_default();
    String::from_utf8(bytes).unwrap_or_default()
});

/// The unpacked lines are at most so many bytes.
const MOST: usize = 8 << 20;

/// The dictionary's entry for a word.
#[derive(Debug, Clone, Copy)]
pub struct LexiconEntry {
    line: &'static str,
}

/// Where each line begins.
static STARTS: LazyLock<Vec<u32>> = LazyLock::new(|| {
    let after = LINES.match_indices('\n').map(|(end, _)| end + 1).filter(|start| *start < LINES.len());
    [0].into_iter().chain(after).filter_map(|start| u32::try_from(start).ok()).collect()
});

pub fn entry(word: &str) -> Option<LexiconEntry> {
    let from = |start: u32| LINES.get(start as usize..).unwrap_or_default();
    // A word of a line ends at its first blank: for a comparison the rest of a long line is not read.
    let ahead = |rest: &str| rest.bytes().take_while(|byte| *byte > b' ').cmp(word.bytes());
    let found = STARTS.binary_search_by(|start| ahead(from(*start))).ok()?;
    Some(LexiconEntry { line: from(*STARTS.get(found)?).split('\n').next()? })
}

/// So many words are remembered with their entries. A story and its sources have fewer; of more, the rest is looked up anew.
const REMEMBERED: usize = 4_000;

/// The entries that a word of a text can be a form of. Many rules ask for the words of the same sentences.
pub fn entries(folded: &str) -> Vec<LexiconEntry> {
    thread_local! {
        static KNOWN: RefCell<HashMap<CompactString, Vec<LexiconEntry>>> = RefCell::default();
    }
    KNOWN.with_borrow_mut(|known| {
        if let Some(entries) = known.get(folded) {
            return entries.clone();
        }
        let found: Vec<LexiconEntry> = bases(folded).iter().filter_map(|base| entry(base)).collect();
        if known.len() < REMEMBERED {
            known.insert(folded.into(), found.clone());
        }
        found
    })
}

impl LexiconEntry {
    /// Whether it is mostly an adjective.
    pub fn is_adjective(self) -> bool {
        self.related().next().is_some_and(|flags| flags.len() <= 2 && flags.contains('a'))
    }

    /// Its synonyms, and words of the same family.
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

    fn related(self) -> impl Iterator<Item = &'static str> {
        self.line.split(' ').skip(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(entry: LexiconEntry) -> &'static str {
        entry.line.split(' ').next().unwrap()
    }

    #[test]
    fn the_dictionary_is_whole_and_in_order() {
        let words: Vec<&str> = LINES.lines().filter_map(|line| line.split(' ').next()).collect();
        assert!(words.len() > 50_000 && words.is_sorted(), "{}", words.len());
        for asked in ["aah", "zymotic", "decline", "wine"] {
            assert_eq!(entry(asked).map(word), words.contains(&asked).then_some(asked), "{asked}");
        }
        assert!(entry("").is_none() && entry("zzzz").is_none() && entry("declinedly").is_none());
    }

    #[test]
    fn an_entry_says_what_goes_with_a_word_and_what_against_it() {
        let decline = entry("decline").unwrap();
        assert!(decline.like().any(|word| word == "refuse") && decline.like().all(|word| word != "improvement"));
        assert!(entry("accept").unwrap().antonyms().eq(["refuse", "reject"]));
        assert!(entry("rainy").unwrap().is_adjective() && !decline.is_adjective());
        assert!(entries("declined").iter().any(|entry| word(*entry) == "decline"));
    }
}
