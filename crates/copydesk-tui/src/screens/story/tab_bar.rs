//! The bar of a story's pages.

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    text::{Line, Span},
};
use strum::VariantArray as _;

use crate::{
    app::actions::Action,
    screens::story::{model::StoryView, tabs::Tab},
    widgets::{draw, theme::Theme, words},
};

/// Draws the number and name of each page. In a narrow window names are kept longest. Returns where a click shows which page.
pub fn tabs(story: &StoryView, row: Rect, buf: &mut Buffer, theme: &Theme) -> Vec<(Rect, Action)> {
    let room = usize::from(row.width);
    let how = [How::Whole, How::Names].into_iter().find(|how| bar(story, theme, *how).width() <= room);
    let how = how.unwrap_or(How::Numbers);
    let drawn = bar(story, theme, how);
    let used = drawn.width();
    let spots = spots(&drawn, how, row);
    draw::put(buf, row, drawn);
    let round = round(story);
    if how == How::Whole && used + words::width(&round) + 2 <= room {
        draw::put_right(buf, row, Span::styled(round, theme.dim));
    }
    spots
}

/// The bar has one span for each page; between names there is a blank.
fn spots(drawn: &Line<'_>, how: How, row: Rect) -> Vec<(Rect, Action)> {
    let mut x = row.x;
    let mut pages = Tab::VARIANTS.iter().copied();
    let mut spots = Vec::new();
    for (place, span) in drawn.spans.iter().enumerate() {
        let width = u16::try_from(span.width()).unwrap_or(u16::MAX);
        if (how != How::Names || place % 2 == 0)
            && let Some(page) = pages.next()
        {
            spots.push((Rect { x, width, ..row }.intersection(row), shows(page)));
        }
        x = x.saturating_add(width);
    }
    spots
}

fn shows(page: Tab) -> Action {
    match page {
        Tab::Live => Action::ShowLive,
        Tab::Concerns => Action::ShowConcerns,
        Tab::Changes => Action::ShowChanges,
        Tab::Article => Action::ShowArticle,
        Tab::Calls => Action::ShowCalls,
        Tab::Log => Action::ShowLog,
        Tab::Runs => Action::ShowRuns,
        Tab::Proof => Action::ShowProof,
        Tab::Sources => Action::ShowSources,
    }
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
    for page in Tab::VARIANTS.iter().copied() {
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
