//! A question that is answered with a key.

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    text::{Line, Span},
};

use crate::{
    app::model::Question,
    widgets::{draw, theme::Theme, words},
};

/// Draws the question in the middle.
pub fn question(question: &Question, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let width = area.width.saturating_sub(4).min(64);
    let room = usize::from(width.saturating_sub(4));
    let rows = usize::from(area.height.saturating_sub(4));
    let text = words::wrap_to(&question.text, room, rows);
    let height = u16::try_from(text.len()).unwrap_or(u16::MAX).saturating_add(4);
    let place = draw::middle(area, width, height);
    draw::clear(buf, place);
    let inner = draw::pane(buf, place, &question.title, theme, true);
    let inner = draw::indented(Rect { width: inner.width.saturating_sub(1), ..inner }, 1);
    let rest = draw::lines(buf, inner, text.into_iter().map(Line::raw));
    let (_, answers) = draw::bottom(rest, 1);
    let yes = words::fit(&question.yes, room.saturating_sub(18));
    let answers_line = vec![
        Span::styled("enter", theme.accent),
        Span::raw(format!(": {yes}   ")),
        Span::styled("esc", theme.accent),
        Span::raw(": no"),
    ];
    draw::put(buf, answers, Line::from(answers_line));
}
