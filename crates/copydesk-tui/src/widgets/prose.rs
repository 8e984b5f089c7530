//! Text that is typed, wrapped at words: no row begins with a blank, and no figure is broken. Draws it with marks below its words, and
//! moves the cursor by the rows that are seen.

use std::{ops::Range, sync::Arc};

use ratatui::prelude::{Buffer, Line, Modifier, Rect, Span, Style};
use tui_textarea::TextArea;
use unicode_segmentation::UnicodeSegmentation as _;

use crate::widgets::{PageRow, PageRows, Theme, draw, wrap};

/// The visible part of a text: its beginning, and its size when it was drawn last.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProseView {
    /// The first byte in sight.
    top: usize,
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

/// The byte of the whole text at which the cursor stands.
pub fn cursor_byte(area: &TextArea<'_>) -> usize {
    let cursor = area.cursor();
    at_byte(area, (cursor.0, cursor.1))
}

/// The byte of the whole text at a character of a line.
pub fn at_byte(area: &TextArea<'_>, (row, column): (usize, usize)) -> usize {
    let before: usize = area.lines().iter().take(row).map(|line| line.len() + 1).sum();
    let byte_of = |line: &String| line.char_indices().nth(column).map_or(line.len(), |(byte, _)| byte);
    before + area.lines().get(row).map_or(0, byte_of)
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

/// The rows of the typed text. The line feed at its end gives an empty last line its row.
fn rows_of(area: &TextArea<'_>, width: u16) -> PageRows {
    PageRows::new(Arc::from(area.lines().join("\n") + "\n"), width.max(1))
}

/// Whether a row is the last one of its line.
fn ends_line(rows: &PageRows, row: &Range<usize>) -> bool {
    rows.text().get(row.end..).is_none_or(|rest| rest.starts_with('\n'))
}

impl ProseView {
    /// The place that a move takes the cursor to: line and character.
    pub fn moved(&self, area: &TextArea<'_>, by: RowMove) -> (usize, usize) {
        let rows = rows_of(area, self.width);
        let byte = cursor_byte(area);
        let here = rows.row_of(byte);
        let range = rows.bytes(here);
        let shown = |range: &Range<usize>| rows.text().get(range.clone()).unwrap_or_default();
        let steps = match by {
            RowMove::Start => return place_of(area.lines(), range.start),
            RowMove::End if ends_line(&rows, &range) => return place_of(area.lines(), range.end),
            RowMove::End => return place_of(area.lines(), range.start + shown(&range).trim_end().len()),
            RowMove::By(steps) => steps,
            RowMove::Page(pages) => pages * isize::try_from(self.height.max(2) - 1).unwrap_or(1),
        };
        let count = steps.unsigned_abs();
        let (to, done) = if steps < 0 { rows.up(here, count) } else { rows.down(here, count) };
        if done < count {
            return if steps < 0 { (0, 0) } else { place_of(area.lines(), usize::MAX) };
        }
        let wanted = wrap::width_of(shown(&(range.start..byte)));
        let range = rows.bytes(to);
        let mut at = range.start;
        let mut columns = 0;
        for grapheme in shown(&range).graphemes(true) {
            columns += wrap::width_of(grapheme);
            let is_last = at + grapheme.len() >= range.end && !ends_line(&rows, &range);
            if columns > wanted || is_last {
                break;
            }
            at += grapheme.len();
        }
        place_of(area.lines(), at)
    }

    /// The first row in sight, so that the cursor is in sight. No row is left out of sight for nothing, as it were after words were taken out.
    fn follow(&mut self, rows: &PageRows, cursor: usize) -> PageRow {
        let above = usize::from(self.height.saturating_sub(1));
        let here = rows.row_of(cursor);
        let first = rows.first_byte(rows.up(here, above).0);
        let top = rows.row_of(self.top.max(first).min(rows.first_byte(here)));
        let (_, below) = rows.down(top, above);
        let top = rows.up(top, above - below).0;
        self.top = rows.first_byte(top);
        top
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
        let rows = rows_of(area, self.width);
        let mut row = self.follow(&rows, cursor_byte(area));
        let cursor = has_cursor.then(|| cursor_byte(area));
        let selected = area.selection_range().map(|(from, to)| at_byte(area, from)..at_byte(area, to));
        let painter = Painter { rows: &rows, marks, selected, cursor, theme, width: place.width };
        for line in place.rows() {
            draw::put(buf, line, painter.row(rows.bytes(row)));
            match rows.down(row, 1) {
                (next, 1) => row = next,
                _ => break,
            }
        }
    }
}

/// Draws rows of a text.
struct Painter<'p> {
    rows: &'p PageRows,
    marks: &'p [ProseMark],
    selected: Option<Range<usize>>,
    cursor: Option<usize>,
    theme: &'p Theme,
    width: u16,
}

impl Painter<'_> {
    fn row(&self, range: Range<usize>) -> Line<'static> {
        let mut spans: Vec<Span<'static>> = Vec::new();
        let mut column = 0;
        let text = self.rows.text().get(range.clone()).unwrap_or_default();
        let touches = |mark: &&ProseMark| mark.range.start < range.end && range.start < mark.range.end;
        let marks: Vec<&ProseMark> = self.marks.iter().filter(touches).collect();
        for (offset, grapheme) in text.grapheme_indices(true) {
            let mut shown = String::new();
            let wide = wrap::draw(grapheme, column, self.width, &mut shown);
            // Blanks that hang over the edge are not drawn.
            if column.saturating_add(wide) > self.width {
                break;
            }
            column += wide;
            let style = self.style(range.start + offset, &marks);
            match spans.last_mut().filter(|last| last.style == style) {
                Some(last) => last.content.to_mut().push_str(&shown),
                None => spans.push(Span::styled(shown, style)),
            }
        }
        if self.cursor == Some(range.end) && column < self.width && ends_line(self.rows, &range) {
            spans.push(Span::styled(" ", self.theme.text.add_modifier(Modifier::REVERSED)));
        }
        Line::from(spans)
    }

    fn style(&self, byte: usize, marks: &[&ProseMark]) -> Style {
        let here = marks.iter().filter(|mark| mark.range.contains(&byte));
        let mut style = here.fold(self.theme.text, |style, mark| style.patch(mark.style));
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
