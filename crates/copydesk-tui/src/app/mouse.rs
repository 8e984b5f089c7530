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
        model::StoryView,
        tabs::{Pane, Tab},
        update::move_by,
    },
    widgets::list_and_text::ListStage,
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
    if let Some(effects) = model.react(|page, scene| page.move_by(by, scene)) {
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
            model.desk.select(difference(wanted, model.desk.selected));
            Vec::new()
        }
        Screen::Story => {
            let list = model.story.as_deref_mut().and_then(focused_list);
            list.map_or_else(Vec::new, |(top, selected)| {
                move_by(model, difference(top.saturating_add(place), selected))
            })
        }
    }
}

fn difference(to: usize, from: usize) -> isize {
    isize::try_from(to).unwrap_or(0) - isize::try_from(from).unwrap_or(0)
}

/// Gives the keys to the list of the shown page. Returns its first row in sight and its selected one; `None` if it has no list.
fn focused_list(story: &mut StoryView) -> Option<(usize, usize)> {
    Some(match story.tab {
        Tab::Concerns => {
            story.concerns.pane = Pane::List;
            (story.concerns.top, story.concerns.selected)
        }
        Tab::Proof => {
            story.proof.pane = Pane::List;
            (story.proof.top, story.proof.selected)
        }
        Tab::Log => (story.log.top, story.log.selected),
        Tab::Runs => (story.runs.top, story.runs.selected),
        Tab::Calls => {
            story.calls.in_text = false;
            (story.calls.list.top, story.calls.list.selected)
        }
        Tab::Sources => {
            story.sources_page.list.stage = ListStage::List;
            (story.sources_page.list.top, story.sources_page.list.selected)
        }
        Tab::Live | Tab::Changes | Tab::Article => return None,
    })
}
