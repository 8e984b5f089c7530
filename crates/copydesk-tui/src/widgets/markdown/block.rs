//! A block of text that is wrapped by itself, and where its parts come from.

use std::ops::Range;

use ratatui::prelude::Style;

use crate::widgets::Theme;

/// The field that holds Markdown.
pub(crate) const BODY: &str = "articleBody";

/// A stretch of a block's text.
pub(crate) struct MarkdownPiece {
    /// Its bytes in the block's text.
    pub text: Range<usize>,
    /// Its bytes in the field; of the same length if the text is the field's own.
    pub source: Range<usize>,
    pub style: Style,
}

/// The text before the lines of a block, for one level of nesting.
#[derive(Debug, Clone)]
pub(crate) struct Edge {
    /// Tells one quotation from the next.
    pub id: usize,
    pub first: String,
    pub rest: String,
    pub style: Style,
}

/// A block of text that is wrapped by itself.
pub(crate) struct MarkdownBlock {
    pub field: &'static str,
    pub edges: Vec<Edge>,
    pub text: String,
    pub pieces: Vec<MarkdownPiece>,
    /// Whether an empty line stands before it.
    pub gap: bool,
}

impl MarkdownBlock {
    /// A field that is text as it stands.
    pub fn plain(field: &'static str, text: &str, style: Style, gap: bool) -> Self {
        let piece = MarkdownPiece { text: 0..text.len(), source: 0..text.len(), style };
        Self { field, edges: Vec::new(), text: flat(text), pieces: vec![piece], gap }
    }
}

/// One byte for each that would leave the line.
pub(crate) fn flat(text: &str) -> String {
    text.replace(['\t', '\n'], " ")
}

/// A text as it is written, a block a line.
pub(crate) fn lines(body: &str, theme: &Theme) -> Vec<MarkdownBlock> {
    let mut start = 0;
    body.split('\n')
        .map(|line| {
            let source = start..start + line.len();
            start = source.end + 1;
            let piece = MarkdownPiece { text: 0..line.len(), source, style: theme.text };
            MarkdownBlock { field: BODY, edges: Vec::new(), text: flat(line), pieces: vec![piece], gap: false }
        })
        .collect()
}
