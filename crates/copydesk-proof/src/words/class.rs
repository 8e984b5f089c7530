//! The kinds of a word that rules for whole sources ask for, found once for each way of writing it.
//!
//! Why: a source of five megabytes has a million words, but only some ten thousand different ones. Each list of words
//! has its own file; a token carries the answers.

use crate::words::{changes, corrections, denials, speech};

/// Kinds of words, any number of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Class(u8);

impl Class {
    /// Gives words to someone: `said`.
    pub const SAYS: Self = Self(1);
    /// Denies: `not`, `never`.
    pub const DENIES: Self = Self(1 << 1);
    /// Denies or reverses what is beside it, in the widest sense: `not`, `refused`, `unfit`.
    pub const TURNS: Self = Self(1 << 2);
    /// Says that something was wrong before: `mistaken`.
    pub const CORRECTS: Self = Self(1 << 3);
    /// Occurs in every sentence that takes something back.
    pub const WITHDRAWS: Self = Self(1 << 4);
    /// A number, or a word that goes with one: `7`, `percent`.
    pub const NUMBER: Self = Self(1 << 5);
    /// Tells of a fall or a loss: `fell`.
    pub const FALLS: Self = Self(1 << 6);

    /// The kinds of a folded word with this stem.
    pub fn of(word: &str, stem: &str) -> Self {
        let number = stem.starts_with(|c: char| c.is_ascii_digit())
            || matches!(word, "percent" | "cent" | "million" | "billion" | "thousand" | "hundred");
        let kinds = [
            (Self::SAYS, speech::says(word)),
            (Self::DENIES, denials::denies(word)),
            (Self::TURNS, denials::turns_in_a_source(word)),
            (Self::CORRECTS, corrections::corrects(word)),
            (Self::WITHDRAWS, corrections::withdraws(word)),
            (Self::NUMBER, number),
            (Self::FALLS, changes::falls(word)),
        ];
        Self(kinds.into_iter().filter(|(_, is)| *is).fold(0, |all, (kind, _)| all | kind.0))
    }

    /// Whether a word has a kind that whole sources are searched for. Few have.
    pub fn notable(self) -> bool {
        self.0 & !(Self::NUMBER.0 | Self::FALLS.0) != 0
    }

    pub fn has(self, kind: Self) -> bool {
        self.0 & kind.0 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_can_be_of_several_kinds() {
        let kinds = |word: &str| {
            let class = Class::of(word, word);
            [Class::SAYS, Class::DENIES, Class::TURNS, Class::CORRECTS, Class::WITHDRAWS].map(|kind| class.has(kind))
        };
        assert_eq!(kinds("said"), [true, false, false, false, false]);
        assert_eq!(kinds("nothing"), [false, true, true, false, false]);
        assert_eq!(kinds("incorrect"), [false, false, true, true, true]);
        assert_eq!(kinds("park"), [false; 5]);
        assert!(Class::of("seven", "7").has(Class::NUMBER) && Class::of("percent", "percent").has(Class::NUMBER));
    }
}
