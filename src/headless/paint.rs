//! Marks for what was removed, added or decided. Never colour alone.

use crate::text::diff::DiffPiece;

/// Whether colour may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paint {
    /// Marks and colour.
    Colour,
    /// Marks alone.
    Plain,
}

impl Paint {
    /// `text` in an ANSI colour, where colour may be used.
    fn wrap(self, code: &str, text: &str) -> String {
        match self {
            Self::Colour => format!("\u{1B}[{code}m{text}\u{1B}[0m"),
            Self::Plain => text.to_owned(),
        }
    }

    pub fn heading(self, text: &str) -> String {
        self.wrap("1", text)
    }

    /// Something that is as it should be.
    pub fn good(self, text: &str) -> String {
        self.wrap("32", text)
    }

    /// Something that needs attention.
    pub fn bad(self, text: &str) -> String {
        self.wrap("31", text)
    }

    /// A difference: `[-removed-]` and `{+added+}`, as wdiff marks them.
    pub fn difference(self, pieces: &[DiffPiece]) -> String {
        pieces
            .iter()
            .map(|piece| match piece {
                DiffPiece::Same(text) => text.clone(),
                DiffPiece::Removed(text) => around(text, |text| self.wrap("31", &format!("[-{text}-]"))),
                DiffPiece::Added(text) => around(text, |text| self.wrap("32", &format!("{{+{text}+}}"))),
            })
            .collect()
    }
}

/// Marks the words and leaves the space around them outside.
fn around(text: &str, mark: impl Fn(&str) -> String) -> String {
    let inner = text.trim();
    if inner.is_empty() {
        return text.to_owned();
    }
    let before: String = text.chars().take_while(|c| c.is_whitespace()).collect();
    let after: String = text.chars().rev().take_while(|c| c.is_whitespace()).collect();
    format!("{before}{}{after}", mark(inner))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_readable_without_colour() {
        let pieces =
            [DiffPiece::Same("costs ".into()), DiffPiece::Removed("1.8 ".into()), DiffPiece::Added("1.4 ".into())];
        assert_eq!(Paint::Plain.difference(&pieces), "costs [-1.8-] {+1.4+} ");
        assert!(Paint::Colour.difference(&pieces).contains("\u{1B}[31m[-1.8-]"));
    }
}
