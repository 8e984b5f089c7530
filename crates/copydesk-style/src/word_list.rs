//! A newsroom's own dictionary: a text file with one word a line, and comments behind `#`.

/// Longest word in characters.
const LONGEST: usize = 60;

/// A text that cannot be added to a dictionary.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a word: write one word of letters, hyphens and apostrophes, at most {LONGEST} characters long")]
pub struct NotAWord(String);

/// The words of a dictionary's text.
pub fn listed_words(text: &str) -> impl Iterator<Item = &str> {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    text.lines().map(|line| line.split('#').next().unwrap_or_default().trim()).filter(|word| !word.is_empty())
}

/// A dictionary's text with one more word at its end; none if the word is there already.
///
/// # Errors
/// [`NotAWord`] if `word` is more than one word, or none.
pub fn with_word(text: &str, word: &str) -> Result<Option<String>, NotAWord> {
    let word = word.trim();
    let letters = |c: char| c.is_alphanumeric() || matches!(c, '-' | '‑' | '\'' | '’');
    if !word.contains(char::is_alphabetic) || !word.chars().all(letters) || word.chars().count() > LONGEST {
        return Err(NotAWord(word.chars().take(LONGEST).collect()));
    }
    if listed_words(text).any(|listed| listed.to_lowercase() == word.to_lowercase()) {
        return Ok(None);
    }
    let newline = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    Ok(Some(format!("{text}{newline}{word}\n")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_a_word_a_line_and_comments() {
        let words: Vec<&str> = listed_words("\u{FEFF}# ours\r\nzorbing\n  keelmen # of the Tyne\n\n").collect();
        assert_eq!(words, ["zorbing", "keelmen"]);
    }

    #[test]
    fn a_word_is_added_once_at_the_end() {
        assert_eq!(with_word("", "zorbing"), Ok(Some("zorbing\n".into())));
        assert_eq!(with_word("# ours\nkeelmen", " co-op’s "), Ok(Some("# ours\nkeelmen\nco-op’s\n".into())));
        assert_eq!(with_word("Zorbing\n", "zorbing"), Ok(None));
        for wrong in ["", "two words", "#", "a\nb", "-", "1958", &"x".repeat(61)] {
            assert!(with_word("", wrong).is_err(), "{wrong:?}");
        }
    }
}
