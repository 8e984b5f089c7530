//! Keys of the failed steps: reading, trying again, dropping.

use crate::desk::{DeadLetter, Happening};
use crate::ports::RunKey;
use crate::tui::{
    app::{
        effects::Effect,
        messages::Request,
        model::{Model, Overlay, Question, Then},
    },
    screens::{
        dead_letters::model::DeadPage,
        forms::{field_name::FieldName, model::Form, purpose::Purpose, top::push},
    },
    widgets::{field::Field, list_and_text::ListStage, said::step_words},
};

pub(crate) fn on_top(model: &Model) -> Option<&DeadPage> {
    match model.overlays.last() {
        Some(Overlay::Dead(page)) => Some(page),
        _ => None,
    }
}

fn on_top_mut(model: &mut Model) -> Option<&mut DeadPage> {
    match model.overlays.last_mut() {
        Some(Overlay::Dead(page)) => Some(page),
        _ => None,
    }
}

/// Why the selected step cannot be opened, tried again or dropped, if it cannot.
pub(crate) fn why_not(model: &Model) -> Option<&'static str> {
    match on_top(model) {
        Some(page) if page.letter().is_some() => None,
        Some(_) => Some("no failed steps"),
        None => Some("open the failed steps first"),
    }
}

pub(crate) fn show(model: &mut Model) -> Vec<Effect> {
    let page = DeadPage::new(model.letters.clone());
    let effects = read(&page);
    model.lay_over(Overlay::Dead(Box::new(page)));
    effects
}

/// Asks for the attempts of the selected step, unless they are known.
fn read(page: &DeadPage) -> Vec<Effect> {
    let unread = page.unread().cloned();
    unread.map(|letter| Effect::Ask(Request::ReadLetter(Box::new(letter)))).into_iter().collect()
}

/// The list was read again: another program may have changed it, too.
pub(crate) fn letters(model: &mut Model, letters: Vec<DeadLetter>) -> Vec<Effect> {
    let mut effects = Vec::new();
    for overlay in &mut model.overlays {
        if let Overlay::Dead(page) = overlay {
            page.set(letters.clone());
            effects.extend(read(page));
        }
    }
    model.letters = letters;
    effects
}

pub(crate) fn attempts(model: &mut Model, run: RunKey, tried: &[Happening]) {
    for overlay in &mut model.overlays {
        if let Overlay::Dead(page) = overlay {
            page.know(run, tried.to_vec());
        }
    }
}

pub(crate) fn move_by(page: &mut DeadPage, by: isize) -> Vec<Effect> {
    if !page.list.scroll_by(by) {
        page.select(by);
    }
    read(page)
}

/// Scrolls the text by a page; false if the keys go to the list.
pub(crate) fn page_by(model: &mut Model, by: isize) -> bool {
    on_top_mut(model).is_some_and(|page| page.list.page_by(by))
}

pub(crate) fn sideways(page: &mut DeadPage, by: isize) {
    let count = page.letters().len();
    page.list.sideways(by, count);
}

pub(crate) fn back(model: &mut Model) -> Vec<Effect> {
    match on_top_mut(model) {
        Some(page) if page.list.stage == ListStage::Text => page.turn(),
        _ => {
            model.overlays.pop();
        }
    }
    Vec::new()
}

pub(crate) fn open_selected(model: &mut Model) -> Vec<Effect> {
    let Some(run) = on_top(model).and_then(DeadPage::letter).map(|letter| letter.run) else { return Vec::new() };
    model.overlays.pop();
    crate::tui::app::effects::ask_to_open(model, Request::Open(run))
}

pub(crate) fn ask_to_retry(model: &mut Model) -> Vec<Effect> {
    let Some(letter) = on_top(model).and_then(DeadPage::letter).cloned() else { return Vec::new() };
    model.lay_over(Overlay::Question(Question {
        title: "Try it again?".into(),
        text: format!(
            "{}: {}. A new run starts at this step and becomes the story's current run. It reuses every earlier answer.",
            letter.story,
            step_words(letter.step)
        ),
        yes: "try it again".into(),
        then: Then::RetryLetter(Box::new(letter)),
    }));
    Vec::new()
}

pub(crate) fn ask_to_drop(model: &mut Model) -> Vec<Effect> {
    let Some(letter) = on_top(model).and_then(DeadPage::letter).cloned() else { return Vec::new() };
    let explanation = format!(
        "{}: {}. The step is not tried again. The run stays failed, and stays flagged until you accept its flags.",
        letter.story,
        step_words(letter.step)
    );
    let purpose = Purpose::DropLetter { letter: Box::new(letter) };
    let fields = vec![Field::text(FieldName::Reason.label(), "why; kept in the log under your name", "")];
    push(model, Form::new(purpose, "Drop the failed step?", explanation, fields))
}
