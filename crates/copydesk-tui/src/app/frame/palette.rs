//! The palette: any action by its name, and why it cannot be used now.

use crossterm::event::KeyEvent;
use ratatui::prelude::{Buffer, Line, Position, Rect, Span, Style};
use unicode_segmentation::UnicodeSegmentation as _;

use crate::app::{Action, KeyContext, Overlay, PaletteRow, Reaction, Scene, Ways, listed};
use crate::widgets::field::type_into;
use crate::widgets::{Theme, draw, words};

/// The palette: what is typed, and the selected row.
#[derive(Debug, Default)]
pub struct Palette {
    pub query: String,
    pub selected: usize,
    /// The area of the rows in the last frame, the first of them, and how many there are: for the mouse.
    drawn: (Rect, usize, usize),
}

impl Palette {
    #[cfg(test)]
    pub(crate) fn typed(query: &str, selected: usize) -> Self {
        Self { query: query.into(), selected, ..Self::default() }
    }
}

impl Overlay for Palette {
    fn keys(&self) -> (KeyContext, &'static [Action]) {
        (KeyContext::Input, listed![Confirm Cancel])
    }

    fn titles(&self) -> Vec<(Action, String)> {
        vec![(Action::Confirm, "Run".into()), (Action::Cancel, "Close".into())]
    }

    fn move_by(&mut self, by: isize, _: &Scene<'_>) -> Reaction {
        self.selected = self.selected.saturating_add_signed(by);
        Reaction::CHANGED
    }

    fn type_key(&mut self, event: KeyEvent) -> Reaction {
        type_into(&mut self.query, event);
        self.selected = 0;
        Reaction::CHANGED
    }

    fn paste(&mut self, text: &str) -> Reaction {
        self.query.push_str(&copydesk_text::sanitise::excerpt(text, 100));
        self.selected = 0;
        Reaction::CHANGED
    }

    fn click(&mut self, at: Position) -> Option<Action> {
        let (rows, first, count) = self.drawn;
        self.selected = draw::entry_at(at, rows, first, count)?;
        Some(Action::Confirm)
    }

    fn view(&mut self, scene: &Scene<'_>, ways: &Ways, area: Rect, buf: &mut Buffer) {
        let (rows, theme) = (&ways.palette, &scene.theme);
        self.selected = self.selected.min(rows.len().saturating_sub(1));
        let wanted = u16::try_from(rows.len().max(1)).unwrap_or(u16::MAX).saturating_add(4);
        let middle = draw::middle(area, area.width.min(90), wanted.min(area.height).min(24));
        let place = Rect { y: area.y, ..middle };
        let inner = draw::cover(buf, place, "Find an action by its name", theme);
        let (row, rest) = draw::top(inner, 1);
        draw::typed(buf, row, &self.query, theme);
        let list = draw::below(rest, u16::from(rest.height > 2));
        if rows.is_empty() {
            self.drawn = (Rect::ZERO, 0, 0);
            draw::put(buf, list, Line::styled("No action has this name. Try another word.", theme.dim));
            return;
        }
        let shown = usize::from(list.height);
        let first = draw::in_sight(0, self.selected, shown, rows.len());
        draw::on_frame(buf, place, true, 0, &draw::position(first, shown, rows.len()), theme);
        for ((place, row), line) in rows.iter().enumerate().skip(first).zip(list.rows()) {
            action(row, place == self.selected, line, buf, theme);
        }
        self.drawn = (list, first, rows.len());
    }
}

fn action(row: &PaletteRow, selected: bool, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let width = usize::from(area.width);
    let keys = words::fit(&row.keys, width / 3);
    let room = width.saturating_sub(words::width(&keys) + 4);
    let title = words::fit(row.title, room);
    let base = if row.off.is_some() { theme.dim } else { theme.text };
    let mut spans = vec![Span::raw(if selected { "› " } else { "  " })];
    spans.extend(emphasised(&title, &row.hit.matched, base, theme));
    if let Some(also) = row.hit.also {
        let left = room.saturating_sub(words::width(&title) + 3);
        spans.push(Span::styled(words::fit(&format!(" · {also}"), left), theme.dim));
    }
    if let Some(why) = row.off.as_ref().filter(|_| row.hit.also.is_none()) {
        let left = room.saturating_sub(words::width(&title) + 3);
        if left > 4 {
            spans.push(Span::styled(format!(" ({})", words::fit(why, left)), theme.dim));
        }
    }
    draw::put(buf, area, Line::from(spans));
    draw::put_right(buf, area, Span::styled(keys, theme.accent));
    if selected {
        buf.set_style(area.intersection(buf.area), theme.row());
    }
}

/// The title with the characters that fit marked.
fn emphasised(title: &str, matched: &[u32], base: Style, theme: &Theme) -> Vec<Span<'static>> {
    let mut at = 0_u32;
    title
        .graphemes(true)
        .map(|grapheme| {
            let end = at.saturating_add(u32::try_from(grapheme.chars().count()).unwrap_or(u32::MAX));
            let fits = matched.iter().any(|place| (at..end).contains(place));
            at = end;
            Span::styled(grapheme.to_owned(), if fits { base.patch(theme.heading).underlined() } else { base })
        })
        .collect()
}
