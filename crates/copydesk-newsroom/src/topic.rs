//! The topic file's contract (docs/reference/contract.md).

use serde::{Deserialize, Serialize};

use super::{PathName, StoryKey};

/// Where the source text comes from. Every value is non-empty; `publish_date` may be null only where the file says so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceMetadata {
    /// Path of the topic's input file, as the file itself states it.
    pub source_file: String,
    /// The channel, which is also a folder's name.
    pub channel_name: PathName,
    /// Identifier of the recording or document.
    pub video_id: String,
    /// Title of the recording or document.
    pub video_title: String,
    /// Publication date, free text.
    pub publish_date: Option<String>,
    /// The slug, which is also a file's name.
    pub topic_slug: PathName,
    /// The working title.
    pub topic_title: String,
}

/// One topic, checked: what the desk works on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Topic {
    /// The source text, sanitised, non-empty.
    pub source_text: String,
    pub source_metadata: SourceMetadata,
    /// Name of the style, one of `allowed_styles`.
    pub style_mode: String,
    /// The length asked for, in words, such as `900-1200`.
    pub target_length_words: String,
    /// The angle, where the assignment names one.
    pub optional_angle: Option<String>,
}

impl Topic {
    /// The story that this topic belongs to.
    pub fn story(&self) -> StoryKey {
        StoryKey::new(self.source_metadata.channel_name.clone(), self.source_metadata.topic_slug.clone())
    }
}

/// One source document: a witness that a draft is held against.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// The name for a reader: the file's name, or the topic's title for its own text.
    pub name: String,
    /// Its text, sanitised.
    pub text: String,
}
