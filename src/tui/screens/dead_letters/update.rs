//! The dead letters: the list, what was tried for the selected one, trying it again, dropping it.

use crate::desk::{DeadLetter, Happening};
use crate::ports::RunKey;
use crate::tui::{
    app::{
        effects::Effect,
        messages::Request,
        model::{Model, Overlay, Question, Then},
    },
    screens::{
        dead_letters::model::{DeadPage, Stage},
        forms::{model::Form, purpose::Purpose},
    },
    widgets::{field::Field, said::step_words},
};

/// The letters that are on top.
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

/// Why the selected letter cannot be opened, tried again or dropped; none where it can.
pub(crate) fn why_not(model: &Model) -> Option<&'static str> {
    match on_top(model) {
        Some(page) if page.letter().is_some() => None,
        Some(_) => Some("there is no dead letter any more"),
        None => Some("open the dead letters first"),
    }
}

/// All letters.
pub(crate) fn show(model: &mut Model) -> Vec<Effect> {
    let page = DeadPage::new(model.letters.clone());
    let effects = read(&page);
    model.lay_over(Overlay::Dead(Box::new(page)));
    effects
}

/// Asks what was tried for the selected letter, where that is not known.
fn read(page: &DeadPage) -> Vec<Effect> {
    let unread = page.unread().cloned();
    unread.map(|letter| Effect::Ask(Request::ReadLetter(Box::new(letter)))).into_iter().collect()
}

/// The letters were read anew: some may be new, others were tried again or dropped, by whichever program.
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

/// What was tried for the letter of a run.
pub(crate) fn attempts(model: &mut Model, run: RunKey, tried: &[Happening]) {
    for overlay in &mut model.overlays {
        if let Overlay::Dead(page) = overlay {
            page.know(run, tried.to_vec());
        }
    }
}

/// Moves in the list, or in the text.
pub(crate) fn move_by(page: &mut DeadPage, by: isize) -> Vec<Effect> {
    match page.stage {
        Stage::List => page.select(by),
        Stage::Text => page.page.scroll_by(i32::try_from(by).unwrap_or(if by < 0 { i32::MIN } else { i32::MAX })),
    }
    read(page)
}

/// A page of the text down, or up; false where the keys do not go there.
pub(crate) fn page_by(model: &mut Model, by: isize) -> bool {
    let Some(page) = on_top_mut(model).filter(|page| page.stage == Stage::Text) else { return false };
    if by < 0 {
        page.page.page_up();
    } else {
        page.page.page_down();
    }
    true
}

/// To the text, or back to the list.
pub(crate) fn sideways(page: &mut DeadPage, by: isize) {
    if (page.stage == Stage::List) == (by > 0) {
        page.turn();
    }
}

/// Esc: out of the text, out of the letters.
pub(crate) fn back(model: &mut Model) -> Vec<Effect> {
    match on_top_mut(model) {
        Some(page) if page.stage == Stage::Text => page.turn(),
        _ => {
            model.overlays.pop();
        }
    }
    Vec::new()
}

/// Enter: the story of the selected letter.
pub(crate) fn open_selected(model: &mut Model) -> Vec<Effect> {
    let Some(run) = on_top(model).and_then(DeadPage::letter).map(|letter| letter.run) else { return Vec::new() };
    model.overlays.pop();
    crate::tui::app::effects::ask_to_open(model, Request::Open(run))
}

/// Asks whether the step is to be tried again.
pub(crate) fn ask_to_retry(model: &mut Model) -> Vec<Effect> {
    let Some(letter) = on_top(model).and_then(DeadPage::letter).cloned() else { return Vec::new() };
    model.lay_over(Overlay::Question(Question {
        title: "Try it again?".into(),
        text: format!(
            "{}: {}. A new run shares everything before that step and goes on here; no answer that is known is asked for again. It \
             becomes the story's current run.",
            letter.story,
            step_words(letter.step)
        ),
        yes: "try it again".into(),
        then: Then::RetryLetter(Box::new(letter)),
    }));
    Vec::new()
}

/// Asks why the letter is to be dropped.
pub(crate) fn ask_to_drop(model: &mut Model) -> Vec<Effect> {
    let Some(letter) = on_top(model).and_then(DeadPage::letter).cloned() else { return Vec::new() };
    let explanation = format!(
        "{}: {}. It is not tried again. The run stays failed, and flagged until somebody lets its flags stand.",
        letter.story,
        step_words(letter.step)
    );
    let purpose = Purpose::DropLetter { letter: Box::new(letter) };
    let fields = vec![Field::text("Reason", "why; it is kept in the log under your name", "")];
    model.lay_over(Overlay::Form(Box::new(Form::new(purpose, "Drop the dead letter?", explanation, fields))));
    Vec::new()
}
