//! One story: its tab bar and the page that is chosen.

use ratatui::{buffer::Buffer, layout::Rect};

use super::{draw, live, log, runs, tabs};
use crate::tui::{
    model::{
        Model,
        story::{StoryView, Tab},
    },
    theme::Theme,
};

/// Draws the story that is open.
pub fn story(model: &mut Model, area: Rect, buf: &mut Buffer) {
    let theme = model.theme;
    let Some(story) = model.story.as_deref_mut() else {
        draw::put(buf, area, "No story is open.");
        return;
    };
    let (row, body) = draw::top(area, 1);
    tabs::tabs(story, row, buf, &theme);
    match story.tab {
        Tab::Live => live::live(model, body, buf),
        Tab::Log => log::log(story, body, buf, &theme),
        Tab::Runs => runs::runs(story, &model.house.prices, model.now, body, buf, &theme),
        Tab::Concerns | Tab::Changes | Tab::Article | Tab::Calls => page(story, body, buf, &theme),
    }
}

/// A page that is drawn elsewhere.
fn page(story: &StoryView, area: Rect, buf: &mut Buffer, theme: &Theme) {
    draw::pane(buf, area, story.tab.name(), theme, true);
}
