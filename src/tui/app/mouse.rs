//! The mouse, on demand.

use crossterm::event::{MouseEvent, MouseEventKind};

use crate::tui::{
    app::{
        effects::Effect,
        model::{Model, Screen},
    },
    screens::story::{
        opened::opened,
        tabs::{Pane, Tab},
        update::{move_by, read_call, select_concern},
    },
};

/// The wheel scrolls, a click selects a row of the list.
pub(crate) fn mouse(model: &mut Model, event: MouseEvent) -> Vec<Effect> {
    model.continues_at = None;
    let by = match event.kind {
        MouseEventKind::ScrollUp => -3,
        MouseEventKind::ScrollDown => 3,
        MouseEventKind::Down(_) => return click(model, event.column, event.row),
        _ => return Vec::new(),
    };
    if let Some(effects) = crate::tui::app::overlays::move_by(model, by) {
        return effects;
    }
    match model.screen {
        Screen::Desk => {
            model.desk.select(by);
            Vec::new()
        }
        Screen::Story => move_by(model, by),
    }
}

/// Selects the row that was clicked: the view remembers where lists were drawn.
fn click(model: &mut Model, column: u16, row: u16) -> Vec<Effect> {
    if !model.overlays.is_empty() {
        return Vec::new();
    }
    let inside = model.drawn.list.contains((column, row).into());
    let place = usize::from(row.saturating_sub(model.drawn.list.y));
    if !inside {
        return Vec::new();
    }
    match model.screen {
        Screen::Desk => {
            let wanted = model.desk.top.saturating_add(place);
            if wanted == model.desk.selected {
                return crate::tui::app::perform::perform(model, crate::tui::app::actions::Action::Open);
            }
            let by = isize::try_from(wanted).unwrap_or(0) - isize::try_from(model.desk.selected).unwrap_or(0);
            model.desk.select(by);
            Vec::new()
        }
        Screen::Story => {
            let Some(story) = opened(model) else { return Vec::new() };
            let difference = |top: usize, selected: usize| {
                isize::try_from(top.saturating_add(place)).unwrap_or(0) - isize::try_from(selected).unwrap_or(0)
            };
            match story.tab {
                Tab::Concerns => {
                    let by = difference(story.concerns.top, story.concerns.selected);
                    story.concerns.pane = Pane::List;
                    select_concern(model, by)
                }
                Tab::Proof => {
                    let by = difference(story.proof.top, story.proof.selected);
                    story.proof.pane = Pane::List;
                    story.select_row(by);
                    Vec::new()
                }
                Tab::Log => {
                    let by = difference(story.log.top, story.log.selected);
                    story.log.select(by);
                    Vec::new()
                }
                Tab::Runs => {
                    let by = difference(story.runs.top, story.runs.selected);
                    story.runs.select(by);
                    Vec::new()
                }
                Tab::Calls => {
                    let by = difference(story.calls.list.top, story.calls.list.selected);
                    story.calls.list.select(by);
                    read_call(story)
                }
                Tab::Sources => {
                    let by = difference(story.sources_page.list.top, story.sources_page.list.selected);
                    story.sources_page.select(by, &story.journal);
                    Vec::new()
                }
                Tab::Live | Tab::Changes | Tab::Article => Vec::new(),
            }
        }
    }
}
