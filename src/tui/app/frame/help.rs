//! The `?` page: every action that can be used here, with its keys.

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    text::{Line, Span},
};

use crate::tui::widgets::{draw, theme::Theme, words};

/// One action of the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HelpLine {
    /// Rows of a group follow each other.
    pub group: String,
    /// Empty if it has none.
    pub keys: String,
    pub title: String,
    pub sentence: String,
}

/// Columns for the keys.
const KEYS: usize = 14;
/// Columns for the titles if the sentence stands beside them.
const TITLE: usize = 26;

/// Draws the page; `first` is the first row that is shown, and is kept within the page.
pub fn help(rows: &[HelpLine], first: &mut usize, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let place = area;
    draw::clear(buf, place);
    let title = "Keys that work here";
    let inner = draw::pane(buf, place, title, theme, true);
    let inner = draw::margins(inner);
    let lines = page(rows, usize::from(inner.width), theme);
    let (all, shown) = (lines.len(), usize::from(inner.height));
    *first = (*first).min(all.saturating_sub(shown));
    let position = draw::position(*first, shown, all);
    draw::on_frame(buf, place, true, 0, &position, theme);
    draw::lines(buf, inner, lines.into_iter().skip(*first));
}

fn page(rows: &[HelpLine], width: usize, theme: &Theme) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    let mut group = None;
    for row in rows {
        if group != Some(&row.group) {
            if group.is_some() {
                lines.push(Line::default());
            }
            lines.push(Line::styled(words::fit(&row.group, width), theme.heading));
            group = Some(&row.group);
        }
        let keys = Span::styled(words::padded(&row.keys, KEYS, false), theme.accent);
        let wide = width >= 90;
        let indent = if wide { KEYS + TITLE + 4 } else { KEYS + 2 };
        let mut sentences = words::wrap(&row.sentence, width.saturating_sub(indent)).into_iter();
        if wide {
            let title = words::padded(&row.title, TITLE, false);
            let first = sentences.next().unwrap_or_default();
            lines.push(Line::from(vec![keys, Span::raw(format!("  {title}  ")), Span::styled(first, theme.dim)]));
        } else {
            let title = words::fit(&row.title, width.saturating_sub(indent));
            lines.push(Line::from(vec![keys, Span::raw(format!("  {title}"))]));
        }
        lines.extend(sentences.map(|text| Line::styled(format!("{}{text}", " ".repeat(indent)), theme.dim)));
    }
    lines
}
