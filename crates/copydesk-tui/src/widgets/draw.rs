//! The basic drawing functions. All of them accept any area and draw nothing outside it.

use ratatui::buffer::CellWidth as _;
use ratatui::prelude::{Buffer, Line, Position, Rect, Span, Style, Widget as _};
use ratatui::widgets::{Block, Clear};

use crate::screens::article::Printed;
use crate::widgets::{Page, ScrolledText as _, Theme, words};

/// A line in the first row of `area`.
pub fn put<'a>(buf: &mut Buffer, area: Rect, line: impl Into<Line<'a>>) {
    let area = area.intersection(buf.area);
    if !area.is_empty() {
        buf.set_line(area.x, area.y, &line.into(), area.width);
    }
}

/// The words that are being typed, behind a prompt: `> typed▏`.
pub fn typed(buf: &mut Buffer, row: Rect, text: &str, theme: &Theme) {
    let text = words::fit_end(text, usize::from(row.width).saturating_sub(3));
    let line = vec![Span::styled("> ", theme.accent), Span::raw(text), Span::styled("▏", theme.accent)];
    put(buf, row, Line::from(line));
}

/// A line at the right end of the first row of `area`.
pub fn put_right<'a>(buf: &mut Buffer, area: Rect, line: impl Into<Line<'a>>) {
    let line = line.into();
    let used = line.spans.iter().map(|span| words::width(&span.content)).sum::<usize>();
    let used = u16::try_from(used).unwrap_or(u16::MAX).min(area.width);
    put(buf, Rect { x: area.right().saturating_sub(used), width: used, ..area }, line);
}

/// Draws lines from the top of `area`, as many as fit. Returns the rest of the area.
pub fn lines<'a>(buf: &mut Buffer, area: Rect, lines: impl IntoIterator<Item = Line<'a>>) -> Rect {
    let mut left = area;
    for line in lines {
        if left.is_empty() {
            break;
        }
        put(buf, left, line);
        left = below(left, 1);
    }
    left
}

/// Draws lines at the foot of `area`. Returns the area above them, and theirs.
pub fn at_foot(buf: &mut Buffer, area: Rect, said: Vec<Line<'_>>) -> (Rect, Rect) {
    let (rest, foot) = bottom(area, u16::try_from(said.len()).unwrap_or(u16::MAX));
    lines(buf, foot, said);
    (rest, foot)
}

/// `area` without its first `rows` rows.
pub fn below(area: Rect, rows: u16) -> Rect {
    let rows = rows.min(area.height);
    Rect { y: area.y.saturating_add(rows), height: area.height - rows, ..area }
}

/// The first `rows` rows of `area`, and the rest.
pub fn top(area: Rect, rows: u16) -> (Rect, Rect) {
    (Rect { height: rows.min(area.height), ..area }, below(area, rows))
}

/// All but the last `rows` rows of `area`, and those.
pub fn bottom(area: Rect, rows: u16) -> (Rect, Rect) {
    top(area, area.height.saturating_sub(rows))
}

/// `area` without its first `columns` columns.
pub fn indented(area: Rect, columns: u16) -> Rect {
    let columns = columns.min(area.width);
    Rect { x: area.x.saturating_add(columns), width: area.width - columns, ..area }
}

/// A frame with its title; returns what is inside. The title of the pane that has the keyboard is reversed, which is seen
/// without colours too.
pub fn pane(buf: &mut Buffer, area: Rect, title: &str, theme: &Theme, focus: bool) -> Rect {
    let area = area.intersection(buf.area);
    let (border, name) =
        if focus { (theme.accent, theme.accent.patch(theme.selected)) } else { (theme.dim, theme.heading) };
    let mut block = Block::bordered().border_style(border);
    let title = words::fit(title, usize::from(area.width.saturating_sub(4)));
    if !title.is_empty() {
        block = block.title(Span::styled(format!(" {title} "), name));
    }
    let inner = block.inner(area);
    block.render(area, buf);
    inner
}

/// A line with a title instead of a frame. Returns the area below.
pub fn rule(buf: &mut Buffer, area: Rect, title: &str, theme: &Theme, focus: bool) -> Rect {
    let (row, rest) = top(area, 1);
    let (line, name) =
        if focus { (theme.accent, theme.accent.patch(theme.selected)) } else { (theme.dim, theme.heading) };
    let width = usize::from(row.width);
    let title = words::fit(title, width.saturating_sub(4));
    let left = width.saturating_sub(words::width(&title) + 3);
    let title = Span::styled(format!(" {title} "), name);
    put(buf, row, Line::from(vec![Span::styled("─", line), title, Span::styled("─".repeat(left), line)]));
    rest
}

/// Words in the frame of a pane, at the right end of its first or last row; left out if the title needs the room.
pub fn on_frame(buf: &mut Buffer, area: Rect, last_row: bool, taken: usize, said: &str, theme: &Theme) {
    let used = words::width(said) + 2;
    if said.is_empty() || area.height < 2 || used + taken + 6 > usize::from(area.width) {
        return;
    }
    let y = if last_row { area.bottom().saturating_sub(1) } else { area.y };
    let row = Rect { y, height: 1, width: area.width.saturating_sub(1), ..area };
    put_right(buf, row, Span::styled(format!(" {said} "), theme.dim));
}

/// Words in the last row of a frame, at its left end. The caller sees to it that they fit.
pub fn on_frame_left(buf: &mut Buffer, area: Rect, said: &str, style: Style) {
    if said.is_empty() || area.height < 2 || words::width(said) + 4 > usize::from(area.width) {
        return;
    }
    let row = Rect { y: area.bottom().saturating_sub(1), height: 1, ..indented(area, 1) };
    put(buf, row, Span::styled(format!(" {said} "), style));
}

/// Clears the area of a box. Removes a wide character that would reach into it.
pub fn clear(buf: &mut Buffer, area: Rect) {
    let area = area.intersection(buf.area);
    Clear.render(area, buf);
    if let Some(x) = area.x.checked_sub(1) {
        for y in area.top()..area.bottom() {
            if let Some(cell) = buf.cell_mut((x, y))
                && cell.symbol().cell_width() > 1
            {
                cell.set_symbol(" ");
            }
        }
    }
}

/// `area` without a column at each side, so that text that is read does not touch the frame.
pub fn margins(area: Rect) -> Rect {
    indented(Rect { width: area.width.saturating_sub(1), ..area }, 1)
}

/// Covers what was drawn before with a page or a box that has the focus. Returns the area for its text.
pub fn cover(buf: &mut Buffer, area: Rect, title: &str, theme: &Theme) -> Rect {
    clear(buf, area);
    margins(pane(buf, area, title, theme, true))
}

/// Wrapped words that say why there is nothing to show. Returns the area below.
pub fn said(buf: &mut Buffer, area: Rect, text: &str, theme: &Theme) -> Rect {
    lines(buf, area, words::wrap(text, usize::from(area.width)).into_iter().map(|text| Line::styled(text, theme.dim)))
}

/// A box of that size in the middle of `area`, no larger than it.
pub fn middle(area: Rect, width: u16, height: u16) -> Rect {
    let (width, height) = (width.min(area.width), height.min(area.height));
    Rect {
        x: area.x.saturating_add((area.width - width) / 2),
        y: area.y.saturating_add((area.height - height) / 2),
        width,
        height,
    }
}

/// The first row to show, so that row `selected` is among the `rows` that there is room for.
pub fn in_sight(first: usize, selected: usize, rows: usize, all: usize) -> usize {
    let first = first.min(all.saturating_sub(rows));
    if selected < first {
        selected
    } else if rows > 0 && selected >= first.saturating_add(rows) {
        selected.saturating_add(1).saturating_sub(rows)
    } else {
        first
    }
}

/// The entry of a list of `count` that is drawn at a place; `first` is the first one in `rows`.
pub fn entry_at(at: Position, rows: Rect, first: usize, count: usize) -> Option<usize> {
    let entry = first.saturating_add(usize::from(at.y.saturating_sub(rows.y)));
    (rows.contains(at) && entry < count).then_some(entry)
}

/// A page of lines over the whole area, from line `first`, which is kept within the page. `lines` gets the room for them.
pub fn scrolled<'a>(
    buf: &mut Buffer,
    area: Rect,
    title: &str,
    first: &mut usize,
    theme: &Theme,
    lines: impl FnOnce(Rect) -> Vec<Line<'a>>,
) {
    let inner = cover(buf, area, title, theme);
    let lines = lines(inner);
    let (all, shown) = (lines.len(), usize::from(inner.height));
    *first = (*first).min(all.saturating_sub(shown));
    on_frame(buf, area, true, 0, &position(*first, shown, all), theme);
    self::lines(buf, inner, lines.into_iter().skip(*first));
}

/// `12-30 of 120`, if not all rows are shown.
pub fn position(first: usize, rows: usize, all: usize) -> String {
    if all <= rows {
        return String::new();
    }
    format!("{}-{} of {all}", first.saturating_add(1), first.saturating_add(rows).min(all))
}

/// The position in a text: the hit of a search, else how far down; nothing if the whole text is in sight.
pub fn reader(hit: Option<(usize, usize)>, percent: usize, all_seen: bool) -> String {
    match hit {
        Some((hit, all)) => format!("hit {hit} of {all}"),
        None if all_seen => String::new(),
        None => format!("{percent} %"),
    }
}

/// The same for an article as it was drawn last.
pub fn place_of(article: &Printed) -> String {
    reader(article.hit(), article.position(), article.is_all_seen())
}

/// A page in a pane of its own. The frame shows `said` beside the place in the text.
pub fn page(page: &Page, title: &str, said: &str, focus: bool, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let inside = margins(pane(buf, area, title, theme, focus));
    page.view(inside, buf, theme);
    on_frame(buf, area, true, 0, &words::dotted([said, &place_in(page)]), theme);
}

/// The same for a page as it was drawn last.
pub fn place_in(page: &Page) -> String {
    let all_seen = page.at_end() && page.shown().start == 0;
    reader(page.hit(), usize::from(page.position()), all_seen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::dump::dump;

    #[test]
    fn a_box_over_wide_characters_leaves_no_half_of_one() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 8, 1));
        put(&mut buffer, Rect::new(0, 0, 8, 1), "公園公園");
        let area = Rect::new(3, 0, 3, 1);
        clear(&mut buffer, area);
        put(&mut buffer, area, "box");
        assert_eq!(dump(&buffer), "公 box園\n");
    }

    #[test]
    fn the_selected_row_is_in_sight() {
        assert_eq!(in_sight(0, 3, 5, 10), 0);
        assert_eq!(in_sight(0, 7, 5, 10), 3);
        assert_eq!(in_sight(6, 2, 5, 10), 2);
        assert_eq!(in_sight(9, 9, 5, 10), 5, "no empty rows at the end");
        assert_eq!(in_sight(0, 2, 0, 10), 0);
        assert_eq!(position(3, 5, 10), "4-8 of 10");
        assert_eq!(position(0, 5, 5), "");
    }
}
