//! The bar of a story's pages.

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    text::{Line, Span},
};

use super::{draw, words};
use crate::{
    newsroom::Status,
    tui::{
        model::story::{StoryView, Tab},
        theme::Theme,
    },
};

/// Draws the bar: number and name of each page; in a narrow window the numbers, and the name of the one that is shown.
pub fn tabs(story: &StoryView, row: Rect, buf: &mut Buffer, theme: &Theme) {
    let whole = bar(story, theme, true);
    let used = whole.width();
    if used > usize::from(row.width) {
        draw::put(buf, row, bar(story, theme, false));
        return;
    }
    draw::put(buf, row, whole);
    let round = round(story);
    if used + words::width(&round) + 2 <= usize::from(row.width) {
        draw::put_right(buf, row, Span::styled(round, theme.dim));
    }
}

fn bar(story: &StoryView, theme: &Theme, names: bool) -> Line<'static> {
    let mut spans = Vec::new();
    for (tab, number) in Tab::ALL.into_iter().zip(1_u8..) {
        let shown = tab == story.tab;
        let name = if names || shown { format!(" {}{}", tab.name(), mark(story, tab)) } else { mark(story, tab) };
        // The brackets mark the page where there is no colour.
        let (text, style) = if shown {
            (format!("[{number}{name}]"), theme.accent.patch(theme.selected))
        } else {
            (format!(" {number}{name} "), theme.text)
        };
        spans.push(Span::styled(text, style));
    }
    Line::from(spans)
}

/// What is worth a look: how many concerns are open.
fn mark(story: &StoryView, tab: Tab) -> String {
    let open = open(story);
    if tab == Tab::Concerns && open > 0 { format!(" ({open})") } else { String::new() }
}

/// Concerns of the round that is shown that are not KEEP.
#[must_use]
pub fn open(story: &StoryView) -> usize {
    story.concerns.iter().filter(|concern| concern.status() != Some(Status::Keep)).count()
}

fn round(story: &StoryView) -> String {
    match (story.round, story.follows) {
        (0, _) => String::new(),
        (round, true) => format!("round {round}"),
        (round, false) => format!("round {round} of {}, an earlier one", story.latest_round()),
    }
}
