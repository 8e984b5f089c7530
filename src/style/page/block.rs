//! Blocks of prose, and their sentences.

use std::ops::Range;

use crate::{style::scope::Place, text::sentences::sentences};

use super::prose::Prose;

/// What kind of block it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::style) enum Kind {
    /// A heading of a level; the headlines are of the first.
    Heading(u8),
    Paragraph,
    Item,
    Quoted,
    Header,
    Cell,
}

/// A block of prose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::style) struct Block {
    /// The field's contract name.
    pub field: &'static str,
    pub kind: Kind,
    /// One of the two headlines.
    pub title: bool,
    /// Within a block quotation, whatever its kind.
    pub quoted: bool,
    pub prose: Prose,
    /// Its sentences, in the prose.
    pub sentences: Vec<Range<usize>>,
}

impl Block {
    pub fn place(&self) -> Place {
        let (kind, level) = match self.kind {
            Kind::Heading(level) => ("heading", Some(level)),
            Kind::Paragraph => ("paragraph", None),
            Kind::Item => ("list", None),
            Kind::Quoted => ("blockquote", None),
            Kind::Header => ("header", None),
            Kind::Cell => ("cell", None),
        };
        Place { kind, level, title: self.title }
    }

    /// Whether it is running text, whose sentences count.
    pub fn runs(&self) -> bool {
        matches!(self.kind, Kind::Paragraph | Kind::Item | Kind::Quoted)
    }
}

pub(super) fn finish(
    field: &'static str,
    text: &str,
    title: bool,
    Reading { kind, quoted, range, prose }: Reading,
    blocks: &mut Vec<Block>,
) {
    if prose.is_empty() {
        return;
    }
    let inside = text.get(range.clone()).unwrap_or_default();
    let sentences = sentences(inside)
        .into_iter()
        .map(|sentence| prose.within(&(range.start + sentence.start..range.start + sentence.end)))
        .filter(|sentence| !sentence.is_empty())
        .collect();
    blocks.push(Block { field, kind, title, quoted, prose, sentences });
}

/// The block that is being read.
pub(super) struct Reading {
    pub kind: Kind,
    pub quoted: bool,
    pub range: Range<usize>,
    pub prose: Prose,
}
