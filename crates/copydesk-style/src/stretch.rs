//! A stretch of an article as a rule looks at it, and what the rule finds there.

use std::ops::Range;

use super::page::{Prose, STAND_IN};

/// A stretch of text that a rule looks at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stretch<'p> {
    /// Its text.
    pub text: &'p str,
    /// Its beginning in its prose.
    pub offset: usize,
    pub prose: &'p Prose,
    pub field: &'static str,
    /// The sources' names in its field.
    pub names: &'p [Range<usize>],
}

impl Stretch<'_> {
    /// The place in the field of a range of this text.
    pub fn place(&self, range: &Range<usize>) -> Range<usize> {
        self.prose.place(&(self.offset + range.start..self.offset + range.end))
    }

    /// The words of the field that stand-ins of a range hide, in order. An empty range speaks of the whole.
    pub fn hidden<'t>(&self, range: &Range<usize>, field: &'t str) -> Vec<&'t str> {
        let range = if range.is_empty() { 0..self.text.len() } else { range.clone() };
        let text = self.text.get(range.clone()).unwrap_or_default();
        let words = |(at, sign): (usize, &str)| {
            let start = range.start + at;
            field.get(self.place(&(start..start + sign.len()))).unwrap_or_default()
        };
        text.match_indices(STAND_IN).map(words).collect()
    }

    /// Whether a range is nobody's to judge: it lies within a name of the sources, or is nothing but stand-ins.
    pub fn is_exempt(&self, range: &Range<usize>) -> bool {
        let text = self.text.get(range.clone()).unwrap_or_default();
        if text.chars().all(|c| c == STAND_IN || c.is_whitespace()) {
            return true;
        }
        let place = self.place(range);
        let index = self.names.partition_point(|name| name.end < place.end);
        self.names.get(index).is_some_and(|name| name.start <= place.start)
    }
}

/// A match of a rule in a stretch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RuleMatch {
    /// Where, in the stretch; an empty range speaks of the whole.
    pub range: Range<usize>,
    /// The values that the message is filled with.
    pub values: Vec<String>,
    /// The text to write instead.
    pub replacement: Option<String>,
}
