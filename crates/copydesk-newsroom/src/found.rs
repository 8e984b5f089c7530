//! Sources that research found, how far they can be trusted, and text in them that no reader sees.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A text that a tool brought home.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FoundSource {
    /// Its title, or what else it is called.
    pub title: String,
    /// A page's address, or a file's name in the knowledge base.
    pub address: String,
    /// Its name among the story's sources, if the page at this address was read before with another text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its text, without markup.
    pub text: String,
    /// Hex SHA-256 of the text.
    pub digest: String,
    /// The day of its publication, ISO 8601, if it says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published: Option<String>,
    /// Who signed it, if it says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub byline: Option<String>,
    /// Who published it, if it says so, such as `City of Springfield`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub publisher: Option<String>,
    /// When it was read: ISO 8601, UTC.
    pub read_at: String,
    /// The parts that no reader sees; none of them is in its text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hidden: Vec<HiddenText>,
}

impl FoundSource {
    /// The end of the name of a feed's entry. The page at its address is another source.
    pub const IN_FEED: &str = " (as its feed sums it up)";

    /// Whether it is an entry of a feed.
    pub fn is_in_feed(&self) -> bool {
        self.name.as_ref().is_some_and(|name| name.ends_with(Self::IN_FEED))
    }
}

/// How far a source can be trusted, by rules that a person can check.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Credibility {
    /// From 0 to 1.
    pub score: f64,
    /// A sentence for each rule: its reading and its result.
    pub reasons: Vec<String>,
}

/// A stretch of text that no reader sees.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HiddenText {
    /// How it is hidden, in a few words.
    pub how: String,
    /// How it begins, in one line.
    pub text: String,
}

impl HiddenText {
    /// Most characters of the text that are kept.
    pub const LONGEST: usize = 200;
}

impl std::fmt::Display for HiddenText {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "{}: “{}”", self.how, self.text)
    }
}

/// A source that has such text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HidingSource {
    /// The name of the source.
    pub source: String,
    pub texts: Vec<HiddenText>,
}

/// A source that was written down from a recording: by the server that Copydesk asked, or by another program whose transcript marks what it
/// was unsure of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedSource {
    /// The name of the source.
    pub source: String,
    /// The path of the recording when the source was read; none if only its transcript was given.
    pub file: Option<String>,
    /// The words that the recogniser was unsure of, in their order.
    pub unsure: Vec<UnsureWords>,
}

/// Words that a recogniser of speech was unsure of. The text itself has no marks, so that it stays a source like any other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnsureWords {
    /// First byte in the source's text.
    pub start: usize,
    /// One past the last.
    pub end: usize,
    /// When they are said, in seconds from the recording's beginning.
    pub seconds: u32,
}

/// Words that a recogniser was unsure of, by the name of their source.
pub type UnsureBySource = BTreeMap<String, Vec<UnsureWords>>;

impl UnsureWords {
    /// Those of `all` on which a stretch of their source rests, each with its words in that stretch. `text` are the words of the stretch, which
    /// begins at byte `start` of the source.
    pub fn within<'t>(all: &[Self], start: usize, text: &'t str) -> impl Iterator<Item = (Self, &'t str)> {
        let end = start + text.len();
        let inside = all.iter().filter(move |words| words.start < end && words.end > start);
        // The words may begin before the stretch, or end behind it.
        let cut = move |words: &Self| (words.start.max(start) - start, words.end.min(end) - start);
        inside.map(move |words| {
            let (from, to) = cut(words);
            (*words, text.get(from..to).unwrap_or_default())
        })
    }

    /// The advice to a reader: `listen: 00:00:10`.
    pub fn advice(&self) -> String {
        format!("listen: {}", clock_of(self.seconds))
    }
}

/// A place in a recording: `00:01:10`.
pub fn clock_of(seconds: u32) -> String {
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}
