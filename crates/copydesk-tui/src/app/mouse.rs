//! The mouse: the wheel scrolls; tabs, the footer's hints, rows and the palette take clicks.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};

use ratatui::prelude::Position;

use crate::app::hints::place;
use crate::app::perform::{self, perform};
use crate::app::{Action, Model, Screen};
use crate::screens::story::update::move_by;
use crate::screens::story::{Pane, StoryView, Tab};
use crate::widgets::ListStage;

/// The wheel scrolls, a click selects a row of the list.
pub(crate) fn mouse(model: &mut Model, event: MouseEvent) {
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
            return;
        }
        _ => return,
    };
    perform::move_by(model, by);
}

/// Selects the row that was clicked: the view remembers where lists were drawn.
fn click(model: &mut Model, column: u16, row: u16) {
    let at = Position::new(column, row);
    if let Some((_, action)) = model.drawn.spots.iter().find(|(spot, _)| spot.contains(at)) {
        let action = *action;
        // A click does not reach a part that a dialog covers. The footer belongs to the dialog.
        if model.overlays.is_empty() || action.row().is_at(place(model)) {
            model.notice = None;
            return perform(model, action);
        }
        return;
    }
    if let Some(page) = model.overlays.last_mut() {
        if let Some(action) = page.click(at) {
            perform(model, action);
        }
    } else if model.drawn.list.contains(at) {
        click_row(model, usize::from(row.saturating_sub(model.drawn.list.y)));
    }
}

/// Selects a row of the list that was drawn, or opens it if it is selected on the desk.
fn click_row(model: &mut Model, place: usize) {
    match model.screen {
        Screen::Desk => {
            let wanted = model.desk.top.saturating_add(place);
            if wanted == model.desk.selected {
                return perform(model, Action::Open);
            }
            model.desk.select(difference(wanted, model.desk.selected));
        }
        Screen::Story => {
            if let Some((top, selected)) = model.story.as_deref_mut().and_then(focused_list) {
                move_by(model, difference(top.saturating_add(place), selected));
            }
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
