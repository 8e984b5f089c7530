//! Which passages a story rests on, so that whoever corrects one story finds the others.

use serde::Serialize;

/// A stretch of a text that a story rests on.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct PassageUse {
    /// The text's name in the story: a source's name, a page's address, a knowledge file's path.
    pub name: String,
    /// SHA-256 of the text, hex, so that two stories mean the same text whatever each calls it; none of a knowledge file, which the index
    /// knows.
    pub digest: Option<String>,
    /// First byte in the text.
    pub start: u64,
    /// One past the last byte.
    pub end: u64,
}

/// Another story that rests on passages of a story.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SharingStory {
    /// `channel/slug`.
    pub story: String,
    /// The working title.
    pub title: String,
    /// Who signed it off, if somebody did.
    pub signed_by: Option<String>,
    /// How many passages of the first story it rests on as well.
    pub passages: u64,
    /// The texts that they are of, as the first story names them.
    pub texts: Vec<String>,
}
