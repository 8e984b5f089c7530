//! A name in a text, as the proof reads it.

use std::ops::Range;

/// A run of capitalised words without the title before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameInText {
    /// Its bytes, without a possessive.
    pub range: Range<usize>,
    /// Whether it surely is a person's full name: it begins with a first name, or a title stands before it.
    pub person: bool,
    /// Whether it cannot be a person's, by its last word.
    pub no_person: bool,
}
