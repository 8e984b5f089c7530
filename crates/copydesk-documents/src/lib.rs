//! Documents: the bytes that a person hands in as a source or a draft, read as text.
//!
//! Bytes in, text out: nothing here opens a file. Each format has a file. Spans refer to this text ever after. So
//! whatever is no word of the document (a cue's number, a page's script) goes before anything is counted. A note says
//! what had to be guessed.
//!
//! Documents are hostile: each reader has bounds of its own, none recurses, and none panics.

#![cfg_attr(test, allow(clippy::string_slice, reason = "a test that cuts at a wrong place should stop there"))]

mod book;
mod bounds;
#[cfg(feature = "pdf")]
mod canvas;
mod cue;
mod cues;
mod detect;
pub mod drafts;
mod encoding;
mod folding;
mod hidden;
mod hyphens;
mod kind;
#[cfg(feature = "pdf")]
mod lines;
mod markdown;
mod mended;
mod packed;
#[cfg(feature = "pdf")]
mod pdf;
mod print;
mod raised;
mod reader;
mod recording;
mod records;
mod table;
mod transcript;
mod unreadable;
mod unsure;
mod web_page;
mod word;

pub use bounds::{MOST_PACKED, MOST_TEXT, most_bytes};
pub use cue::{Cue, LATEST, parse_cues, web_vtt};
pub use detect::needs_parser;
pub use folding::folded;
pub use kind::{DocumentKind, ENDINGS, is_known};
pub use reader::{Document, ReadingPurpose, read};
pub use recording::{RECORDING_ENDINGS, RECORDING_HEAD, RecordingFormat, is_recording};
pub use unreadable::Unreadable;
pub use web_page::facts::PageFacts;
pub use word::{Commented, WordComment, read_returned, with_comments};

#[cfg(test)]
mod tests;
