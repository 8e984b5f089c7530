//! An article as it reads: headline, description and body of Markdown, wrapped to a width, with what is marked in it.
//!
//! Each drawn character knows the bytes of the field that it stands for, so that an excerpt of a concern is found again on the screen. Raw
//! HTML is text here. For any Markdown, the work is about linear in its length.

mod block;
mod blocks;

use std::ops::Range;

use ratatui::prelude::{Line, Modifier, Span};
use unicode_segmentation::UnicodeSegmentation as _;

use crate::widgets::markdown::block::{Edge, MarkdownBlock, MarkdownPiece};
use crate::widgets::{TextRole, Theme, wrap};
use copydesk_newsroom::ArticleResponse;

/// A stretch of one of an article's fields, and what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldMark {
    /// The field, by its contract name.
    pub field: &'static str,
    /// The bytes in that field.
    pub range: Range<usize>,
    pub role: TextRole,
}

/// An article, laid out. Made anew where the article, the width, the theme or the marks change; cheap to draw from.
#[derive(Debug, Clone, Default)]
pub struct Rendered {
    /// The lines, none wider than the width.
    pub lines: Vec<Line<'static>>,
    /// For each line, the field and the first byte of it that the line stands for; none for an empty line.
    origins: Vec<Option<(&'static str, usize)>>,
    /// For each mark, its first line.
    firsts: Vec<Option<usize>>,
}

impl Rendered {
    /// Lays `article` out at `width` columns. No columns, no lines.
    pub fn new(article: &ArticleResponse, width: u16, theme: &Theme, marks: &[FieldMark]) -> Self {
        let mut rendered = Self { firsts: vec![None; marks.len()], ..Self::default() };
        if width == 0 {
            return rendered;
        }
        let aside = theme.dim.add_modifier(Modifier::ITALIC);
        let lead = theme.text.add_modifier(Modifier::ITALIC);
        let mut all = vec![
            MarkdownBlock::plain("headline", &article.headline, theme.heading, false),
            MarkdownBlock::plain("alternativeHeadline", &article.alternativeHeadline, aside, false),
            MarkdownBlock::plain("description", &article.description, lead, true),
        ];
        all.extend(blocks::read(&article.articleBody, theme));
        all.retain(|block| !block.text.is_empty() || block.field == "articleBody");
        let mut above: &[Edge] = &[];
        for block in &all {
            if block.gap && !rendered.lines.is_empty() {
                let shared = block.edges.iter().zip(above).take_while(|(one, other)| one.id == other.id).count();
                let bars = before(block.edges.get(..shared).unwrap_or_default(), false, width);
                rendered.push(Line::from(bars), None);
            }
            rendered.lay(block, width, theme, marks);
            above = &block.edges;
        }
        rendered.find_the_hidden(marks);
        rendered
    }

    /// The first line of a mark, by its index; `None` if its field has no line.
    pub(crate) fn first_line_of(&self, mark: usize) -> Option<usize> {
        self.firsts.get(mark).copied().flatten()
    }

    /// The line that a byte of a field stands in, or the one before it if the byte is not shown.
    pub(crate) fn line_of(&self, field: &str, byte: usize) -> Option<usize> {
        let lines = self.origins.iter().enumerate();
        let before = lines.filter_map(|(line, origin)| {
            origin.filter(|(own, from)| *own == field && *from <= byte).map(|(_, from)| (from, line))
        });
        // Footnotes stand elsewhere than in the text; of lines that begin at the same byte the first is meant.
        before.max_by_key(|(from, line)| (*from, std::cmp::Reverse(*line))).map(|(_, line)| line)
    }

    fn push(&mut self, line: Line<'static>, origin: Option<(&'static str, usize)>) {
        self.lines.push(line);
        self.origins.push(origin);
    }

    fn lay(&mut self, block: &MarkdownBlock, width: u16, theme: &Theme, marks: &[FieldMark]) {
        let own: Vec<(usize, &FieldMark)> =
            marks.iter().enumerate().filter(|(_, mark)| mark.field == block.field).collect();
        let edge: usize = before(&block.edges, true, width).iter().map(|span| wrap::width_of(&span.content)).sum();
        let room = width.saturating_sub(u16::try_from(edge).unwrap_or(width)).max(1);
        let mut next = 0;
        for (number, row) in wrap::rows(&block.text, room).into_iter().enumerate() {
            let mut spans = before(&block.edges, number == 0, width);
            let edges = spans.len();
            let shown = block.text.get(row.clone()).unwrap_or_default().trim_end();
            let end = row.start + shown.len();
            let drawn = Row::new(block, row.start, shown);
            while block
                .pieces
                .get(next)
                .is_some_and(|piece| piece.text.end <= row.start && next + 1 < block.pieces.len())
            {
                next += 1;
            }
            let pieces = block.pieces.get(next..).unwrap_or_default();
            let origin = pieces.first().map(|piece| (block.field, source_of(piece, row.start)));
            for piece in pieces.iter().take_while(|piece| piece.text.start < end) {
                let (from, to) = (piece.text.start.max(row.start), piece.text.end.min(end));
                let part = drawn.at_or_behind(from)..drawn.at_or_behind(to);
                self.paint(&drawn, piece, part, theme, &own, &mut spans);
            }
            let plain = |text: &str| text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
            for span in spans.iter_mut().skip(edges).filter(|span| !plain(&span.content)) {
                span.content = wrap::fitting(&span.content, room).into();
            }
            self.push(Line::from(spans), origin);
        }
    }

    /// Adds the text of `part` of a row, cut where marks begin and end.
    fn paint(
        &mut self,
        row: &Row<'_>,
        piece: &MarkdownPiece,
        part: Range<usize>,
        theme: &Theme,
        marks: &[(usize, &FieldMark)],
        spans: &mut Vec<Span<'static>>,
    ) {
        let touching: Vec<(Range<usize>, TextRole)> = marks
            .iter()
            .filter_map(|(index, mark)| {
                let range = in_text(piece, &mark.range)?;
                let range = row.at_or_behind(range.start.max(part.start))..row.at_or_behind(range.end.min(part.end));
                (range.start < range.end).then(|| {
                    let here = self.lines.len();
                    if let Some(first) = self.firsts.get_mut(*index) {
                        first.get_or_insert(here);
                    }
                    (range, mark.role)
                })
            })
            .collect();
        let mut cuts: Vec<usize> = touching.iter().flat_map(|(range, _)| [range.start, range.end]).collect();
        cuts.extend([part.start, part.end]);
        cuts.retain(|cut| part.start <= *cut && *cut <= part.end);
        cuts.sort_unstable();
        cuts.dedup();
        for (start, end) in cuts.iter().zip(cuts.iter().skip(1)) {
            let text = row.block.text.get(*start..*end).unwrap_or_default();
            let role = touching
                .iter()
                .filter(|(range, _)| range.start <= *start && range.end >= *end)
                .map(|(_, role)| *role)
                .max();
            let style = role.map_or(piece.style, |role| piece.style.patch(role.style(theme)));
            spans.push(Span::styled(text.to_owned(), style));
        }
    }

    /// A mark without a visible character (the stars of an emphasis, say) is at the end of the text before it.
    fn find_the_hidden(&mut self, marks: &[FieldMark]) {
        let before = |mark: &FieldMark| self.line_of(mark.field, mark.range.start);
        self.firsts = self.firsts.iter().zip(marks).map(|(first, mark)| first.or_else(|| before(mark))).collect();
    }
}

/// The byte of the field that a byte of the block's text stands for.
fn source_of(piece: &MarkdownPiece, at: usize) -> usize {
    if piece.source.len() == piece.text.len() {
        piece.source.start + at.saturating_sub(piece.text.start)
    } else {
        piece.source.start
    }
}

/// The bytes of the block's text that bytes of the field are drawn as, as far as they are in this piece.
fn in_text(piece: &MarkdownPiece, range: &Range<usize>) -> Option<Range<usize>> {
    if range.end <= piece.source.start || range.start >= piece.source.end {
        return None;
    }
    if piece.source.len() != piece.text.len() {
        return Some(piece.text.clone());
    }
    let start = range.start.max(piece.source.start) - piece.source.start;
    let end = range.end.min(piece.source.end) - piece.source.start;
    Some(piece.text.start + start..piece.text.start + end)
}

/// A row of a block. No span of it begins within a grapheme: the parts would be drawn beside each other, and the row would be wider than
/// it was measured.
struct Row<'a> {
    block: &'a MarkdownBlock,
    /// Where its graphemes begin, and its end; none if each byte is one.
    graphemes: Option<Vec<usize>>,
}

impl<'a> Row<'a> {
    /// The row of a block whose text begins at `start`, and reads so.
    fn new(block: &'a MarkdownBlock, start: usize, shown: &str) -> Self {
        let places = || shown.grapheme_indices(true).map(|(at, _)| start + at).chain([start + shown.len()]).collect();
        Self { block, graphemes: (!shown.is_ascii()).then(places) }
    }

    /// The next place at or behind a byte at which a span may begin.
    fn at_or_behind(&self, byte: usize) -> usize {
        let Some(places) = &self.graphemes else { return byte };
        let next = places.get(places.partition_point(|place| *place < byte)).or(places.last());
        next.copied().unwrap_or(byte)
    }
}

/// The text before a line, up to half the width.
fn before(edges: &[Edge], first: bool, width: u16) -> Vec<Span<'static>> {
    let mut room = usize::from(width / 2);
    edges
        .iter()
        .map_while(|edge| {
            let text = if first { &edge.first } else { &edge.rest };
            room = room.checked_sub(wrap::width_of(text))?;
            Some(Span::styled(text.clone(), edge.style))
        })
        .collect()
}

#[cfg(test)]
mod tests;
