//! How a list, a draft and a source stand beside each other: the page of concerns and the proof sheet. In three columns, in two,
//! or one pane at a time under tabs of their own.

use ratatui::{
    buffer::Buffer,
    layout::{Constraint, Layout, Rect},
    text::{Line, Span},
};

use crate::tui::{
    screens::story::{tab_bar, tabs::Pane},
    widgets::{draw, theme::Theme, words},
};

/// Columns from which list and what is said of it, draft, and source stand beside each other.
const THREE_COLUMNS_FROM: u16 = 150;

/// Columns and rows from which draft and source stand above each other beside the list.
const TWO_COLUMNS_FROM: (u16, u16) = (100, 18);

/// Rows from which the list shows what is said of the selected row below it, where it stands alone.
pub(crate) const WITH_VERDICT_FROM: u16 = 14;

/// Where the panes stand.
pub(crate) struct Beside {
    /// The list, and below it what is said of the selected row.
    pub(crate) left: Rect,
    /// The draft.
    pub(crate) draft: Rect,
    /// The source.
    pub(crate) source: Rect,
}

/// Where the panes stand beside each other; none where there is room for one only.
pub(crate) fn beside(area: Rect) -> Option<Beside> {
    if area.width < TWO_COLUMNS_FROM.0 || area.height < TWO_COLUMNS_FROM.1 {
        return None;
    }
    Some(if area.width >= THREE_COLUMNS_FROM {
        let [left, draft, source] =
            Layout::horizontal([Constraint::Length(50), Constraint::Fill(1), Constraint::Fill(1)]).areas(area);
        Beside { left, draft, source }
    } else {
        let [left, right] = Layout::horizontal([Constraint::Percentage(42), Constraint::Percentage(58)]).areas(area);
        let [draft, source] = Layout::vertical([Constraint::Percentage(55), Constraint::Percentage(45)]).areas(right);
        Beside { left, draft, source }
    })
}

/// Rows for a list with its frame: as many as it needs, up to half.
pub(crate) fn list_height(rows: usize, room: u16) -> u16 {
    let wanted = u16::try_from(rows).unwrap_or(u16::MAX).saturating_add(2);
    wanted.clamp(5, (room / 2).max(5)).min(room)
}

/// The panes' names where only one of them is seen, and what they are about: the longest of `said` that there is room for.
pub(crate) fn pane_tabs(
    names: [(Pane, &str); 4],
    shown: Pane,
    said: &[String],
    area: Rect,
    buf: &mut Buffer,
    theme: &Theme,
) {
    let spans: Vec<Span<'_>> = names.into_iter().map(|(pane, name)| tab_bar::tab(name, pane == shown, theme)).collect();
    let bar = Line::from(spans);
    let room = usize::from(area.width).saturating_sub(bar.width() + 2);
    draw::put(buf, area, bar);
    if let Some(said) = said.iter().find(|said| words::width(said) <= room) {
        draw::put_right(buf, area, Span::styled(said.clone(), theme.dim));
    }
}
