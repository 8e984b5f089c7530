//! The layout of the Concerns page and the Proof page: list, draft and source in three columns, in two, or one at a time under
//! tabs.

use ratatui::{
    buffer::Buffer,
    layout::{Constraint, Layout, Rect},
    text::{Line, Span},
};

use crate::{
    screens::story::{tab_bar, tabs::Pane},
    widgets::{draw, theme::Theme, words},
};

/// Columns from which list, draft and source stand beside each other.
const THREE_COLUMNS_FROM: u16 = 150;

/// Columns and rows from which draft and source stand above each other beside the list.
const TWO_COLUMNS_FROM: (u16, u16) = (100, 18);

/// Rows from which a list that stands alone has the verdict on its selected row below it.
pub(crate) const WITH_VERDICT_FROM: u16 = 14;

pub(crate) struct Beside {
    /// The list, and below it the verdict on the selected row.
    pub(crate) left: Rect,
    pub(crate) draft: Rect,
    pub(crate) source: Rect,
}

/// Where the panes stand; none if there is room for one only.
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

/// The tabs of the panes, and what they are about: the longest of `said` that fits.
pub(crate) fn pane_tabs(
    names: impl IntoIterator<Item = (Pane, &'static str)>,
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
