//! Title case as the Associated Press and the Chicago Manual have it, word by word, as Vale's own converter does.

/// Whose rules for title case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manual {
    /// Articles, conjunctions and prepositions of three letters and fewer stay small.
    Ap,
    /// Prepositions of any length stay small.
    Chicago,
}

/// Words that stay small within a title.
const SMALL: &[&str] = &[
    "a", "an", "and", "as", "at", "but", "by", "en", "for", "if", "in", "nor", "of", "on", "or", "per", "the", "to",
    "vs", "vs.", "via", "v", "v.",
];

/// Longer prepositions, which Chicago keeps small.
const PREPOSITIONS: &str = "with from into during including until against among throughout despite towards upon concerning about over \
                            through before between after since without under within along following across beyond around down near above";

impl Manual {
    /// Whether a word may stand small within a title: neither first nor last, nor after a colon or a dash.
    pub fn keeps_small(self, word: &str) -> bool {
        let word = word.to_lowercase();
        SMALL.contains(&word.as_str()) || self == Self::Chicago && PREPOSITIONS.split(' ').any(|small| small == word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manuals_differ_in_long_prepositions() {
        assert!(Manual::Ap.keeps_small("Of") && Manual::Chicago.keeps_small("of"));
        assert!(!Manual::Ap.keeps_small("between") && Manual::Chicago.keeps_small("between"));
    }
}
