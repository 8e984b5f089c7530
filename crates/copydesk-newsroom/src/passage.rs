//! A place in a text that can be shown, and which stories rest on it.

use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What kind of witness a text is.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
    strum::IntoStaticStr,
    strum::EnumString,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Tier {
    /// A source of the story.
    Source,
    /// A file of the knowledge base.
    #[default]
    Knowledge,
    /// A page that a search outside cited, opened and kept.
    Evidence,
    /// A source that the Reporter found.
    Found,
    /// An article of the desk.
    Article,
}

named!(Tier);

impl Tier {
    /// The words for it on screens and in texts for people.
    pub fn words(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Knowledge => "knowledge base",
            Self::Evidence => "outside evidence",
            Self::Found => "found source",
            Self::Article => "article",
        }
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a field by reference")]
    fn is_knowledge(&self) -> bool {
        *self == Self::Knowledge
    }
}

/// A passage of a text: of a source, of a knowledge file, of a page, of an article.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Passage {
    /// The file, relative to the knowledge folder; a source's name; a page's address.
    pub file: String,
    /// First byte in the file's text.
    pub start: u64,
    /// One past the last byte.
    pub end: u64,
    /// The text between.
    pub text: String,
    /// The kind of the text that it is from.
    #[serde(default, skip_serializing_if = "Tier::is_knowledge")]
    pub tier: Tier,
    /// The headings above it, outermost first, joined by ` > `; empty if there are none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub heading: String,
    /// How far its text is to be trusted, from 0 to 1; none if it was kept before this was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credibility: Option<f64>,
    /// The day of its publication, ISO 8601, if its text says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published: Option<String>,
}

impl Passage {
    /// How a verdict cites it: `file, bytes start-end`.
    pub fn citation(&self) -> String {
        format!("{}, bytes {}-{}", self.file, self.start, self.end)
    }

    /// A stretch of it as a passage of its own, at its own place. `range` are bytes of its text.
    #[must_use]
    pub fn stretch(&self, range: &Range<usize>) -> Self {
        let text = self.text.get(range.clone()).unwrap_or_default().to_owned();
        let start = self.start + range.start as u64;
        Self { start, end: start + text.len() as u64, text, ..self.clone() }
    }

    /// The headings above it, its credibility and its day, as far as they are known.
    pub fn particulars(&self) -> impl Iterator<Item = String> {
        let heading = (!self.heading.is_empty()).then(|| self.heading.clone());
        let trust = self.credibility.map(|credibility| format!("credibility {credibility}"));
        let day = self.published.as_ref().map(|day| format!("of {day}"));
        [heading, trust, day].into_iter().flatten()
    }
}

/// A sentence of a draft, and where the sources speak of the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SentenceSources {
    /// The field by its contract name, such as `articleBody`.
    pub field: String,
    /// Bytes of the field.
    pub start: usize,
    pub end: usize,
    /// The best first.
    pub passages: Vec<SourcePlace>,
}

/// A place in a source of the story.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourcePlace {
    /// The source's index in `Opening::sources`.
    pub source: usize,
    /// Bytes of its text.
    pub start: usize,
    pub end: usize,
    /// Whose turn it is, if the source has speakers' labels.
    pub speaker: Option<String>,
}

impl SourcePlace {
    /// A stretch of a source without a speaker.
    pub fn new(source: usize, range: Range<usize>) -> Self {
        Self { source, start: range.start, end: range.end, speaker: None }
    }
}

/// The places that a prompt shows of sources that do not fit into it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShownSources {
    pub places: Vec<SourcePlace>,
    /// Length of all sources.
    pub bytes: usize,
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_passage_that_was_kept_before_there_were_tiers_reads_the_same() {
        let earlier = r#"{"file":"park.md","start":3,"end":7,"text":"Park"}"#;
        let read: Passage = serde_json::from_str(earlier).unwrap();
        assert_eq!(
            (read.tier, read.credibility, read.citation().as_str()),
            (Tier::Knowledge, None, "park.md, bytes 3-7")
        );
        assert_eq!(serde_json::to_string(&read).unwrap(), earlier);
    }

    #[test]
    fn every_tier_has_its_word() {
        for tier in [Tier::Source, Tier::Knowledge, Tier::Evidence, Tier::Found, Tier::Article] {
            assert_eq!(tier.name().parse::<Tier>(), Ok(tier));
            assert!(!tier.words().is_empty());
        }
        assert!("rumour".parse::<Tier>().is_err());
    }
}
