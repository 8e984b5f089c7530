//! An article as a style's rules see it: blocks of plain prose. Each block knows its place in its field.
//!
//! Markdown is taken off. What is not the writer's own prose (the inside of a quotation, code, an address) is one
//! [`STAND_IN`], so that no pattern can look inside and sentences still hang together; footnote definitions and code
//! blocks are not there at all. What stands in a block quotation says so: only who asks for it looks inside.

mod block;
mod closed;
mod markdown;
mod prose;

use copydesk_newsroom::ArticleResponse;

pub(super) use block::{BlockKind, ProseBlock};
use block::{OpenBlock, finish};
use closed::{apart, closed};
use markdown::markdown;
use prose::copy;
pub(super) use prose::{Prose, STAND_IN};

/// A whole article.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ProsePage<'a> {
    /// The fields with their contract names.
    pub fields: [(&'static str, &'a str); 4],
    /// The blocks, in the fields' order.
    pub blocks: Vec<ProseBlock>,
    /// Each field as it is written, but for what no rule judges, block quotations too.
    pub raw: Vec<(&'static str, Prose)>,
}

impl<'a> ProsePage<'a> {
    pub fn new(article: &'a ArticleResponse) -> Self {
        let fields = article.fields();
        let mut blocks = Vec::new();
        let mut raw = Vec::new();
        for (name, text) in fields {
            let mut closed = closed(text);
            if name == "articleBody" {
                let cited = markdown(name, text, &closed, &mut blocks);
                closed = apart(closed.into_iter().chain(cited).collect());
            } else if !text.trim().is_empty() {
                let title = name != "description";
                let kind = if title { BlockKind::Heading(1) } else { BlockKind::Paragraph };
                let mut prose = Prose::default();
                copy(text, 0..text.len(), &closed, &mut prose);
                let reading = OpenBlock { kind, quoted: false, range: 0..text.len(), prose };
                finish(name, text, title, reading, &mut blocks);
            }
            let mut prose = Prose::default();
            copy(text, 0..text.len(), &closed, &mut prose);
            raw.push((name, prose));
        }
        Self { fields, blocks, raw }
    }

    pub fn text(&self, field: &str) -> &'a str {
        self.fields.iter().find(|(name, _)| *name == field).map_or("", |(_, text)| text)
    }

    /// The prose of the body's blocks, one below the other, quotations and all: what a reader reads.
    pub fn read_aloud(article: &ArticleResponse) -> String {
        let mut blocks = Vec::new();
        markdown("articleBody", &article.articleBody, &[], &mut blocks);
        blocks.into_iter().map(|block| block.prose.text).collect::<Vec<_>>().join("\n\n")
    }
}

#[cfg(test)]
mod tests;
