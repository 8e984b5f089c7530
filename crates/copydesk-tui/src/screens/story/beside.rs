//! The layout of the Concerns page and the Proof page: list, draft and source in three columns, in two, or one at a time under
//! tabs. In a high and wide window what happens to the draft stands below it.

use ratatui::prelude::{Buffer, Constraint, Layout, Line, Rect, Span};
use strum::VariantArray as _;

use crate::screens::story::{Pane, StoryView, tab_bar};
use crate::widgets::{Theme, draw, words};

/// Columns from which list, draft and source stand beside each other.
const THREE_COLUMNS_FROM: u16 = 150;

/// Columns and rows from which draft and source stand above each other beside the list.
const TWO_COLUMNS_FROM: (u16, u16) = (100, 18);

/// Rows from which three columns have something below the draft.
const BELOW_DRAFT_FROM: u16 = 32;

/// Rows from which a list that stands alone has the verdict on its selected row below it.
const WITH_VERDICT_FROM: u16 = 14;

/// Where the list, the draft and the source stand; none if there is room for one only. Below the list is the verdict on the selected row.
fn beside(area: Rect) -> Option<[Rect; 3]> {
    if area.width < TWO_COLUMNS_FROM.0 || area.height < TWO_COLUMNS_FROM.1 {
        return None;
    }
    if area.width >= THREE_COLUMNS_FROM {
        let widths = [Constraint::Length(50), Constraint::Fill(1), Constraint::Fill(1)];
        return Some(Layout::horizontal(widths).areas(area));
    }
    let [left, right] = Layout::horizontal([Constraint::Percentage(42), Constraint::Percentage(58)]).areas(area);
    let [draft, source] = Layout::vertical([Constraint::Percentage(55), Constraint::Percentage(45)]).areas(right);
    Some([left, draft, source])
}

/// Rows for a list with its frame: as many as it needs, up to half.
fn list_height(rows: usize, room: u16) -> u16 {
    let wanted = u16::try_from(rows).unwrap_or(u16::MAX).saturating_add(2);
    wanted.clamp(5, (room / 2).max(5)).min(room)
}

/// The four panes of a page, each with the function that draws it, and what its list has.
pub(crate) struct FourPanes {
    /// The pane with the focus.
    pub(crate) focus: Pane,
    /// Entries of the list.
    pub(crate) entries: usize,
    /// The name of the pane beside the list, as a tab.
    pub(crate) verdict_name: &'static str,
    /// The subject of the panes, the longest form first.
    pub(crate) about: Vec<String>,
    /// Returns the area of the list's rows.
    pub(crate) list: fn(&mut StoryView, Rect, &mut Buffer, &Theme) -> Rect,
    pub(crate) draft: fn(&mut StoryView, Rect, &mut Buffer, &Theme),
    pub(crate) verdict: fn(&mut StoryView, Rect, &mut Buffer, &Theme),
    pub(crate) source: fn(&mut StoryView, Rect, &mut Buffer, &Theme),
    /// What happens to the draft, if something does.
    pub(crate) below_draft: Option<fn(&mut StoryView, Rect, &mut Buffer, &Theme)>,
}

/// Draws the panes side by side if there is room, else one at a time under tabs. The list, which seldom fills a window, has the verdict on
/// its selected row below it. Returns the area of the list's rows.
pub(crate) fn view(panes: &FourPanes, story: &mut StoryView, area: Rect, buf: &mut Buffer, theme: &Theme) -> Rect {
    let over_verdict = |story: &mut StoryView, area: Rect, buf: &mut Buffer| {
        let (at_list, at_verdict) = draw::top(area, list_height(panes.entries, area.height));
        (panes.verdict)(story, at_verdict, buf, theme);
        (panes.list)(story, at_list, buf, theme)
    };
    if let Some([left, mut draft, source]) = beside(area) {
        let is_large = area.width >= THREE_COLUMNS_FROM && area.height >= BELOW_DRAFT_FROM;
        if let Some(below_draft) = panes.below_draft.filter(|_| is_large) {
            let below;
            [draft, below] = Layout::vertical([Constraint::Fill(1), Constraint::Fill(1)]).areas(draft);
            below_draft(story, below, buf, theme);
        }
        (panes.draft)(story, draft, buf, theme);
        (panes.source)(story, source, buf, theme);
        return over_verdict(story, left, buf);
    }
    let (bar, body) = draw::top(area, 1);
    tabs(panes, bar, buf, theme);
    match panes.focus {
        Pane::List if body.height >= WITH_VERDICT_FROM => return over_verdict(story, body, buf),
        Pane::List => return (panes.list)(story, body, buf, theme),
        Pane::Draft => (panes.draft)(story, body, buf, theme),
        Pane::Verdict => (panes.verdict)(story, body, buf, theme),
        Pane::Source => (panes.source)(story, body, buf, theme),
    }
    Rect::ZERO
}

/// The tabs of the panes, and the longest of the texts on their subject that fits.
fn tabs(panes: &FourPanes, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let name = |pane: Pane| if pane == Pane::Verdict { panes.verdict_name } else { pane.name() };
    let tab = |pane: &Pane| tab_bar::tab(name(*pane), *pane == panes.focus, theme);
    let bar: Line<'_> = Pane::VARIANTS.iter().map(tab).collect();
    let room = usize::from(area.width).saturating_sub(bar.width() + 2);
    draw::put(buf, area, bar);
    if let Some(about) = panes.about.iter().find(|about| words::width(about) <= room) {
        draw::put_right(buf, area, Span::styled(about.as_str(), theme.dim));
    }
}
