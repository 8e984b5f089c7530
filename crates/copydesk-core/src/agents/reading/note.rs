//! Notes on changes to an answer before it could be read.

use std::fmt;

use copydesk_text::wrapping::Wrapping;

/// One thing that was taken off an answer, or mended in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadingNote {
    Wrapped(Wrapping),
    /// JSON that was no JSON, and the flaw that a strict reader found first.
    Mended(String),
    /// A key that was not asked for.
    Unknown(String),
    /// A key that stood twice in an object.
    Twice(String),
    /// A value of another case or type, by the name of its field, as it was written.
    Form(String, String),
    /// The number of times that the same answer stands there.
    Several(usize),
    /// Bullets with another mark than the contract's.
    Bullets(usize),
    /// “None” for a kind of concern.
    Nothing(usize),
}

impl fmt::Display for ReadingNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wrapped(wrapping) => write!(f, "taken off: {wrapping}"),
            Self::Mended(flaw) => write!(f, "JSON mended: {flaw}"),
            Self::Unknown(key) => write!(f, "key dropped: {key}"),
            Self::Twice(key) => write!(f, "key given twice: {key}"),
            Self::Form(field, given) => write!(f, "{field} was written as {given}"),
            Self::Several(answers) => write!(f, "the same answer {answers} times"),
            Self::Bullets(bullets) => write!(f, "bullets rewritten: {bullets}"),
            Self::Nothing(bullets) => write!(f, "bullets without a concern dropped: {bullets}"),
        }
    }
}
