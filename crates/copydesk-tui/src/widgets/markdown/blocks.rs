//! Markdown as blocks: paragraphs, headings, items, rows of tables, each with where its text stands in the source. Knows no
//! width.

use std::{collections::HashMap, ops::Range};

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd};
use ratatui::prelude::{Modifier, Style};

use crate::widgets::Theme;
use crate::widgets::markdown::block::{BODY, Edge, MarkdownBlock, MarkdownPiece, flat, lines};

/// Most levels of quotations and lists that are drawn; deeper ones stand at this level.
const DEEPEST: usize = 8;

/// Longest body that is read as Markdown; a longer one is shown as it is written.
const LONGEST: usize = 512 * 1024;

/// The blocks of an article's body, its footnotes numbered and at the end.
pub(crate) fn read(body: &str, theme: &Theme) -> Vec<MarkdownBlock> {
    if body.len() > LONGEST {
        return lines(body, theme);
    }
    let mut reader = Reader { body, theme: *theme, gap: true, ..Reader::default() };
    let options = Options::ENABLE_FOOTNOTES | Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    for (event, range) in Parser::new_ext(body, options).into_offset_iter() {
        reader.take(event, range);
    }
    reader.close()
}

/// The state between two events of the parser.
#[derive(Default)]
struct Reader<'a> {
    body: &'a str,
    theme: Theme,
    /// Quotations and items that are open, outermost first; each with whether its marker is still to be drawn.
    open: Vec<(Edge, bool)>,
    /// For each open list the number of its next item, if it is numbered.
    lists: Vec<Option<u64>>,
    ids: usize,
    blocks: Vec<MarkdownBlock>,
    block: Option<MarkdownBlock>,
    gap: bool,
    heading: bool,
    quotes: usize,
    code: bool,
    /// The modifiers of emphasis and similar marks, innermost last.
    styles: Vec<Modifier>,
    links: Vec<(CowStr<'a>, usize)>,
    /// Labels of footnotes in the order in which the text refers to them.
    numbers: HashMap<String, usize>,
    notes: Vec<(String, Vec<MarkdownBlock>)>,
    /// The blocks before the footnote that is being read.
    outside: Vec<Vec<MarkdownBlock>>,
}

impl<'a> Reader<'a> {
    fn take(&mut self, event: Event<'a>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(tag, &range),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.add_lines(&text, range),
            Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.add(&text, range, self.style().add_modifier(Modifier::BOLD));
            }
            Event::FootnoteReference(label) => {
                let number = self.number(&label);
                self.add(&superscript(number), range, self.theme.accent);
            }
            Event::SoftBreak => self.add(" ", range, self.style()),
            Event::HardBreak => self.flush(),
            Event::Rule => {
                self.flush();
                self.add("───", range, self.theme.dim);
                self.flush();
                self.gap = true;
            }
            Event::TaskListMarker(done) => self.add(if done { "[x] " } else { "[ ] " }, range, self.style()),
        }
    }

    fn start(&mut self, tag: Tag<'a>, range: Range<usize>) {
        match tag {
            Tag::Emphasis => self.styles.push(Modifier::ITALIC),
            Tag::Strong => self.styles.push(Modifier::BOLD),
            Tag::Strikethrough => self.styles.push(Modifier::CROSSED_OUT),
            Tag::Link { dest_url, .. } => {
                self.styles.push(Modifier::UNDERLINED);
                let length = self.block.as_ref().map_or(0, |block| block.text.len());
                self.links.push((dest_url, length));
            }
            Tag::Image { dest_url, .. } => {
                self.styles.push(Modifier::empty());
                self.add("[image: ", range.start..range.start, self.theme.dim);
                self.links.push((dest_url, usize::MAX));
            }
            Tag::TableCell => {
                if self.block.is_some() {
                    self.add(" │ ", range.start..range.start, self.theme.dim);
                }
            }
            Tag::BlockQuote(_) => {
                self.flush();
                self.quotes += 1;
                self.enter("▎ ".to_owned(), "▎ ".to_owned(), self.theme.quote.remove_modifier(Modifier::ITALIC));
            }
            Tag::List(first) => {
                self.flush();
                self.gap &= self.lists.is_empty();
                self.lists.push(first);
            }
            Tag::Item => {
                self.flush();
                let marker = match self.lists.last_mut() {
                    Some(Some(number)) => {
                        *number = number.saturating_add(1);
                        format!("{}. ", number.saturating_sub(1))
                    }
                    _ => "• ".to_owned(),
                };
                let rest = " ".repeat(marker.chars().count());
                self.enter(marker, rest, self.theme.dim);
            }
            Tag::FootnoteDefinition(label) => {
                self.flush();
                self.notes.push((label.to_lowercase(), Vec::new()));
                self.outside.push(std::mem::take(&mut self.blocks));
                self.gap = false;
            }
            Tag::Heading { .. } | Tag::TableHead => {
                self.flush();
                self.heading = true;
            }
            Tag::CodeBlock(_) => {
                self.flush();
                self.code = true;
                self.enter("  ".to_owned(), "  ".to_owned(), self.theme.dim);
            }
            _ => self.flush(),
        }
    }

    fn end(&mut self, tag: TagEnd, range: &Range<usize>) {
        match tag {
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough => drop(self.styles.pop()),
            TagEnd::Link => {
                self.styles.pop();
                let Some((address, from)) = self.links.pop() else { return };
                let shown = self.block.as_ref().and_then(|block| block.text.get(from..)).unwrap_or_default();
                // The target of a link is part of what is signed off.
                if !address.is_empty() && shown != &*address && address.strip_prefix("mailto:") != Some(shown) {
                    self.add(&format!(" ({address})"), range.end..range.end, self.theme.dim);
                }
            }
            TagEnd::Image => {
                self.styles.pop();
                let address = self.links.pop().map_or(CowStr::from(""), |(address, _)| address);
                self.add(&format!(", {address}]"), range.end..range.end, self.theme.dim);
            }
            TagEnd::TableCell => {}
            TagEnd::TableRow => self.flush(),
            TagEnd::BlockQuote(_) => {
                self.flush();
                self.quotes = self.quotes.saturating_sub(1);
                self.open.pop();
                self.gap = true;
            }
            TagEnd::Item => {
                // An item without a word still has its marker.
                if self.block.is_none() && self.open.last().is_some_and(|(_, marked)| *marked) {
                    self.add("", range.clone(), self.theme.text);
                }
                self.flush();
                self.open.pop();
                self.gap = false;
            }
            TagEnd::List(_) => {
                self.flush();
                self.lists.pop();
                self.gap = self.lists.is_empty();
            }
            TagEnd::FootnoteDefinition => {
                self.flush();
                let blocks = std::mem::replace(&mut self.blocks, self.outside.pop().unwrap_or_default());
                // Definitions do not nest; the latest without blocks is the one that ends.
                if let Some((_, note)) = self.notes.iter_mut().rev().find(|(_, note)| note.is_empty()) {
                    *note = blocks;
                }
                self.gap = true;
            }
            TagEnd::CodeBlock => {
                self.flush();
                self.code = false;
                self.open.pop();
                self.gap = true;
            }
            TagEnd::Heading(_) | TagEnd::TableHead => {
                self.flush();
                self.heading = false;
                self.gap = matches!(tag, TagEnd::Heading(_));
            }
            _ => {
                self.flush();
                self.gap = true;
            }
        }
    }

    fn enter(&mut self, first: String, rest: String, style: Style) {
        self.ids += 1;
        self.open.push((Edge { id: self.ids, first, rest, style }, true));
    }

    fn style(&self) -> Style {
        let base = match (self.heading, self.quotes) {
            (true, _) => self.theme.heading,
            (false, 0) => self.theme.text,
            (false, _) => self.theme.quote,
        };
        // Nesting beyond what a style can hold changes nothing.
        self.styles.iter().rev().take(DEEPEST).fold(base, |style, modifier| style.add_modifier(*modifier))
    }

    fn number(&mut self, label: &str) -> usize {
        let next = self.numbers.len() + 1;
        *self.numbers.entry(label.to_lowercase()).or_insert(next)
    }

    /// Text of several lines: of a code or of HTML, each stays a line.
    fn add_lines(&mut self, text: &str, range: Range<usize>) {
        let own = self.body.get(range.clone()) == Some(text);
        let mut start = range.start;
        for line in text.split_inclusive('\n') {
            let shown = line.strip_suffix('\n').unwrap_or(line);
            let source = if own { start..start + shown.len() } else { range.clone() };
            if !shown.is_empty() || self.code {
                self.add(shown, source, self.style());
            }
            if shown.len() < line.len() {
                self.flush();
                self.gap = false;
            }
            start += line.len();
        }
    }

    fn add(&mut self, text: &str, range: Range<usize>, style: Style) {
        if self.block.is_none() {
            let edges = self.edges();
            self.block =
                Some(MarkdownBlock { field: BODY, edges, text: String::new(), pieces: Vec::new(), gap: self.gap });
            // The text after a hard break belongs to the same paragraph.
            self.gap = false;
        }
        // Marks around a code are no part of what is shown.
        let inside = self.body.get(range.clone()).filter(|own| own.len() != text.len()).and_then(|own| own.find(text));
        let source = match inside {
            Some(at) if !text.is_empty() => range.start + at..range.start + at + text.len(),
            _ => range,
        };
        if let Some(block) = self.block.as_mut() {
            let start = block.text.len();
            block.text.push_str(&flat(text));
            block.pieces.push(MarkdownPiece { text: start..block.text.len(), source, style });
        }
    }

    /// The edges before the block that begins now. Each marker is drawn once.
    fn edges(&mut self) -> Vec<Edge> {
        self.open
            .iter_mut()
            .take(DEEPEST)
            .map(|(edge, marked)| {
                let first = if std::mem::take(marked) { edge.first.clone() } else { edge.rest.clone() };
                Edge { first, ..edge.clone() }
            })
            .collect()
    }

    fn flush(&mut self) {
        self.blocks.extend(self.block.take());
    }

    fn close(mut self) -> Vec<MarkdownBlock> {
        self.flush();
        let mut notes = std::mem::take(&mut self.notes);
        for (label, _) in &notes {
            self.number(label);
        }
        notes.sort_by_key(|(label, _)| self.numbers.get(label).copied());
        let titled = self.blocks.last().is_some_and(|last| last.text.trim().eq_ignore_ascii_case("footnotes"));
        if !notes.is_empty() && !titled {
            let mut title = MarkdownBlock::plain(BODY, "Footnotes", self.theme.heading, true);
            // No part of the text.
            title.pieces.iter_mut().for_each(|piece| piece.source = self.body.len()..self.body.len());
            self.blocks.push(title);
        }
        for (index, (label, mut note)) in notes.into_iter().enumerate() {
            let first = format!("{} ", superscript(self.numbers.get(&label).copied().unwrap_or_default()));
            let rest = " ".repeat(first.chars().count());
            self.ids += 1;
            for (at, block) in note.iter_mut().enumerate() {
                let first = if at == 0 { first.clone() } else { rest.clone() };
                block.edges.insert(0, Edge { id: self.ids, first, rest: rest.clone(), style: self.theme.accent });
                block.gap |= at == 0 && index == 0;
            }
            self.blocks.append(&mut note);
        }
        self.blocks
    }
}

/// The number of a footnote, raised.
fn superscript(number: usize) -> String {
    let raised = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digits = number.to_string();
    digits.bytes().filter_map(|digit| raised.get(usize::from(digit.saturating_sub(b'0')))).collect()
}
