//! Words that take something back: `corrected`, `wrong`, `misspoke`.

/// Whether a word says that something was wrong before.
pub fn corrects(word: &str) -> bool {
    ["correct", "mistak", "erro", "misstat", "revis", "retract", "withdr", "amend"]
        .iter()
        .any(|head| word.starts_with(head))
        || matches!(word, "wrongly" | "incorrect" | "incorrectly" | "typo" | "misprint" | "inaccurate")
}

/// Whether a word can mark a withdrawal: every sentence that takes something back has at least one such word.
pub fn withdraws(word: &str) -> bool {
    corrects(word) || matches!(word, "misspoke" | "fix" | "wrong")
}
