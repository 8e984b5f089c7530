//! Words that take something back: `corrected`, `wrong`, `misspoke`.

/// Whether a word tells that something was wrong before.
pub fn corrects(word: &str) -> bool {
    ["correct", "mistak", "erro", "misstat", "revis", "retract", "withdr", "amend"]
        .iter()
        .any(|head| word.starts_with(head))
        || matches!(word, "wrongly" | "incorrect" | "incorrectly" | "typo" | "misprint" | "inaccurate")
}

/// Whether a word stands in every sentence that takes something back without naming it again, as [`announces`] and
/// [`short_retraction`] read them.
pub fn withdraws(word: &str) -> bool {
    corrects(word) || matches!(word, "misspoke" | "fix" | "wrong")
}
