//! An article as a style's rules see it: blocks of plain prose, each of which knows where it stands in its field.
//!
//! Markdown is taken off. What is not the writer's own prose (the inside of a quotation, code, an address) is one
//! [`STAND_IN`], so that no pattern can look inside and sentences still hang together; footnote definitions and code
//! blocks are not there at all. What stands in a block quotation says so: only who asks for it looks inside.

use std::ops::Range;

use linkify::{LinkFinder, LinkKind};
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use crate::{
    newsroom::ArticleResponse,
    text::{marks, sentences::sentences},
};

use super::scope::Place;

/// What stands for text that no rule judges: no letter, no digit, no space, no mark that a pattern names.
pub(super) const STAND_IN: char = '\u{FFFC}';

/// Plain prose, and where each piece of it stands in the field.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Prose {
    pub text: String,
    pieces: Vec<Piece>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Piece {
    /// First byte in the prose.
    at: usize,
    /// Where it stands in the field.
    field: Range<usize>,
    /// Written the same in both, so that each byte has its own place.
    alike: bool,
}

impl Prose {
    fn push(&mut self, text: &str, field: Range<usize>, alike: bool) {
        self.pieces.push(Piece { at: self.text.len(), field, alike });
        self.text.push_str(text);
    }

    fn is_empty(&self) -> bool {
        self.text.trim_matches(|c: char| c.is_whitespace() || c == STAND_IN).is_empty()
    }

    /// Where a stretch of the prose stands in the field.
    pub fn place(&self, range: &Range<usize>) -> Range<usize> {
        let start = self.byte(range.start, false);
        let end = self.byte(range.end, true);
        start..end.max(start)
    }

    /// The field's byte for one of the prose; for an end, that of the piece before it.
    fn byte(&self, at: usize, end: bool) -> usize {
        let index = self.pieces.partition_point(|piece| if end { piece.at < at } else { piece.at <= at });
        let Some(piece) = index.checked_sub(1).and_then(|index| self.pieces.get(index)) else {
            return self.pieces.first().map_or(0, |piece| piece.field.start);
        };
        if piece.alike {
            (piece.field.start + (at - piece.at)).min(piece.field.end)
        } else if end {
            piece.field.end
        } else {
            piece.field.start
        }
    }

    /// The stretch of the prose that stands in a stretch of the field.
    fn within(&self, field: &Range<usize>) -> Range<usize> {
        let at = |byte: usize| {
            let index = self.pieces.partition_point(|piece| piece.field.end <= byte);
            self.pieces.get(index).map_or(self.text.len(), |piece| {
                let inside = byte.saturating_sub(piece.field.start);
                piece.at + if piece.alike { inside } else { 0 }
            })
        };
        at(field.start)..at(field.end)
    }
}

/// What kind of block it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
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
pub(super) struct Block {
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

/// A whole article.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Page<'a> {
    /// The fields with their contract names.
    pub fields: [(&'static str, &'a str); 4],
    /// The blocks, in the fields' order.
    pub blocks: Vec<Block>,
    /// Each field as it is written, but for what no rule judges, block quotations too.
    pub raw: Vec<(&'static str, Prose)>,
}

impl<'a> Page<'a> {
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
                let kind = if title { Kind::Heading(1) } else { Kind::Paragraph };
                let mut prose = Prose::default();
                copy(text, 0..text.len(), &closed, &mut prose);
                let reading = Reading { kind, quoted: false, range: 0..text.len(), prose };
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

/// The stretches of a field that no rule looks into, in order and apart: the inside of quotations, and addresses.
fn closed(text: &str) -> Vec<Range<usize>> {
    let mut closed: Vec<Range<usize>> = marks::quotations(text)
        .into_iter()
        .filter(|quotation| quotation.mark != marks::Mark::Block)
        .map(|quotation| quotation.start..quotation.end)
        .collect();
    let mut finder = LinkFinder::new();
    finder.kinds(&[LinkKind::Url, LinkKind::Email]);
    closed.extend(finder.links(text).map(|link| link.start()..link.end()));
    apart(closed)
}

/// Stretches in order; those that overlap as one.
fn apart(mut closed: Vec<Range<usize>>) -> Vec<Range<usize>> {
    closed.retain(|range| !range.is_empty());
    closed.sort_by_key(|range| (range.start, range.end));
    let mut apart: Vec<Range<usize>> = Vec::with_capacity(closed.len());
    for range in closed {
        match apart.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => apart.push(range),
        }
    }
    apart
}

/// Copies a stretch of the field, a stand-in for each closed stretch in it.
fn copy(text: &str, range: Range<usize>, closed: &[Range<usize>], prose: &mut Prose) {
    let mut at = range.start;
    let first = closed.partition_point(|closed| closed.end <= range.start);
    for hidden in closed.iter().skip(first).take_while(|hidden| hidden.start < range.end) {
        if hidden.start > at {
            prose.push(text.get(at..hidden.start).unwrap_or_default(), at..hidden.start, true);
        }
        stand_in(hidden, prose);
        at = hidden.end;
    }
    if at < range.end {
        prose.push(text.get(at..range.end).unwrap_or_default(), at..range.end, true);
    }
}

/// One stand-in for a closed stretch, however many pieces of Markdown it is made of.
fn stand_in(hidden: &Range<usize>, prose: &mut Prose) {
    if prose.pieces.last().is_none_or(|piece| piece.field != *hidden) {
        prose.push(STAND_IN.encode_utf8(&mut [0; 4]), hidden.clone(), false);
    }
}

fn finish(
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
struct Reading {
    kind: Kind,
    quoted: bool,
    range: Range<usize>,
    prose: Prose,
}

/// Reads Markdown as blocks; returns where its block quotations stand.
fn markdown(field: &'static str, text: &str, closed: &[Range<usize>], blocks: &mut Vec<Block>) -> Vec<Range<usize>> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_STRIKETHROUGH;
    let mut open: Option<Reading> = None;
    let mut cited = Vec::new();
    // What is skipped as a whole, and how deep in it the reader is.
    let mut skipped = 0_usize;
    let (mut items, mut quoted, mut header) = (0_usize, 0_usize, false);
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        match event {
            Event::Start(
                Tag::FootnoteDefinition(_)
                | Tag::CodeBlock(_)
                | Tag::Image { .. }
                | Tag::HtmlBlock
                | Tag::MetadataBlock(_),
            ) => skipped += 1,
            Event::End(
                TagEnd::FootnoteDefinition
                | TagEnd::CodeBlock
                | TagEnd::Image
                | TagEnd::HtmlBlock
                | TagEnd::MetadataBlock(_),
            ) => skipped = skipped.saturating_sub(1),
            _ if skipped > 0 => {}
            Event::Start(Tag::List(_)) => close(field, text, &mut open, blocks),
            Event::Start(Tag::BlockQuote(_)) => {
                quoted += 1;
                let inside = text.get(range.clone()).unwrap_or_default().trim_end();
                cited.push(range.start..range.start + inside.len());
            }
            Event::End(TagEnd::BlockQuote(_)) => quoted = quoted.saturating_sub(1),
            Event::Start(Tag::TableHead) => header = true,
            Event::End(TagEnd::TableHead) => header = false,
            Event::Start(tag @ (Tag::Paragraph | Tag::Heading { .. } | Tag::Item | Tag::TableCell)) => {
                close(field, text, &mut open, blocks);
                items += usize::from(tag == Tag::Item);
                let kind = match tag {
                    Tag::Heading { level, .. } => Kind::Heading(level_of(level)),
                    Tag::TableCell if header => Kind::Header,
                    Tag::TableCell => Kind::Cell,
                    _ if items > 0 => Kind::Item,
                    _ if quoted > 0 => Kind::Quoted,
                    _ => Kind::Paragraph,
                };
                open = Some(Reading { kind, quoted: quoted > 0, range, prose: Prose::default() });
            }
            Event::End(end @ (TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::Item | TagEnd::TableCell)) => {
                close(field, text, &mut open, blocks);
                items -= usize::from(end == TagEnd::Item).min(items);
            }
            Event::Text(written) => {
                let Some(Reading { prose, .. }) = &mut open else { continue };
                if text.get(range.clone()) == Some(&*written) {
                    copy(text, range, closed, prose);
                } else if let Some(hidden) =
                    closed.iter().find(|hidden| hidden.start <= range.start && range.end <= hidden.end)
                {
                    stand_in(hidden, prose);
                } else {
                    prose.push(&written, range, false);
                }
            }
            Event::Code(_) | Event::InlineMath(_) | Event::DisplayMath(_) => {
                if let Some(Reading { prose, .. }) = &mut open {
                    stand_in(&range, prose);
                }
            }
            Event::SoftBreak | Event::HardBreak => {
                if let Some(Reading { prose, .. }) = &mut open {
                    match closed.iter().find(|hidden| hidden.start <= range.start && range.end <= hidden.end) {
                        Some(hidden) => stand_in(hidden, prose),
                        None => prose.push(" ", range, false),
                    }
                }
            }
            _ => {}
        }
    }
    close(field, text, &mut open, blocks);
    cited
}

fn close(field: &'static str, text: &str, open: &mut Option<Reading>, blocks: &mut Vec<Block>) {
    if let Some(reading) = open.take() {
        finish(field, text, false, reading, blocks);
    }
}

fn level_of(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn article(body: &str) -> ArticleResponse {
        ArticleResponse {
            headline: "A headline".into(),
            alternativeHeadline: String::new(),
            articleBody: body.into(),
            description: "What it says.".into(),
        }
    }

    fn body(text: &str) -> Vec<(Kind, String)> {
        let article = article(text);
        let blocks = Page::new(&article).blocks;
        blocks
            .into_iter()
            .filter(|block| block.field == "articleBody")
            .map(|block| (block.kind, block.prose.text))
            .collect()
    }

    #[test]
    fn markdown_is_taken_off_and_what_is_nobodys_prose_is_closed() {
        assert_eq!(
            body(
                "## A *new* ramp\n\nShe said “it is\nvery late” at https://example.org/very today.[^1]\nRun `very` & [read](x.md).\n\n\
                 - one\n- two\n\n> cited\n\n| a | b |\n|---|---|\n| c | d |\n\n```\nvery\n```\n\n[^1]: A very long note.\n"
            ),
            [
                (Kind::Heading(2), "A new ramp".to_owned()),
                (Kind::Paragraph, "She said “\u{FFFC}” at \u{FFFC} today. Run \u{FFFC} & read.".to_owned()),
                (Kind::Item, "one".to_owned()),
                (Kind::Item, "two".to_owned()),
                (Kind::Quoted, "cited".to_owned()),
                (Kind::Header, "a".to_owned()),
                (Kind::Header, "b".to_owned()),
                (Kind::Cell, "c".to_owned()),
                (Kind::Cell, "d".to_owned()),
            ]
        );
    }

    #[test]
    fn a_stretch_of_prose_knows_its_place_in_the_field() {
        let text = "It is *very* unique &amp; “quite so” he\nsaid.";
        let article = article(text);
        let page = Page::new(&article);
        let block = page.blocks.last().unwrap();
        let at = |words: &str| {
            let start = block.prose.text.find(words).unwrap();
            text.get(block.prose.place(&(start..start + words.len()))).unwrap()
        };
        assert_eq!(at("very unique"), "very* unique");
        assert_eq!(at("& “\u{FFFC}”"), "&amp; “quite so”");
        assert_eq!(at("he said"), "he\nsaid");
        assert_eq!(at("\u{FFFC}"), "quite so");
    }

    #[test]
    fn sentences_end_inside_quotations_too() {
        let article = article("“It is late.” She left. He *stayed*.");
        let page = Page::new(&article);
        let block = page.blocks.last().unwrap();
        let texts: Vec<&str> =
            block.sentences.iter().map(|range| block.prose.text.get(range.clone()).unwrap()).collect();
        assert_eq!(texts, ["“\u{FFFC}”", "She left.", "He stayed."]);
    }

    proptest! {
        #[test]
        fn every_place_is_one_of_the_field(text in "\\PC*|([a-z]{1,4}|[*_`“”\"\\[\\]()#>|&;:/.-]| |\n|https://a\\.b|[^1]){0,60}") {
            let article = article(&text);
            let page = Page::new(&article);
            for block in &page.blocks {
                let field = page.text(block.field);
                for (at, c) in block.prose.text.char_indices() {
                    let place = block.prose.place(&(at..at + c.len_utf8()));
                    prop_assert!(field.get(place).is_some());
                }
                for sentence in &block.sentences {
                    prop_assert!(block.prose.text.get(sentence.clone()).is_some());
                    prop_assert!(field.get(block.prose.place(sentence)).is_some());
                }
            }
        }
    }
}
