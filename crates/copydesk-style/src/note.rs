//! The notes of rules of house style, and their levels.

use serde::Serialize;

/// Most notes of one rule on one article; what a rule finds more often than that is said by these.
pub(super) const MOST: usize = 100;

/// How much a note matters. Vale's three.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum NoteLevel {
    /// Worth a thought.
    Suggestion,
    /// Worth a change.
    Warning,
    /// Against the house's rules.
    Error,
}

impl NoteLevel {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Suggestion => "suggestion",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// A note of a rule of house style on a stretch of an article.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StyleNote {
    /// The rule, such as `Copydesk.Weasel`: the style's folder and the file's name.
    pub rule: String,
    /// How much it matters.
    pub level: NoteLevel,
    /// The message, in a sentence for the writer.
    pub message: String,
    /// The article's field, by its contract name.
    pub field: &'static str,
    /// First byte in that field.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// The text between; empty if a rule speaks of a whole field.
    pub text: String,
    /// The text to write instead, if the rule has one; empty text means: leave it out.
    pub replacement: Option<String>,
}

impl StyleNote {
    /// Whether it is about how a word is spelt.
    pub fn is_spelling(&self) -> bool {
        self.rule.starts_with("Spelling.")
    }
}

/// Puts notes in the order of the article's fields.
pub(super) fn sort(notes: &mut [StyleNote]) {
    const ORDER: [&str; 4] = ["headline", "alternativeHeadline", "description", "articleBody"];
    let place = |field: &str| ORDER.iter().position(|name| *name == field);
    notes.sort_by_cached_key(|note| (place(note.field), note.start, note.end, note.rule.clone()));
}
