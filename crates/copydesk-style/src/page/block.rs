//! Blocks of prose, and their sentences.

use std::ops::Range;

use copydesk_text::sentences::sentences;

use super::prose::Prose;

/// The kind of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BlockKind {
    /// A heading of a level; the headlines are of the first.
    Heading(u8),
    Paragraph,
    Item,
    Quoted,
    Header,
    Cell,
}

impl BlockKind {
    /// Whether one word of a scope names it.
    pub fn is(self, word: &str) -> bool {
        match self {
            Self::Heading(level) => {
                word == "heading" || word.strip_prefix('h').and_then(|level| level.parse().ok()) == Some(level)
            }
            Self::Paragraph => word == "paragraph",
            Self::Item => word == "list",
            Self::Quoted => word == "blockquote",
            Self::Header => matches!(word, "header" | "table"),
            Self::Cell => matches!(word, "cell" | "table"),
        }
    }
}

/// A block of prose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ProseBlock {
    /// The field's contract name.
    pub field: &'static str,
    pub kind: BlockKind,
    /// One of the two headlines.
    pub title: bool,
    /// Within a block quotation, whatever its kind.
    pub quoted: bool,
    pub prose: Prose,
    /// Its sentences, in the prose.
    pub sentences: Vec<Range<usize>>,
}

impl ProseBlock {
    /// Whether it is running text, whose sentences count.
    pub fn runs(&self) -> bool {
        matches!(self.kind, BlockKind::Paragraph | BlockKind::Item | BlockKind::Quoted)
    }
}

pub(super) fn finish(
    field: &'static str,
    text: &str,
    title: bool,
    OpenBlock { kind, quoted, range, prose }: OpenBlock,
    blocks: &mut Vec<ProseBlock>,
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
    blocks.push(ProseBlock { field, kind, title, quoted, prose, sentences });
}

/// The block that is being read.
pub(super) struct OpenBlock {
    pub kind: BlockKind,
    pub quoted: bool,
    pub range: Range<usize>,
    pub prose: Prose,
}
