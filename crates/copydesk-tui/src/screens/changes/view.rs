//! The changes between two drafts, and who asked for each.

use ratatui::prelude::{Buffer, Rect};

use crate::screens::story::StoryView;
use crate::widgets::diff::pane;
use crate::widgets::{Theme, draw};

pub fn view(story: &mut StoryView, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let latest = story.latest_round();
    let Some(compared) = &mut story.changes.compared else {
        let inside = draw::margins(draw::pane(buf, area, "Changes", theme, true));
        let said = match latest {
            0 => "There is no draft yet.",
            1 => "Only one draft so far. Nothing to compare.",
            _ if story.changes.wanted.is_none_or(|pair| !story.changes.known.has(pair)) => "Comparing the drafts…",
            _ => "These drafts cannot be compared.",
        };
        draw::said(buf, inside, said, theme);
        return;
    };
    let title = format!("Changes from draft {} to draft {}", compared.state.from, compared.state.to);
    let inside = draw::pane(buf, area, &title, theme, true);
    compared.lay(inside.width, pane::text_height(inside), theme);
    let Some(page) = &compared.page else { return };
    pane::view(page, &compared.state, &compared.comparison, inside, buf, theme);
    let position = draw::position(compared.state.scroll, pane::text_height(inside), page.jumps.lines);
    draw::on_frame(buf, area, true, 0, &position, theme);
}
