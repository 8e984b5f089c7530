//! Keys of the failed steps: reading, trying again, dropping.

use crate::{
    app::{
        effects::Effect,
        messages::Request,
        model::{ConfirmedAction, Model, Overlay, Question},
    },
    screens::{
        failed_steps::model::FailedStepsPage,
        forms::{field_name::FieldName, model::Form, purpose::Purpose, top::push},
    },
    widgets::{field::Field, list_and_text::ListStage, said::step_words},
};
use copydesk_core::desk::{FailedStep, Happening};
use copydesk_core::ports::RunKey;

/// Why the selected step cannot be opened, tried again or dropped, if it cannot.
pub(crate) fn why_not(model: &Model) -> Option<&'static str> {
    match model.on_top::<FailedStepsPage>() {
        Some(page) if page.failed().is_some() => None,
        Some(_) => Some("no failed steps"),
        None => Some("open the failed steps first"),
    }
}

pub(crate) fn show(model: &mut Model) -> Vec<Effect> {
    let page = FailedStepsPage::new(model.failed_steps.clone());
    let effects = read(&page);
    model.lay_over(Overlay::FailedSteps(Box::new(page)));
    effects
}

/// Asks for the attempts of the selected step, unless they are known.
fn read(page: &FailedStepsPage) -> Vec<Effect> {
    let unread = page.unread().cloned();
    unread.map(|failed| Effect::Ask(Request::ReadFailedStep(Box::new(failed)))).into_iter().collect()
}

/// The list was read again: another program may have changed it, too.
pub(crate) fn failed_steps(model: &mut Model, failed_steps: Vec<FailedStep>) -> Vec<Effect> {
    let mut effects = Vec::new();
    for overlay in &mut model.overlays {
        if let Overlay::FailedSteps(page) = overlay {
            page.set(failed_steps.clone());
            effects.extend(read(page));
        }
    }
    model.failed_steps = failed_steps;
    effects
}

pub(crate) fn attempts(model: &mut Model, run: RunKey, tried: &[Happening]) {
    for overlay in &mut model.overlays {
        if let Overlay::FailedSteps(page) = overlay {
            page.know(run, tried.to_vec());
        }
    }
}

pub(crate) fn move_by(page: &mut FailedStepsPage, by: isize) -> Vec<Effect> {
    if !page.list.scroll_by(by) {
        page.select(by);
    }
    read(page)
}

/// Scrolls the text by a page; false if the keys go to the list.
pub(crate) fn page_by(model: &mut Model, by: isize) -> bool {
    model.on_top_mut::<FailedStepsPage>().is_some_and(|page| page.list.page_by(by))
}

pub(crate) fn sideways(page: &mut FailedStepsPage, by: isize) {
    let count = page.failed_steps().len();
    page.list.sideways(by, count);
}

pub(crate) fn back(model: &mut Model) -> Vec<Effect> {
    match model.on_top_mut::<FailedStepsPage>() {
        Some(page) if page.list.stage == ListStage::Text => page.turn(),
        _ => {
            model.overlays.pop();
        }
    }
    Vec::new()
}

pub(crate) fn open_selected(model: &mut Model) -> Vec<Effect> {
    let Some(run) = model.on_top::<FailedStepsPage>().and_then(FailedStepsPage::failed).map(|failed| failed.run) else {
        return Vec::new();
    };
    model.overlays.pop();
    crate::app::effects::ask_to_open(model, Request::Open(run))
}

pub(crate) fn ask_to_retry(model: &mut Model) -> Vec<Effect> {
    let Some(failed) = model.on_top::<FailedStepsPage>().and_then(FailedStepsPage::failed).cloned() else {
        return Vec::new();
    };
    model.lay_over(Overlay::Question(Question {
        title: "Try it again?".into(),
        text: format!(
            "{}: {}. A new run starts at this step and becomes the story's current run. It reuses every earlier answer.",
            failed.story,
            step_words(failed.step)
        ),
        yes: "try it again".into(),
        then: ConfirmedAction::RetryFailedStep(Box::new(failed)),
    }));
    Vec::new()
}

pub(crate) fn ask_to_drop(model: &mut Model) -> Vec<Effect> {
    let Some(failed) = model.on_top::<FailedStepsPage>().and_then(FailedStepsPage::failed).cloned() else {
        return Vec::new();
    };
    let explanation = format!(
        "{}: {}. The step is not tried again. The run stays failed, and stays flagged until you accept its flags.",
        failed.story,
        step_words(failed.step)
    );
    let purpose = Purpose::DropFailedStep { failed: Box::new(failed) };
    let fields = vec![Field::text(FieldName::Reason.label(), "why; kept in the log under your name", "")];
    push(model, Form::new(purpose, "Drop the failed step?", explanation, fields))
}
