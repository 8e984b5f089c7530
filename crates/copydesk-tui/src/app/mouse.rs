//! The mouse: the wheel scrolls; tabs, the footer's hints, rows and the palette take clicks.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};

use ratatui::layout::Position;

use crate::{
    app::{
        actions::Action,
        effects::Effect,
        model::{Model, Screen},
        perform::perform,
        place::place,
    },
    screens::story::{
        tabs::{Pane, Tab},
        update::{compare_runs, move_by, read_call, select_concern},
    },
};

/// The wheel scrolls, a click selects a row of the list.
pub(crate) fn mouse(model: &mut Model, event: MouseEvent) -> Vec<Effect> {
    model.continues_at = None;
    model.touched = Some(model.now);
    let by = match event.kind {
        MouseEventKind::ScrollUp => -3,
        MouseEventKind::ScrollDown => 3,
        MouseEventKind::Down(MouseButton::Left) => return click(model, event.column, event.row),
        // A drag means that the person wants to select text.
        MouseEventKind::Drag(_) if !model.told_of_selection => {
            model.told_of_selection = true;
            model.say("To select text, hold shift and drag");
            return Vec::new();
        }
        _ => return Vec::new(),
    };
    if let Some(effects) = model.move_on_top(by) {
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
    let at = Position::new(column, row);
    if let Some((_, action)) = model.drawn.spots.iter().find(|(spot, _)| spot.contains(at)) {
        let action = *action;
        // A click does not reach a part that a dialog covers. The footer belongs to the dialog.
        if model.overlays.is_empty() || action.row().is_at(place(model)) {
            model.notice = None;
            return perform(model, action);
        }
        return Vec::new();
    }
    if let Some(page) = model.overlays.last_mut() {
        return page.click(at).map_or_else(Vec::new, |action| perform(model, action));
    }
    if !model.drawn.list.contains(at) {
        return Vec::new();
    }
    let place = usize::from(row.saturating_sub(model.drawn.list.y));
    match model.screen {
        Screen::Desk => {
            let wanted = model.desk.top.saturating_add(place);
            if wanted == model.desk.selected {
                return perform(model, Action::Open);
            }
            let by = isize::try_from(wanted).unwrap_or(0) - isize::try_from(model.desk.selected).unwrap_or(0);
            model.desk.select(by);
            Vec::new()
        }
        Screen::Story => {
            let Some(story) = model.story.as_deref_mut() else { return Vec::new() };
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
                    compare_runs(story)
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
