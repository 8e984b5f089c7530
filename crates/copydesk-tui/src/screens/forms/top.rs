//! The forms that lie over the screen.

use crate::app::Model;
use crate::screens::forms::Form;

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
