//! The comparison of two drafts: side by side or inline, each change with who asked for it.
//!
//! [`DiffPage::new`] lays out, once for a width; [`view`] draws what of it is in sight and computes nothing else.

pub use crate::widgets::diff::page::DiffPage;
use ratatui::prelude::{Buffer, Line, Rect, Span, Style};

use crate::widgets::diff::page::{BETWEEN, PageLine, gutter, text_width};
use crate::widgets::diff::status;
use crate::widgets::{DiffState, Fragment, Layout, TextRole, Theme, draw};
use copydesk_core::editorial::changes::{ChangeReason, Comparison};

/// How many lines of text a pane of that area shows: what [`DiffState`] calls `height`.
pub fn text_height(area: Rect) -> usize {
    usize::from(parts(area).1.height)
}

/// Draws two texts under their names. Neither comes from the other, so differences have no reasons, and none is
/// selected.
pub fn view_named(
    page: &DiffPage,
    state: &DiffState,
    (left, right): (&str, &str),
    area: Rect,
    buf: &mut Buffer,
    theme: &Theme,
) {
    let area = area.intersection(buf.area);
    let (header, text) = draw::top(area, 1);
    if header.height > 0 {
        column_names(page, (left, right), header, buf, theme);
    }
    let state = DiffState { selected: usize::MAX, ..state.clone() };
    let in_sight = page.lines.iter().skip(state.scroll).take(usize::from(text.height));
    for (line, y) in in_sight.zip(text.y..) {
        draw_texts(line, page.layout, &state, Rect { y, height: 1, ..text }, buf, theme);
    }
}

/// Names the columns; in one column, only the first name. Returns where the names end.
fn column_names(page: &DiffPage, (left, right): (&str, &str), area: Rect, buf: &mut Buffer, theme: &Theme) -> u16 {
    let start = area.x.saturating_add(gutter(area.width));
    let column = start.saturating_add(text_width(page.layout, area.width));
    let room = column.min(area.right()).saturating_sub(start);
    let end = buf.set_stringn(start, area.y, left, usize::from(room), theme.heading).0;
    if page.layout == Layout::Inline {
        return end;
    }
    let column = column.saturating_add(BETWEEN);
    let room = area.right().saturating_sub(column);
    buf.set_stringn(column, area.y, right, usize::from(room), theme.heading).0
}

/// The header, the text and the status line, which stays longest; then the text does.
fn parts(area: Rect) -> (Rect, Rect, Rect) {
    let (rest, status) = draw::bottom(area, 1);
    let (header, text) = draw::top(rest, u16::from(rest.height > 2));
    (header, text, status)
}

/// Draws the pane. `page` is laid out for its width ([`DiffPage::fits`]).
pub fn view(page: &DiffPage, state: &DiffState, comparison: &Comparison, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let area = area.intersection(buf.area);
    let (header, text, status) = parts(area);
    if header.height > 0 {
        draw_header(page, state, header, buf, theme);
    }
    let first = state.scroll.min(page.lines.len().saturating_sub(1));
    let in_sight = page.lines.iter().skip(first).take(usize::from(text.height));
    let margin = gutter(text.width).saturating_sub(1).min(text.width);
    for (line, y) in in_sight.zip(text.y..) {
        buf.set_line(text.x, y, &marks(line, state, comparison, theme), margin);
        draw_texts(line, page.layout, state, Rect { y, height: 1, ..text }, buf, theme);
    }
    if status.height > 0 {
        let line = status::line(comparison, state, usize::from(status.width), theme);
        buf.set_line(status.x, status.y, &line, status.width);
    }
}

/// Names the columns, if there are two, and explains the marks.
fn draw_header(page: &DiffPage, state: &DiffState, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let legend = Line::from("● asked  ! not asked for  ✎ by hand").style(theme.dim);
    let start = area.x.saturating_add(gutter(area.width));
    let room = area.right().saturating_sub(start);
    if page.layout == Layout::Inline {
        buf.set_line(start, area.y, &legend, room);
        return;
    }
    let names = (format!("draft {}", state.from), format!("draft {}", state.to));
    let end = column_names(page, (&names.0, &names.1), area, buf, theme);
    let width = u16::try_from(legend.width()).unwrap_or(u16::MAX);
    if let Some(column) = area.right().checked_sub(width).filter(|column| *column > end.saturating_add(1)) {
        buf.set_line(column, area.y, &legend, width);
    }
}

fn draw_texts(line: &PageLine, layout: Layout, state: &DiffState, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let columns = text_width(layout, area.width);
    let column = |from: Rect| Rect { width: columns.min(from.width), ..from };
    let texts = draw::indented(area, gutter(area.width));
    draw::put(buf, column(texts), painted(&line.left, state, theme));
    if layout == Layout::SideBySide {
        let rule = draw::indented(texts, columns);
        draw::put(buf, rule, Span::styled(" │ ", theme.dim));
        draw::put(buf, column(draw::indented(rule, BETWEEN)), painted(&line.right, state, theme));
    }
}

/// The fragments of a line, with the selected change and the hits of the search in their styles.
fn painted<'f>(fragments: &'f [Fragment], state: &DiffState, theme: &Theme) -> Line<'f> {
    let at = state.search.as_ref().map(|search| search.at);
    let span = |fragment: &'f Fragment| {
        let selected = fragment.change == Some(state.selected);
        let style = if selected { fragment.style.patch(theme.selected) } else { fragment.style };
        let style = match fragment.hit {
            Some(hit) if at == Some(hit) => style.patch(TextRole::CurrentHit.style(theme)),
            Some(_) => style.patch(TextRole::Hit.style(theme)),
            None => style,
        };
        Span::styled(fragment.text.as_str(), style)
    };
    Line::from(fragments.iter().map(span).collect::<Vec<_>>())
}

/// The marks beside a line: an arrow where the selected change begins, then `!`, `✎` and `●` with the to-do's number for the
/// changes that begin there.
fn marks<'a>(line: &PageLine, state: &DiffState, comparison: &'a Comparison, theme: &Theme) -> Line<'a> {
    let why = |index: &usize| comparison.changes.get(*index).map(|change| change.why);
    let begins = |wanted: ChangeReason| line.begins.iter().any(|index| why(index) == Some(wanted));
    let arrow = if line.begins.contains(&state.selected) { Span::styled("▸", theme.accent) } else { Span::raw(" ") };
    let mut marks = vec![arrow];
    let mark = |text: &'a str, style: Style| Span::styled(text, style);
    if begins(ChangeReason::Nobody) {
        marks.push(mark("!", theme.bad));
    }
    if begins(ChangeReason::Citation) {
        marks.push(mark("¹", theme.dim));
    }
    if begins(ChangeReason::ByHand) {
        marks.push(mark("✎", theme.accent));
    }
    let mut begun = line.begins.iter().filter_map(|index| comparison.changes.get(*index));
    if let Some(asked) = begun.find_map(|change| comparison.asked_for(change)) {
        marks.push(mark("●", theme.good));
        marks.push(mark(&asked.mark, theme.good));
    }
    Line::from(marks)
}

#[cfg(test)]
mod tests;
