//! Roles of stretches of text, so that pages, articles and answers use the same colours.

use std::ops::Range;

use ratatui::prelude::{Modifier, Style};

use crate::widgets::Theme;

/// The role of a stretch of text. Of several roles, the later one of this list is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TextRole {
    /// Running text.
    Text,
    /// Less important: brackets and commas of JSON, marks of Markdown.
    Dim,
    /// The name of a field, a link, a code.
    Name,
    /// A number, true, false, null.
    Value,
    /// Emphasis.
    Emphasis,
    /// Strong emphasis.
    Strong,
    /// A quotation.
    Quote,
    /// A heading.
    Heading,
    /// Words that were removed.
    Removed,
    /// Words that were added.
    Added,
    /// The excerpt of a concern that is not the selected one.
    Concern,
    /// The passage of a source that is talked about.
    Passage,
    /// The selected concern's excerpt.
    Excerpt,
    /// A search hit.
    Hit,
    /// The current hit of the search.
    CurrentHit,
}

impl TextRole {
    /// How it looks. Each differs from running text without any colour, too.
    pub(crate) fn style(self, theme: &Theme) -> Style {
        match self {
            Self::Text => theme.text,
            Self::Dim => theme.dim,
            Self::Name => theme.accent,
            Self::Value => theme.running,
            Self::Emphasis => theme.text.add_modifier(Modifier::ITALIC),
            Self::Strong => theme.text.add_modifier(Modifier::BOLD),
            Self::Quote => theme.quote,
            Self::Heading => theme.heading,
            Self::Removed => theme.removed,
            Self::Added => theme.added,
            // Not bold: without colour it would look like a hit.
            Self::Concern => theme.warn.remove_modifier(Modifier::BOLD).add_modifier(Modifier::UNDERLINED),
            Self::Passage | Self::Excerpt => theme.marked,
            Self::Hit => theme.accent.add_modifier(Modifier::UNDERLINED),
            Self::CurrentHit => theme.selected.add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
        }
    }
}

/// A stretch of a text and its role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The bytes.
    pub range: Range<usize>,
    pub role: TextRole,
}

impl Mark {
    /// A mark.
    pub fn new(range: Range<usize>, role: TextRole) -> Self {
        Self { range, role }
    }

    /// Whether it touches any of the bytes.
    pub(crate) fn touches(&self, start: usize, end: usize) -> bool {
        self.range.start < end && self.range.end > start
    }
}
