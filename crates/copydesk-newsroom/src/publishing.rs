//! The Publisher's notes on an article before it goes out.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::field_in_words;

/// What a note is about.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, strum::IntoStaticStr,
)]
#[serde(rename_all = "lowercase")]
pub enum PublishingCheck {
    Headline,
    Search,
    Metadata,
    Accessibility,
    Formats,
    /// No check: its model gave no notes.
    Model,
}

/// Something that keeps readers from an article, or an article from its readers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishingNote {
    pub check: PublishingCheck,
    /// The article's field, by its contract name.
    pub field: String,
    /// First byte in that field.
    pub start: usize,
    /// One past the last byte; the same as `start` where something is missing.
    pub end: usize,
    /// The text between.
    pub text: String,
    /// The problem, in a sentence.
    pub what: String,
    /// The advice, in a sentence.
    pub fix: String,
    /// The text to write instead, where a rule knows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replacement: Option<String>,
    /// Whether a model noted it, and no rule.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_model: bool,
}

named!(PublishingCheck);

impl PublishingNote {
    /// The same note with the text to write instead.
    #[must_use]
    pub fn replaced_by(self, replacement: String) -> Self {
        Self { replacement: Some(replacement), ..self }
    }

    /// The note that stands in for a model's notes if there are none; `why` is one line.
    pub fn missing(why: &str) -> Self {
        Self {
            check: PublishingCheck::Model,
            field: String::new(),
            start: 0,
            end: 0,
            text: String::new(),
            what: format!("The notes of the Publisher’s model are missing ({}).", why.trim_end_matches('.')),
            fix: "Only rules have looked at this draft.".to_owned(),
            replacement: None,
            by_model: false,
        }
    }

    /// Whether it is no note, but says that those of the model are missing.
    pub fn is_missing(&self) -> bool {
        self.check == PublishingCheck::Model
    }

    /// Its subject, and whether a model noted it, such as `Headline (model)`.
    pub fn head(&self) -> String {
        let by = if self.by_model { " (model)" } else { "" };
        format!("{}{by}", self.check.name())
    }

    /// The check, the problem and the advice, in a line.
    pub fn line(&self) -> String {
        if self.is_missing() {
            return format!("{} {}", self.what, self.fix);
        }
        let about = if self.text.trim().is_empty() || self.field != "articleBody" {
            field_in_words(&self.field).to_owned()
        } else {
            let line = self.text.split_whitespace().collect::<Vec<_>>().join(" ");
            let short: String = line.chars().take(60).collect();
            if short == line { format!("“{line}”") } else { format!("“{short}…”") }
        };
        format!("{}, {about}: {} {}", self.head(), self.what, self.fix)
    }
}
