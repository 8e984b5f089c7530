//! A Word document as plain data, before it is packed.

/// A document as it is written: plain data.
#[derive(Debug, Default, PartialEq)]
pub(super) struct WordDocument {
    pub(super) title: String,
    pub(super) paragraphs: Vec<Paragraph>,
    /// The paragraphs of each footnote. [`Run::note`] counts from 0.
    pub(super) notes: Vec<Vec<Run>>,
    pub(super) comments: Vec<Comment>,
    /// The name of a bookmark at the beginning. It identifies the document if it comes back.
    pub(super) bookmark: Option<String>,
    /// The date of changes and comments: ISO 8601, UTC.
    pub(super) at: String,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, strum::IntoStaticStr)]
pub(super) enum ParagraphLook {
    Title,
    Subtitle,
    Lead,
    /// Of level 1 to 3.
    Heading(u8),
    Quote,
    Bullet,
    Numbered,
    Code,
    #[default]
    Text,
}

#[derive(Debug, Default, PartialEq)]
pub(super) struct Paragraph {
    pub(super) look: ParagraphLook,
    pub(super) runs: Vec<Run>,
    /// Whether its end was added or removed, too.
    pub(super) mark: TrackedMark,
}

/// Whether words were changed, and who asked for it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum TrackedMark {
    #[default]
    Kept,
    Inserted(String),
    Deleted(String),
}

/// Words of one kind.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Run {
    pub(super) text: String,
    pub(super) bold: bool,
    pub(super) italic: bool,
    pub(super) struck: bool,
    pub(super) link: Option<String>,
    /// A footnote in place of words.
    pub(super) note: Option<usize>,
    pub(super) mark: TrackedMark,
    /// The comments on these words.
    pub(super) comments: Vec<usize>,
}

#[derive(Debug, PartialEq)]
pub(super) struct Comment {
    pub(super) by: String,
    pub(super) text: String,
}
