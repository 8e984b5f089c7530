//! The page of all messages, the newest first.

use ratatui::prelude::{Buffer, Line, Rect, Span};

use crate::app::frame::footer;
use crate::app::notices::Said;
use crate::app::{Action, Overlay, Reaction, Scene, Ways};
use crate::widgets::{Theme, draw, words};
use copydesk_text::sanitise;

/// Columns of the time and the gap after it.
const TIME: usize = 10;

/// The page of all messages.
#[derive(Debug, Default)]
pub struct NoticesPage {
    /// The first row that is shown.
    pub top: usize,
}

impl Overlay for NoticesPage {
    fn move_by(&mut self, by: isize, _: &Scene<'_>) -> Reaction {
        self.top = self.top.saturating_add_signed(by);
        Reaction::CHANGED
    }

    fn view(&mut self, scene: &Scene<'_>, _: &Ways, area: Rect, buf: &mut Buffer) {
        let theme = &scene.theme;
        draw::scrolled(buf, area, Action::ShowNotices.title(), &mut self.top, theme, |inner| {
            let messages = scene.notices.iter().flat_map(|said| message(said, usize::from(inner.width), theme));
            let lines: Vec<Line<'_>> = messages.collect();
            if lines.is_empty() { vec![Line::styled("No messages yet.", theme.dim)] } else { lines }
        });
    }
}

/// `12:03:07  ✗ what it said (3 times)`, in as many rows as it takes.
fn message<'a>(said: &Said, width: usize, theme: &Theme) -> Vec<Line<'a>> {
    let (mark, style) = footer::mark_and_style(said.tone, theme);
    let times = if said.times > 1 { format!(" ({} times)", said.times) } else { String::new() };
    let text = format!("{}{times}", sanitise::one_line(&said.text));
    words::wrap(&text, width.saturating_sub(TIME + words::width(mark)))
        .into_iter()
        .enumerate()
        .map(|(row, text)| {
            let (time, mark) = match row {
                0 => (words::padded(&words::clock(&said.at.to_string()), TIME, false), mark),
                _ => (" ".repeat(TIME), "  "),
            };
            Line::from(vec![Span::styled(time, theme.dim), Span::styled(format!("{mark}{text}"), style)])
        })
        .collect()
}
