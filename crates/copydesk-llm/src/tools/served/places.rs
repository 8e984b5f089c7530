//! Places in the texts that a tool was given.

use std::ops::Range;

use schemars::JsonSchema;
use serde::Serialize;

use copydesk_newsroom::{Source, SourceSpan};

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
    /// What it is called, if a place in it names it.
    name: Option<&'t str>,
    text: &'t str,
    /// The first byte of each line but the first.
    breaks: Vec<usize>,
}

impl<'t> NumberedText<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { name: None, text, breaks: text.match_indices('\n').map(|(at, _)| at + 1).collect() }
    }

    pub(super) fn named(name: &'t str, text: &'t str) -> Self {
        Self { name: Some(name), ..Self::new(text) }
    }

    pub(super) fn sources(sources: &'t [Source]) -> Vec<Self> {
        sources.iter().map(|source| Self::named(&source.name, &source.text)).collect()
    }

    pub(super) fn place(&self, range: Range<usize>) -> TextPlace {
        TextPlace {
            source: self.name.map(str::to_owned),
            line: self.breaks.partition_point(|start| *start <= range.start) + 1,
            start: range.start,
            end: range.end,
            text: self.text.get(range).unwrap_or_default().to_owned(),
        }
    }

    /// The place of a passage in the text of this name.
    pub(super) fn of_span(texts: &[Self], span: &SourceSpan) -> Option<TextPlace> {
        Some(texts.iter().find(|text| text.name == Some(&span.source))?.place(span.start..span.end))
    }
}
