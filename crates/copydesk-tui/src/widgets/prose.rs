//! Text that is typed, wrapped at words: no row begins with a blank, and no figure is broken. Draws it with marks below its words, and
//! moves the cursor by the rows that are seen.

use std::ops::Range;

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    style::{Modifier, Style},
    text::{Line, Span},
};
use tui_textarea::TextArea;
use unicode_segmentation::UnicodeSegmentation as _;

use crate::widgets::{
    draw,
    theme::Theme,
    wrap::{self, rows},
};

/// The visible part of a text: its beginning, and its size when it was drawn last.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProseView {
    /// The first line of the text in sight, and the first of its rows.
    top: (usize, usize),
    width: u16,
    height: u16,
}

/// Some words of the text that are marked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProseMark {
    /// Bytes of the whole text.
    pub range: Range<usize>,
    pub style: Style,
}

/// A move of the cursor by what is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowMove {
    By(isize),
    Page(isize),
    Start,
    End,
}

/// The byte of a character of a line.
pub fn byte_of(line: &str, column: usize) -> usize {
    line.char_indices().nth(column).map_or(line.len(), |(byte, _)| byte)
}

/// The byte of the whole text at which the cursor stands.
pub fn cursor_byte(area: &TextArea<'_>) -> usize {
    let cursor = area.cursor();
    at_byte(area, (cursor.0, cursor.1))
}

fn at_byte(area: &TextArea<'_>, (row, column): (usize, usize)) -> usize {
    let before: usize = area.lines().iter().take(row).map(|line| line.len() + 1).sum();
    before + area.lines().get(row).map_or(0, |line| byte_of(line, column))
}

/// The line and the character of a byte of the whole text.
pub fn place_of(lines: &[String], byte: usize) -> (usize, usize) {
    let mut left = byte;
    for (row, line) in lines.iter().enumerate() {
        if left <= line.len() {
            return (row, line.char_indices().take_while(|(at, _)| *at < left).count());
        }
        left -= line.len() + 1;
    }
    let last = lines.len().saturating_sub(1);
    (last, lines.get(last).map_or(0, |line| line.chars().count()))
}

impl ProseView {
    /// The row of a line in which a byte of it is.
    fn row_of(rows: &[Range<usize>], byte: usize) -> usize {
        rows.partition_point(|row| row.start <= byte).saturating_sub(1)
    }

    /// The place that a move takes the cursor to: line and character.
    pub fn moved(&self, area: &TextArea<'_>, by: RowMove) -> (usize, usize) {
        let cursor = area.cursor();
        let (mut line, column) = (cursor.0, cursor.1);
        let width = self.width.max(1);
        let lines = area.lines();
        let text = |line: usize| lines.get(line).map_or("", String::as_str);
        let mut all = rows(text(line), width);
        let byte = byte_of(text(line), column);
        let mut row = Self::row_of(&all, byte);
        let range = |all: &[Range<usize>], row: usize| all.get(row).cloned().unwrap_or_default();
        let here = range(&all, row);
        let chars = |line: usize, byte: usize| text(line).get(..byte).map_or(0, |head| head.chars().count());
        let steps = match by {
            RowMove::Start => return (line, chars(line, here.start)),
            RowMove::End => {
                let end = if row + 1 < all.len() {
                    text(line).get(here.clone()).map_or(here.end, |row| here.start + row.trim_end().len())
                } else {
                    here.end
                };
                return (line, chars(line, end));
            }
            RowMove::By(steps) => steps,
            RowMove::Page(pages) => pages * isize::try_from(self.height.max(2) - 1).unwrap_or(1),
        };
        let wanted = text(line).get(here.start..byte).map_or(0, wrap::width_of);
        for _ in 0..steps.unsigned_abs() {
            if steps < 0 {
                if row > 0 {
                    row -= 1;
                } else if line > 0 {
                    line -= 1;
                    all = rows(text(line), width);
                    row = all.len().saturating_sub(1);
                } else {
                    return (0, 0);
                }
            } else if row + 1 < all.len() {
                row += 1;
            } else if line + 1 < lines.len() {
                line += 1;
                all = rows(text(line), width);
                row = 0;
            } else {
                return (line, text(line).chars().count());
            }
        }
        let range = range(&all, row);
        let mut at = range.start;
        let mut columns = 0;
        for grapheme in text(line).get(range.clone()).unwrap_or_default().graphemes(true) {
            columns += wrap::width_of(grapheme);
            let is_last = at + grapheme.len() >= range.end && row + 1 < all.len();
            if columns > wanted || is_last {
                break;
            }
            at += grapheme.len();
        }
        (line, chars(line, at))
    }

    /// Brings the cursor into sight.
    fn follow(&mut self, area: &TextArea<'_>) {
        let cursor = area.cursor();
        let lines = area.lines();
        let rows_of = |line: usize| lines.get(line).map_or_else(Vec::new, |line| rows(line, self.width));
        let line = cursor.0;
        let row = Self::row_of(&rows_of(line), lines.get(line).map_or(0, |text| byte_of(text, cursor.1)));
        if (line, row) < self.top {
            self.top = (line, row);
            return;
        }
        // The rows above the cursor, as far as they fit.
        let (mut first, mut above) = ((line, row), 0);
        while above + 1 < self.height && first > self.top {
            first = if first.1 > 0 {
                (first.0, first.1 - 1)
            } else {
                (first.0 - 1, rows_of(first.0 - 1).len().saturating_sub(1))
            };
            above += 1;
        }
        self.top = self.top.max(first);
        self.fill(area);
    }

    /// Goes up if the text ends above the bottom, as it does after words were taken out: no row is left out of sight for nothing.
    fn fill(&mut self, area: &TextArea<'_>) {
        let height = usize::from(self.height);
        let rows_of = |line: &String| rows(line, self.width).len();
        let mut shown = 0_usize;
        for line in area.lines().iter().skip(self.top.0) {
            shown += rows_of(line);
            if shown >= height + self.top.1 {
                return;
            }
        }
        let mut free = (height + self.top.1).saturating_sub(shown);
        let up = free.min(self.top.1);
        self.top.1 -= up;
        free -= up;
        while free > 0 && self.top.0 > 0 {
            let above = area.lines().get(self.top.0 - 1).map_or(0, rows_of);
            self.top = (self.top.0 - 1, above.saturating_sub(free));
            free = free.saturating_sub(above);
        }
    }

    /// Draws the text with its marks. `has_cursor` says whether the cursor is shown.
    pub fn draw(
        &mut self,
        area: &TextArea<'_>,
        marks: &[ProseMark],
        has_cursor: bool,
        place: Rect,
        buf: &mut Buffer,
        theme: &Theme,
    ) {
        (self.width, self.height) = (place.width, place.height);
        if place.is_empty() {
            return;
        }
        self.top.0 = self.top.0.min(area.lines().len().saturating_sub(1));
        self.follow(area);
        let cursor = has_cursor.then(|| cursor_byte(area));
        let selected = area.selection_range().map(|(from, to)| at_byte(area, from)..at_byte(area, to));
        let mut at: usize = area.lines().iter().take(self.top.0).map(|line| line.len() + 1).sum();
        let mut free = place.rows();
        let mut skipped = self.top.1;
        for line in area.lines().iter().skip(self.top.0) {
            let all = rows(line, place.width);
            let last = all.len().saturating_sub(1);
            for (number, range) in all.into_iter().enumerate().skip(std::mem::take(&mut skipped)) {
                let Some(row) = free.next() else { return };
                let painter = Painter { at, marks, selected: selected.clone(), cursor, theme, width: place.width };
                draw::put(buf, row, painter.row(line, range, number == last));
            }
            at += line.len() + 1;
        }
    }
}

/// Draws rows of a line that begins at a byte of the text.
struct Painter<'p> {
    at: usize,
    marks: &'p [ProseMark],
    selected: Option<Range<usize>>,
    cursor: Option<usize>,
    theme: &'p Theme,
    width: u16,
}

impl Painter<'_> {
    fn row(&self, line: &str, range: Range<usize>, is_last: bool) -> Line<'static> {
        let mut spans: Vec<Span<'static>> = Vec::new();
        let mut column = 0;
        for (offset, grapheme) in line.get(range.clone()).unwrap_or_default().grapheme_indices(true) {
            let byte = self.at + range.start + offset;
            let mut shown = String::new();
            let wide = wrap::draw(grapheme, column, self.width, &mut shown);
            // Blanks that hang over the edge are not drawn.
            if column.saturating_add(wide) > self.width {
                break;
            }
            column += wide;
            let style = self.style(byte);
            match spans.last_mut().filter(|last| last.style == style) {
                Some(last) => last.content.to_mut().push_str(&shown),
                None => spans.push(Span::styled(shown, style)),
            }
        }
        if is_last && self.cursor == Some(self.at + range.end) {
            let cursor = Span::styled(" ", self.theme.text.add_modifier(Modifier::REVERSED));
            if column < self.width {
                spans.push(cursor);
            }
        }
        Line::from(spans)
    }

    fn style(&self, byte: usize) -> Style {
        let mut style = self.theme.text;
        for mark in self.marks.iter().filter(|mark| mark.range.contains(&byte)) {
            style = style.patch(mark.style);
        }
        if self.selected.as_ref().is_some_and(|selected| selected.contains(&byte)) {
            style = style.patch(self.theme.selected);
        }
        if self.cursor == Some(byte) { style.add_modifier(Modifier::REVERSED) } else { style }
    }
}

#[cfg(test)]
mod tests {
    use tui_textarea::CursorMove;

    use super::*;
    use crate::widgets::theme::ThemeName;

    const TEXT: &str = "The council voted to spend $131,500 on the swings.\n\nNobody objected.";

    fn area(text: &str) -> TextArea<'static> {
        TextArea::new(text.split('\n').map(str::to_owned).collect())
    }

    fn shown(view: &mut ProseView, area: &TextArea<'_>, width: u16, height: u16) -> Vec<String> {
        let place = Rect::new(0, 0, width, height);
        let mut buf = Buffer::empty(place);
        view.draw(area, &[], true, place, &mut buf, &Theme::named(ThemeName::Dark));
        let row = |y: u16| (0..width).map(|x| buf[(x, y)].symbol().to_owned()).collect::<String>();
        (0..height).map(|y| row(y).trim_end().to_owned()).collect()
    }

    #[test]
    fn no_row_begins_with_a_blank_and_no_figure_is_broken() {
        for width in 9..60 {
            let rows = shown(&mut ProseView::default(), &area(TEXT), width, 12);
            assert!(rows.iter().all(|row| !row.starts_with(' ')), "{rows:?}");
            assert!(rows.iter().any(|row| row.contains("$131,500")), "{rows:?}");
        }
    }

    #[test]
    fn the_cursor_moves_by_the_rows_that_are_seen_and_stays_in_sight() {
        let mut area = area(TEXT);
        let mut view = ProseView::default();
        assert_eq!(shown(&mut view, &area, 20, 3), ["The council voted to", "spend $131,500 on", "the swings."]);
        let jump = |area: &mut TextArea<'_>, (row, column): (usize, usize)| {
            area.move_cursor(CursorMove::Jump(u16::try_from(row).unwrap(), u16::try_from(column).unwrap()));
        };
        area.move_cursor(CursorMove::Jump(0, 6));
        let down = view.moved(&area, RowMove::By(1));
        jump(&mut area, down);
        assert_eq!(cursor_byte(&area), 27, "below it");
        assert_eq!(view.moved(&area, RowMove::Start), (0, 21));
        assert_eq!(view.moved(&area, RowMove::End), (0, 38));
        assert_eq!(view.moved(&area, RowMove::By(9)), (2, 16), "the last row ends");
        assert_eq!(view.moved(&area, RowMove::By(-9)), (0, 0));
        let end = view.moved(&area, RowMove::Page(2));
        jump(&mut area, end);
        assert_eq!(shown(&mut view, &area, 20, 3), ["the swings.", "", "Nobody objected."]);
        area.move_cursor(CursorMove::Top);
        assert_eq!(shown(&mut view, &area, 20, 3)[0], "The council voted to");
    }

    #[test]
    fn a_text_that_became_shorter_begins_at_the_top_again() {
        let mut long = area(&format!("{TEXT}\n\n{TEXT}\n\n{TEXT}"));
        let mut view = ProseView::default();
        long.move_cursor(CursorMove::Bottom);
        assert_eq!(shown(&mut view, &long, 20, 6)[5], "Nobody objected.");
        long.select_all();
        long.insert_str(TEXT);
        let rows = shown(&mut view, &long, 20, 6);
        assert_eq!((rows[0].as_str(), rows[4].as_str()), ("The council voted to", "Nobody objected."));
        // If it is still longer than the window, its end stands at the bottom.
        assert_eq!(shown(&mut view, &long, 20, 3), ["the swings.", "", "Nobody objected."]);
        long.select_all();
        long.insert_str("The council voted to spend $131,500 on the swings.");
        assert_eq!(shown(&mut view, &long, 20, 3), ["The council voted to", "spend $131,500 on", "the swings."]);
    }

    #[test]
    fn a_byte_has_its_line_and_its_character() {
        let area = area("Émile\nspoke");
        assert_eq!(place_of(area.lines(), 2), (0, 1));
        assert_eq!(place_of(area.lines(), 7), (1, 0));
        assert_eq!(place_of(area.lines(), 99), (1, 5));
    }
}
