//! One story: its tab bar and the page that is chosen.

use ratatui::{buffer::Buffer, layout::Rect};

use super::{article, calls, changes, concerns, draw, live, log, proof, runs, tabs};
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
    model.list_area = match story.tab {
        Tab::Live => {
            live::live(model, body, buf);
            Rect::ZERO
        }
        Tab::Concerns => concerns::view(story, body, buf, &theme),
        Tab::Changes => {
            changes::view(story, body, buf, &theme);
            Rect::ZERO
        }
        Tab::Article => {
            article::view(story, body, buf, &theme);
            Rect::ZERO
        }
        Tab::Proof => proof::view(story, body, buf, &theme),
        Tab::Calls => calls::view(story, body, buf, &theme),
        Tab::Log => log::log(story, body, buf, &theme),
        Tab::Runs => runs::runs(story, &model.house.prices, model.now, body, buf, &theme),
    };
}
