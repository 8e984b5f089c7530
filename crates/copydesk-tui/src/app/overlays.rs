//! The overlays of the screen: help, palette, questions. Forms have their own files.

use crossterm::event::{KeyEvent, KeyModifiers};

use crate::{
    app::{
        actions::Action,
        effects::Effect,
        key::Key,
        messages::Request,
        model::{ConfirmedAction, Model, Overlay, Question, Screen},
        palette,
    },
    screens::{
        claims, day, failed_steps, files, forms,
        gate::{self, edits},
        memory, proof, publish, record, search, settings,
    },
    widgets::field::type_into,
};

/// The action of the palette's selected row; `None` if the palette is not on top.
pub(crate) fn palette_choice(model: &Model) -> Option<Action> {
    let Some(Overlay::Palette { query, selected }) = model.overlays.last() else { return None };
    palette::listed(model, query).get(*selected).map(|(row, _)| row.action)
}

/// Enter on anything but the palette: uses the selected entry or the typed text.
pub(crate) fn confirm(model: &mut Model) -> Vec<Effect> {
    match model.overlays.last() {
        Some(
            Overlay::Help { .. }
            | Overlay::Notices { .. }
            | Overlay::Record(_)
            | Overlay::Claims(_)
            | Overlay::FailedSteps(_)
            | Overlay::Publish(_)
            | Overlay::StoryRecord(_)
            | Overlay::Day(_)
            | Overlay::Palette { .. },
        ) => close(model),
        Some(Overlay::Files(_)) => files::update::confirm(model),
        Some(Overlay::Memory(_)) => memory::update::open_selected(model),
        Some(Overlay::Search(_)) => search::update::confirm(model),
        Some(Overlay::Question(question)) => {
            let then = question.then.clone();
            model.overlays.pop();
            follow(model, then)
        }
        Some(Overlay::Form(_)) => forms::update::send(model),
        None => {
            model.desk.filtering = false;
            Vec::new()
        }
    }
}

fn follow(model: &mut Model, then: ConfirmedAction) -> Vec<Effect> {
    match then {
        ConfirmedAction::Quit => {
            model.leaving = true;
            Vec::new()
        }
        ConfirmedAction::Decide(at, choice) => gate::update::decide_at(model, at, *choice),
        ConfirmedAction::LeaveForm => forms::update::leave(model),
        ConfirmedAction::Continue(at) => gate::update::continue_at(model, at),
        ConfirmedAction::SaveSettings => forms::update::send(model),
        ConfirmedAction::SendOut => {
            settings::update::agree(model);
            forms::update::send(model)
        }
        ConfirmedAction::ForgetEdit => edits::forget(model),
        ConfirmedAction::SaveEdit(path, text) => edits::write(model, path, text),
        ConfirmedAction::Reopen(run, story) => crate::app::effects::ask_to_open(model, Request::Reopen { run, story }),
        ConfirmedAction::Fork(run, story, at, known) => {
            let request = Request::Fork { run, story, at, known };
            crate::app::effects::ask_to_open(model, request)
        }
        ConfirmedAction::RetryFailedStep(failed) => vec![Effect::Ask(Request::RetryFailedStep(failed))],
        ConfirmedAction::Publish(run, story, targets) => {
            publish::update::send(model, run, Request::Publish { run, story, targets })
        }
        ConfirmedAction::AddWord(word) => proof::update::add(model, word),
        ConfirmedAction::RestoreRecord(hash) => vec![Effect::Ask(Request::RestoreRecord(hash))],
        ConfirmedAction::Stop(story) => vec![Effect::Ask(Request::Stop(story))],
    }
}

/// Esc on a page or a question.
pub(crate) fn close(model: &mut Model) -> Vec<Effect> {
    if matches!(model.overlays.last(), Some(Overlay::Form(_))) {
        return cancel(model);
    }
    model.overlays.pop();
    Vec::new()
}

/// Esc in a text field.
pub(crate) fn cancel(model: &mut Model) -> Vec<Effect> {
    match model.overlays.last() {
        // A sent form closes without a question: the footer says whether it was accepted.
        Some(Overlay::Form(form)) if form.is_touched() && form.is_long() && !form.keeps() && !form.is_sent() => {
            model.lay_over(Overlay::Question(Question {
                title: "Throw it away?".into(),
                text: "The text that you typed here is not saved.".into(),
                yes: "throw it away".into(),
                then: ConfirmedAction::LeaveForm,
            }));
            Vec::new()
        }
        Some(Overlay::Form(_)) => forms::update::leave(model),
        Some(Overlay::Search(_)) => search::update::back(model),
        Some(_) => {
            model.overlays.pop();
            Vec::new()
        }
        None => {
            model.desk.filtering = false;
            model.desk.filter.clear();
            model.desk.arrange();
            Vec::new()
        }
    }
}

/// Up and down in the top overlay; `None` if there is none.
pub(crate) fn move_by(model: &mut Model, by: isize) -> Option<Vec<Effect>> {
    if let Some(Overlay::Palette { query, .. }) = model.overlays.last() {
        let last = palette::listed(model, query).len().saturating_sub(1);
        if let Some(Overlay::Palette { selected, .. }) = model.overlays.last_mut() {
            *selected = selected.saturating_add_signed(by).min(last);
        }
        return Some(Vec::new());
    }
    match model.overlays.last_mut() {
        Some(Overlay::Help { top, .. } | Overlay::Notices { top }) => *top = top.saturating_add_signed(by),
        Some(Overlay::Files(browser)) => browser.select(by),
        Some(Overlay::Memory(list)) => list.select(by),
        Some(Overlay::Record(record)) => record.scroll_by(by),
        Some(Overlay::Search(_)) => return Some(search::update::move_by(model, by)),
        Some(Overlay::Claims(page)) => claims::update::move_by(page, by),
        Some(Overlay::FailedSteps(page)) => return Some(failed_steps::update::move_by(page, by)),
        Some(Overlay::Publish(page)) => publish::update::move_by(page, by),
        Some(Overlay::StoryRecord(page)) => record::update::move_by(page, by),
        Some(Overlay::Day(page)) => day::update::move_by(page, by, model.now),
        Some(Overlay::Palette { .. } | Overlay::Question(_)) => {}
        Some(Overlay::Form(form)) => {
            form.move_in_field(by);
            settings::update::preview(model);
        }
        None if model.desk.filtering && model.screen == Screen::Desk => model.desk.select(by),
        None => return None,
    }
    Some(Vec::new())
}

/// Left and right in the top overlay; false if there is none.
pub(crate) fn sideways(model: &mut Model, by: isize) -> bool {
    match model.overlays.last_mut() {
        Some(Overlay::Form(form)) => {
            form.choose(by);
            settings::update::preview(model);
        }
        Some(Overlay::Search(_)) => search::update::sideways(model, by),
        Some(Overlay::Claims(page)) => claims::update::sideways(page, by),
        Some(Overlay::FailedSteps(page)) => failed_steps::update::sideways(page, by),
        Some(Overlay::Publish(page)) => page.list.sideways(by, page.targets().len().max(1)),
        Some(Overlay::StoryRecord(page)) => page.list.sideways(by, page.sections.len()),
        Some(_) => {}
        None => return false,
    }
    true
}

/// The next field of the top overlay; `None` if there is no overlay.
pub(crate) fn next_field(model: &mut Model, by: isize) -> Option<Vec<Effect>> {
    match model.overlays.last_mut() {
        Some(Overlay::Files(browser)) if by > 0 => return Some(files::update::mark(browser)),
        Some(Overlay::Form(form)) => form.move_focus(by),
        Some(Overlay::Search(search)) => search.turn(by),
        Some(Overlay::Claims(page)) => page.turn(),
        Some(Overlay::FailedSteps(page)) => page.turn(),
        Some(Overlay::Publish(page)) => page.turn(),
        Some(Overlay::StoryRecord(page)) => page.list.turn(page.sections.len()),
        Some(Overlay::Day(page)) => day::update::turn(page, model.now),
        Some(_) => {}
        None => return None,
    }
    Some(Vec::new())
}

/// A key that types.
pub(crate) fn type_key(model: &mut Model, event: KeyEvent) -> Vec<Effect> {
    // The palette's key must not change a text.
    let asks = Key::pressed(event).is_some_and(|key| model.keys.keys(Action::Palette).contains(&key));
    if asks && event.modifiers.contains(KeyModifiers::CONTROL) {
        model.warn("Close the form first to list all actions; the help shows the keys that work here");
        return Vec::new();
    }
    match model.overlays.last_mut() {
        Some(Overlay::Form(_)) => forms::update::type_key(model, event),
        Some(Overlay::Palette { query, selected }) => {
            type_into(query, event);
            *selected = 0;
            Vec::new()
        }
        Some(Overlay::Files(_)) => files::update::type_key(model, event),
        Some(Overlay::Memory(list)) => {
            type_into(&mut list.query, event);
            list.arrange();
            Vec::new()
        }
        Some(Overlay::Search(_)) => search::update::type_key(model, event),
        Some(_) => Vec::new(),
        None => {
            type_into(&mut model.desk.filter, event);
            model.desk.arrange();
            Vec::new()
        }
    }
}

/// Pasted text goes where text is typed; elsewhere it becomes a new story's source.
pub(crate) fn paste(model: &mut Model, text: &str) -> Vec<Effect> {
    let text = copydesk_text::sanitise::clean(text);
    match model.overlays.last_mut() {
        Some(Overlay::Form(_)) => forms::update::paste(model, &text),
        Some(Overlay::Palette { query, selected }) => {
            query.push_str(&copydesk_text::sanitise::excerpt(&text, 100));
            *selected = 0;
            Vec::new()
        }
        Some(Overlay::Files(_)) => files::update::paste(model, &text),
        Some(Overlay::Memory(list)) => {
            list.query.push_str(&copydesk_text::sanitise::excerpt(&text, 100));
            list.arrange();
            Vec::new()
        }
        Some(Overlay::Search(_)) => search::update::paste(model, &text),
        Some(_) => Vec::new(),
        None if model.desk.filtering => {
            model.desk.filter.push_str(&copydesk_text::sanitise::excerpt(&text, 100));
            model.desk.arrange();
            Vec::new()
        }
        None if model.screen == Screen::Desk => {
            let effects = crate::screens::desk::update::new_from_text(model);
            forms::update::paste(model, &text);
            effects
        }
        None => {
            model.warn("You can paste text into a form, or on the desk for a new story");
            Vec::new()
        }
    }
}
