//! One story: its tab bar and the page that is chosen.

use ratatui::prelude::{Buffer, Rect};

use crate::app::Model;
use crate::screens::story::{Tab, log, runs, tab_bar};
use crate::screens::{article, calls, changes, concerns, live, proof, sources};
use crate::widgets::draw;

/// Draws the story that is open.
pub fn story(model: &mut Model, area: Rect, buf: &mut Buffer) {
    let theme = model.theme;
    let Some(story) = model.story.as_deref_mut() else {
        draw::put(buf, area, "No story is open.");
        return;
    };
    let (row, body) = draw::top(area, 1);
    let spots = tab_bar::tabs(story, row, buf, &theme);
    model.drawn.spots.extend(spots);
    model.drawn.list = match story.tab {
        Tab::Live => {
            live::view::live(model, body, buf);
            Rect::ZERO
        }
        Tab::Concerns => concerns::view::view(story, body, buf, &theme),
        Tab::Changes => {
            changes::view::view(story, body, buf, &theme);
            Rect::ZERO
        }
        Tab::Article => {
            article::view::view(story, body, buf, &theme);
            Rect::ZERO
        }
        Tab::Proof => proof::view::view(story, body, buf, &theme),
        Tab::Sources => sources::view::view(&mut story.sources_page, body, buf, &theme),
        Tab::Calls => calls::view::view(story, body, buf, &theme),
        Tab::Log => log::log(story, body, buf, &theme),
        Tab::Runs => runs::runs(story, &model.house.prices, model.now, body, buf, &theme),
    };
}
