//! Words that say how far a thing goes: `only`, `always`.

/// Whether a word of the draft excludes everything else.
pub fn excludes(word: &str) -> bool {
    matches!(word, "only" | "solely" | "exclusively" | "alone")
}

/// Whether a word of the draft excludes exceptions.
pub fn includes(word: &str) -> bool {
    matches!(word, "always" | "every" | "everyone" | "everybody" | "everything")
}

/// As [`excludes`], for a word of a source: in a wider sense, in favour of the draft.
pub fn narrows(word: &str) -> bool {
    excludes(word) || matches!(word, "just" | "merely" | "limited" | "except" | "nothing" | "single" | "sole")
}

/// As [`includes`], for a word of a source: in a wider sense, in favour of the draft.
pub fn widens(word: &str) -> bool {
    includes(word) || matches!(word, "all" | "any" | "each" | "both" | "never" | "none" | "whole")
}
