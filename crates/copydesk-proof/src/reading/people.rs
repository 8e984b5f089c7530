//! A person's name, and whether two can be one person's.

use std::ops::Range;

use crate::words::{first_names_agree, names::NO_PERSON};

/// A name in a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Name {
    /// The indexes of its words, without titles. Particles are among them.
    pub tokens: Range<usize>,
    /// First byte.
    pub start: usize,
    /// One past the last byte, without a possessive.
    pub end: usize,
    /// Its words, folded, without a possessive.
    pub words: Vec<String>,
    /// Whether a title stood before it.
    pub titled: bool,
    /// Whether a speaker's label or a form of address shows that it is a person's: `MS. PARK:`.
    pub addressed: bool,
    /// The particles before its last word, folded: `van der`.
    pub particles: Vec<String>,
    /// Which of several of that name: `jr`, `sr`, `iii`.
    pub generation: Option<String>,
}

impl Name {
    pub fn last(&self) -> &str {
        self.words.last().map_or("", String::as_str)
    }

    pub fn first(&self) -> Option<&str> {
        if self.words.len() < 2 { None } else { self.words.first().map(String::as_str) }
    }

    /// Whether it can be a person's name.
    pub fn personal(&self) -> bool {
        (1..=4).contains(&self.words.len())
            && (self.addressed || !NO_PERSON.contains(self.last()))
            && self.last().chars().count() > 1
    }

    /// The words between the first and the last.
    pub fn middle(&self) -> &[String] {
        self.words.get(1..self.words.len().saturating_sub(1)).unwrap_or_default()
    }

    /// Whether the other has the same words with the family name at the other end: `Lie Ada`.
    pub fn is_turned(&self, other: &Self) -> bool {
        let (mine, theirs) = (&self.words, &other.words);
        let behind = |cut: usize| mine.iter().skip(cut).chain(mine.iter().take(cut)).eq(theirs);
        mine.len() == theirs.len() && (1..mine.len()).any(behind)
    }

    /// Whether the other goes on behind these given names: `Björn Þór` Sigurðsson.
    fn begins(&self, other: &Self) -> bool {
        self.words.len() > 1 && other.words.starts_with(&self.words)
    }

    /// Whether both can name one person.
    pub fn may_be(&self, other: &Self) -> bool {
        let (mine, theirs) = (self.first(), other.first());
        // "Striker Kit Bell" is "Kit Bell".
        if mine.is_some()
            && theirs.is_some()
            && (self.words.ends_with(&other.words) || other.words.ends_with(&self.words))
        {
            return true;
        }
        if self.last() != other.last() {
            // "Beth" may be "Beth Ostrander".
            return mine.is_none() && theirs == Some(self.last())
                || theirs.is_none() && mine == Some(other.last())
                || self.is_turned(other)
                || self.begins(other)
                || other.begins(self);
        }
        match (mine, theirs) {
            (Some(mine), Some(theirs)) => first_names_agree(mine, theirs),
            _ => true,
        }
    }
}
