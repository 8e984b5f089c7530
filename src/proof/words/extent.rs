//! Words that say how far a thing goes: `only`, `always`.

/// Whether a word of the draft says that there is no more of it.
pub fn excludes(word: &str) -> bool {
    matches!(word, "only" | "solely" | "exclusively" | "alone")
}

/// Whether a word of the draft says that there is no exception.
pub fn includes(word: &str) -> bool {
    matches!(word, "always" | "every" | "everyone" | "everybody" | "everything")
}

/// The same of a source's word, in a wider sense, in favour of the draft.
pub fn narrows(word: &str) -> bool {
    excludes(word) || matches!(word, "just" | "merely" | "limited" | "except" | "nothing" | "single" | "sole")
}

/// And of one that leaves nothing out.
pub fn widens(word: &str) -> bool {
    includes(word) || matches!(word, "all" | "any" | "each" | "both" | "never" | "none" | "whole")
}
