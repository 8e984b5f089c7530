//! The `?` page: every action that can be used here, with its keys.

use ratatui::prelude::{Buffer, Line, Rect, Span, Style};

use crate::app::{HelpRow, Hint, KeyContext, Overlay, Reaction, Scene, Ways};
use crate::widgets::{Theme, draw, words};

/// Columns for the keys.
const KEYS: usize = 14;
/// Columns for the titles if the sentence stands beside them.
const TITLE: usize = 26;

/// The `?` page.
pub struct HelpPage {
    /// The first row that is shown.
    pub top: usize,
    /// The context whose keys are listed.
    pub place: KeyContext,
}

impl Overlay for HelpPage {
    fn move_by(&mut self, by: isize, _: &Scene<'_>) -> Reaction {
        self.top = self.top.saturating_add_signed(by);
        Reaction::CHANGED
    }

    fn view(&mut self, scene: &Scene<'_>, ways: &Ways, area: Rect, buf: &mut Buffer) {
        draw::scrolled(buf, area, "Keys that work here", &mut self.top, &scene.theme, |inner| {
            let width = usize::from(inner.width);
            let mut lines = first_screen(&ways.help_here, &ways.help_off, width, &scene.theme);
            lines.extend(page(&ways.help, width, &scene.theme));
            lines
        });
    }
}

/// The actions on this page, in columns: those that can be used now, then the others. The list by topic follows.
fn first_screen(here: &[Hint], off: &[Hint], width: usize, theme: &Theme) -> Vec<Line<'static>> {
    let title = |said: &str| Line::styled(words::fit(said, width), theme.heading);
    let mut lines = in_columns(here, width, theme.accent, Style::default());
    if !off.is_empty() {
        lines.extend([Line::default(), title("Not possible now")]);
        lines.extend(in_columns(off, width, theme.dim, theme.dim));
    }
    lines.extend([Line::default(), title("All keys of this page, with what they do"), Line::default()]);
    lines
}

/// Keys and titles, down one column and then the next.
fn in_columns(hints: &[Hint], width: usize, key: Style, title: Style) -> Vec<Line<'static>> {
    const CELL: usize = 36;
    let columns = (width / CELL).max(1);
    let room = width / columns;
    let rows = hints.len().div_ceil(columns);
    let keys = hints.iter().map(|hint| words::width(&hint.keys)).max().unwrap_or(0).min(10);
    let cell = |hint: &Hint| {
        let said = words::padded(&hint.title, room.saturating_sub(keys + 2), false);
        [Span::styled(words::padded(&hint.keys, keys, false), key), Span::styled(format!(" {said} "), title)]
    };
    let line = |row: usize| {
        Line::from((0..columns).filter_map(|column| hints.get(column * rows + row)).flat_map(cell).collect::<Vec<_>>())
    };
    (0..rows).map(line).collect()
}

fn page(rows: &[HelpRow], width: usize, theme: &Theme) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    let mut group = None;
    for HelpRow { row, keys } in rows {
        if group.replace(row.group) != Some(row.group) {
            if !lines.is_empty() {
                lines.push(Line::default());
            }
            lines.push(Line::styled(words::fit(row.group.title(), width), theme.heading));
        }
        let keys = Span::styled(words::padded(keys, KEYS, false), theme.accent);
        let wide = width >= 90;
        let indent = if wide { KEYS + TITLE + 4 } else { KEYS + 2 };
        let mut sentences = words::wrap(row.help, width.saturating_sub(indent)).into_iter();
        if wide {
            let title = words::padded(row.title, TITLE, false);
            let first = sentences.next().unwrap_or_default();
            lines.push(Line::from(vec![keys, Span::raw(format!("  {title}  ")), Span::styled(first, theme.dim)]));
        } else {
            let title = words::fit(row.title, width.saturating_sub(indent));
            lines.push(Line::from(vec![keys, Span::raw(format!("  {title}"))]));
        }
        lines.extend(sentences.map(|text| Line::styled(format!("{}{text}", " ".repeat(indent)), theme.dim)));
    }
    lines
}
