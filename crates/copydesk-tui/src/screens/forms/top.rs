//! The forms that lie over the screen.

use crate::{
    app::{
        effects::Effect,
        model::{Model, Question},
    },
    screens::forms::model::Form,
};

pub(crate) fn push(model: &mut Model, form: Form) -> Vec<Effect> {
    model.lay_over(form);
    Vec::new()
}

/// Asks a question that is answered with a key; `yes` says what Enter does.
pub(crate) fn ask(
    model: &mut Model,
    title: &str,
    text: impl Into<String>,
    yes: &str,
    then: impl FnOnce(&mut Model) -> Vec<Effect> + 'static,
) -> Vec<Effect> {
    model.lay_over(Question::new(title, text, yes, then));
    Vec::new()
}

/// Asks a question about the form on top. After a yes, the form is sent.
pub(crate) fn ask_to_send(
    model: &mut Model,
    title: &str,
    text: impl Into<String>,
    yes: &str,
    then: impl FnOnce(&mut Model) -> Vec<Effect> + 'static,
) -> Vec<Effect> {
    model.lay_over(Question { sends_form: true, ..Question::new(title, text, yes, then) });
    Vec::new()
}

/// The form on top of the screen.
pub(crate) fn form(model: &mut Model) -> Option<&mut Form> {
    model.on_top_mut()
}

impl Model {
    pub(crate) fn forms(&self) -> impl DoubleEndedIterator<Item = &Form> {
        self.overlays.iter().filter_map(|overlay| overlay.page())
    }

    pub(crate) fn forms_mut(&mut self) -> impl Iterator<Item = &mut Form> {
        self.overlays.iter_mut().filter_map(|overlay| overlay.page_mut())
    }
}
