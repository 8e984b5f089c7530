//! Places in the texts that a tool was given.

use std::ops::Range;

use schemars::JsonSchema;
use serde::Serialize;

use copydesk_newsroom::SourceSpan;

/// A stretch of a text. Lines count from 1; start and end are bytes of its UTF-8.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TextPlace {
    /// The source's name; none for the text that is checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    pub line: usize,
    pub start: usize,
    pub end: usize,
    /// The text between.
    pub text: String,
}

/// A text whose lines are counted once.
#[derive(Debug)]
pub(super) struct NumberedText<'t> {
    text: &'t str,
    /// The first byte of each line but the first.
    breaks: Vec<usize>,
}

impl<'t> NumberedText<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, breaks: text.match_indices('\n').map(|(at, _)| at + 1).collect() }
    }

    pub(super) fn line(&self, byte: usize) -> usize {
        self.breaks.partition_point(|start| *start <= byte) + 1
    }

    pub(super) fn place(&self, range: Range<usize>, source: Option<&str>) -> TextPlace {
        TextPlace {
            source: source.map(str::to_owned),
            line: self.line(range.start),
            start: range.start,
            end: range.end,
            text: self.text.get(range).unwrap_or_default().to_owned(),
        }
    }

    pub(super) fn of_span(&self, span: SourceSpan) -> TextPlace {
        TextPlace {
            line: self.line(span.start),
            source: Some(span.source),
            start: span.start,
            end: span.end,
            text: span.text,
        }
    }
}
