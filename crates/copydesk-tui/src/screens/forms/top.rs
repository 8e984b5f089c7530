//! The form on top of the screen.

use crate::{
    app::{
        effects::Effect,
        model::{Model, Overlay},
    },
    screens::forms::model::Form,
};

pub(crate) fn push(model: &mut Model, form: Form) -> Vec<Effect> {
    model.lay_over(Overlay::Form(Box::new(form)));
    Vec::new()
}

pub(crate) fn form(model: &mut Model) -> Option<&mut Form> {
    match model.overlays.last_mut() {
        Some(Overlay::Form(form)) => Some(form),
        _ => None,
    }
}
