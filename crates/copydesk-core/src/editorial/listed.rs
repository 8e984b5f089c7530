//! Lists of words, each in one text with spaces between.

/// Whether such a list has a word.
pub(super) fn is_listed(word: &str, list: &str) -> bool {
    list.split_ascii_whitespace().any(|known| known == word)
}
