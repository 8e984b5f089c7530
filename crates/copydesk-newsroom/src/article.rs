//! The article and what is known about where it came from.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The article as the writer delivers it (docs/reference/contract.md).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(non_snake_case, reason = "field names are the contract of whoever reads the file")]
pub struct ArticleResponse {
    /// The headline, one line.
    pub headline: String,
    /// A second headline for another channel, one line.
    pub alternativeHeadline: String,
    /// The article's text in Markdown.
    pub articleBody: String,
    /// One or two sentences that say what the article is about.
    pub description: String,
}

/// A field of the article in plain words, by its contract name.
pub fn field_in_words(name: &str) -> &str {
    match name {
        "articleBody" => "body",
        "alternativeHeadline" => "alternative headline",
        other => other,
    }
}

impl ArticleResponse {
    /// The four fields with their contract names, in the contract's order.
    pub fn fields(&self) -> [(&'static str, &str); 4] {
        [
            ("headline", &self.headline),
            ("alternativeHeadline", &self.alternativeHeadline),
            ("description", &self.description),
            ("articleBody", &self.articleBody),
        ]
    }

    /// The text of the field of that JSON name.
    pub fn field(&self, name: &str) -> Option<&str> {
        self.fields().into_iter().find(|(field, _)| *field == name).map(|(_, text)| text)
    }

    /// Words of the text, as every page and every message counts them.
    pub fn words(&self) -> usize {
        self.articleBody.split_whitespace().count()
    }

    /// The same article with each field passed through `change`, which also receives the field's name.
    #[must_use]
    pub fn map(&self, mut change: impl FnMut(&'static str, &str) -> String) -> Self {
        Self {
            headline: change("headline", &self.headline),
            alternativeHeadline: change("alternativeHeadline", &self.alternativeHeadline),
            description: change("description", &self.description),
            articleBody: change("articleBody", &self.articleBody),
        }
    }
}

/// The origin of an article, and how it was asked for (docs/reference/contract.md).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArticleMetadata {
    /// Path of the topic's input file, as the topic states it.
    pub source_file: String,
    /// The channel that the story belongs to.
    pub channel_name: String,
    /// Identifier of the recording or document.
    pub video_id: String,
    /// Title of the recording or document.
    pub video_title: String,
    /// Publication date as the topic states it; null only where the topic says null.
    pub publish_date: Option<String>,
    /// The story's slug.
    pub topic_slug: String,
    /// The story's working title.
    pub topic_title: String,
    /// Name of the style that the article was written in, one of `allowed_styles`.
    pub style_mode: String,
    /// The length asked for, in words, such as `900-1200`.
    pub target_length_words: String,
    /// When the article was finished: ISO 8601, UTC.
    pub generated_at: String,
}
