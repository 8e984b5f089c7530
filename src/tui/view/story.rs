//! One story: its tab bar and the page that is chosen.

use ratatui::{buffer::Buffer, layout::Rect};

use super::{article, calls, concerns, draw, live, log, runs, tabs};
use crate::tui::model::{Model, story::Tab};

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
        Tab::Log => model.list_area = log::log(story, body, buf, &theme),
        Tab::Runs => {
            model.list_area = runs::runs(story, &model.house.prices, model.now, body, buf, &theme);
        }
        Tab::Concerns => model.list_area = concerns::view(story, body, buf, &theme),
        Tab::Changes => calls::changes(story, body, buf, &theme),
        Tab::Article => article::view(story, body, buf, &theme),
        Tab::Calls => model.list_area = calls::view(story, body, buf, &theme),
    }
}
