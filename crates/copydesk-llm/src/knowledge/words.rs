//! The words of a query.

use std::{collections::HashSet, sync::LazyLock};

use unicode_segmentation::UnicodeSegmentation as _;

/// English words that are in every text and do not tell its subject.
static STOP_WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    include_str!("../../../../assets/stop_words/english.txt")
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect()
});

/// Most words of a query that are used. The rarest 64 of them are looked up.
const MOST: usize = 1024;

/// The words of a query, each once, in lower case, without stop words. If a query has only stop words, they stay.
pub fn of_query(query: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut seen = HashSet::new();
    // Unicode allows a colon within a word, as in Swedish, but `title:parks` is two words to a reader.
    for word in query.unicode_words().flat_map(|word| word.split(':')).filter(|word| !word.is_empty()) {
        let word = word.to_lowercase();
        if seen.insert(word.clone()) {
            words.push(word);
        }
        if words.len() == MOST {
            break;
        }
    }
    if words.iter().all(|word| STOP_WORDS.contains(word.as_str())) {
        return words;
    }
    words.retain(|word| !STOP_WORDS.contains(word.as_str()));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_its_words_that_say_something() {
        assert_eq!(of_query("The council will vote for the Park — and the PARK?"), ["council", "vote", "park"]);
        assert_eq!(of_query("to be or not to be"), ["to", "be", "or", "not"], "where there are no others");
        assert_eq!(of_query("\"*NEAR( AND OR NOT"), ["near"]);
        assert_eq!(of_query("title:parks"), ["title", "parks"]);
        assert!(of_query(" ?! ").is_empty() && of_query("").is_empty());
        let long: Vec<String> = (0..10_000).map(|n| format!("word{n}")).collect();
        assert_eq!(of_query(&long.join(" ")).len(), MOST);
    }
}
