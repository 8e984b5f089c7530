//! The bar of a story's pages.

use ratatui::prelude::{Buffer, Line, Rect, Span};
use strum::VariantArray as _;

use crate::app::Action;
use crate::screens::story::{StoryView, Tab};
use crate::widgets::{Theme, draw, words};

/// Draws the number and name of each page; in a narrow window, of as many as there is room for, the shown one among them. Returns where a
/// click shows which page.
pub fn tabs(story: &StoryView, row: Rect, buf: &mut Buffer, theme: &Theme) -> Vec<(Rect, Action)> {
    let room = usize::from(row.width);
    let all = Tab::VARIANTS;
    let wide = [How::Spaced, How::Close].into_iter().map(|how| bar(story, all, how, theme));
    let parts = wide.chain(windows(all, story.tab).map(|pages| bar(story, pages, How::Close, theme)));
    let mut fitting = parts.filter(|bar| width(bar) <= room);
    let drawn = fitting.next().unwrap_or_default();
    let used = width(&drawn);
    let mut x = row.x;
    let mut spots = Vec::new();
    for (span, page) in &drawn {
        let width = u16::try_from(span.width()).unwrap_or(u16::MAX);
        spots.extend(page.map(|page| (Rect { x, width, ..row }.intersection(row), page.row().2)));
        x = x.saturating_add(width);
    }
    let is_spaced = drawn.iter().all(|(_, page)| page.is_some());
    let tabs: Vec<Span<'_>> = drawn.into_iter().map(|(span, _)| span).collect();
    draw::put(buf, row, Line::from(tabs));
    let round = round(story);
    if is_spaced && used + words::width(&round) + 2 <= room {
        draw::put_right(buf, row, Span::styled(round, theme.dim));
    }
    spots
}

fn width(bar: &[(Span<'_>, Option<Tab>)]) -> usize {
    bar.iter().map(|(span, _)| span.width()).sum()
}

/// The neighbouring pages with the shown one among them: the most pages first, then those from the left.
fn windows(all: &'static [Tab], shown: Tab) -> impl Iterator<Item = &'static [Tab]> {
    (1..all.len()).rev().flat_map(|pages| all.windows(pages)).filter(move |pages| pages.contains(&shown))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    /// A blank at each side of a name, and how many concerns are open.
    Spaced,
    /// One blank between two names.
    Close,
}

/// The bar in spans, each with the page that a click on it shows. An ellipsis stands for the pages that are left out.
fn bar(story: &StoryView, pages: &[Tab], how: How, theme: &Theme) -> Vec<(Span<'static>, Option<Tab>)> {
    let is_part = pages.len() < Tab::VARIANTS.len();
    let mut spans = Vec::new();
    if pages.first() != Tab::VARIANTS.first() {
        spans.push((Span::styled("…", theme.dim), None));
    }
    for page in pages.iter().copied() {
        let shown = page == story.tab;
        let mark = if how == How::Spaced || is_part { mark(story, page) } else { String::new() };
        let name = format!("{} {}{mark}", page.row().0, page.name());
        if how == How::Close && !spans.is_empty() {
            spans.push((Span::raw(" "), None));
        }
        let span = if how == How::Close && !shown { Span::styled(name, theme.text) } else { tab(&name, shown, theme) };
        spans.push((span, Some(page)));
    }
    if pages.last() != Tab::VARIANTS.last() {
        spans.push((Span::styled(" …", theme.dim), None));
    }
    spans
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
        (round, true) => format!("draft {round}"),
        (round, false) => format!("draft {round} of {}", story.latest_round()),
    }
}
