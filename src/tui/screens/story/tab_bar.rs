//! The bar of a story's pages.

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    text::{Line, Span},
};

use crate::tui::{
    screens::story::{model::StoryView, tabs::Tab},
    widgets::{draw, theme::Theme, words},
};

/// Draws the number and name of each page. In a narrow window names are kept longest.
pub fn tabs(story: &StoryView, row: Rect, buf: &mut Buffer, theme: &Theme) {
    let room = usize::from(row.width);
    let whole = bar(story, theme, How::Whole);
    let used = whole.width();
    if used <= room {
        draw::put(buf, row, whole);
        let round = round(story);
        if used + words::width(&round) + 2 <= room {
            draw::put_right(buf, row, Span::styled(round, theme.dim));
        }
        return;
    }
    let names = bar(story, theme, How::Names);
    draw::put(buf, row, if names.width() <= room { names } else { bar(story, theme, How::Numbers) });
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    /// Numbers, names, and how many concerns are open.
    Whole,
    Names,
    /// Numbers, and the name of the page that is shown.
    Numbers,
}

fn bar(story: &StoryView, theme: &Theme, how: How) -> Line<'static> {
    let mut spans = Vec::new();
    for page in Tab::ALL {
        let (number, shown) = (page.digit(), page == story.tab);
        let name = match how {
            How::Whole => format!("{number} {}{}", page.name(), mark(story, page)),
            How::Names => format!("{number} {}", page.name()),
            How::Numbers if shown => format!("{number} {}{}", page.name(), mark(story, page)),
            How::Numbers => format!("{number}{}", mark(story, page)),
        };
        let close = how == How::Names;
        if close && !spans.is_empty() {
            spans.push(Span::raw(" "));
        }
        spans.push(if close && !shown { Span::styled(name, theme.text) } else { tab(&name, shown, theme) });
    }
    Line::from(spans)
}

/// A tab. Brackets mark the one that is shown, also without colour.
pub(crate) fn tab(name: &str, shown: bool, theme: &Theme) -> Span<'static> {
    if shown {
        Span::styled(format!("[{name}]"), theme.accent.patch(theme.selected))
    } else {
        Span::styled(format!(" {name} "), theme.text)
    }
}

/// How many concerns are open.
fn mark(story: &StoryView, tab: Tab) -> String {
    let open = story.concerns.open();
    if tab == Tab::Concerns && open > 0 { format!(" ({open})") } else { String::new() }
}

fn round(story: &StoryView) -> String {
    match (story.round, story.follows) {
        (0, _) => String::new(),
        (round, true) => format!("round {round}"),
        (round, false) => format!("round {round} of {}", story.latest_round()),
    }
}
