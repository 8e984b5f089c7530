//! Where the keys go.

use crate::tui::{
    app::{
        action::Place,
        model::{Model, Overlay, Screen},
    },
    screens::{search::model::SearchStage, story::tabs::Tab},
    widgets::field::Input as FormInput,
};

/// Where the keys go now.
#[must_use]
pub fn place(model: &Model) -> Place {
    match model.overlays.last() {
        Some(Overlay::Help { .. } | Overlay::Notices { .. } | Overlay::Question(_)) => return Place::Dialog,
        Some(Overlay::Palette { .. } | Overlay::Memory(_)) => return Place::Input,
        Some(Overlay::Record(_)) => return Place::Memory,
        Some(Overlay::Search(search)) => {
            return if search.stage == SearchStage::Query { Place::Query } else { Place::Hits };
        }
        Some(Overlay::Claims(_)) => return Place::Claims,
        Some(Overlay::Dead(_)) => return Place::Dead,
        Some(Overlay::Form(form)) => {
            return match form.fields.get(form.focus).map(|field| &field.input) {
                Some(FormInput::Text(_)) => Place::Editor,
                Some(FormInput::Line(_)) => Place::Input,
                Some(FormInput::Status(_)) | None => Place::Dialog,
            };
        }
        None => {}
    }
    match (model.screen, &model.story) {
        (Screen::Story, Some(story)) => match story.tab {
            Tab::Live => Place::Live,
            Tab::Concerns => Place::Concerns,
            Tab::Changes => Place::Diff,
            Tab::Article => Place::Article,
            Tab::Calls => Place::Calls,
            Tab::Log => Place::Log,
            Tab::Runs => Place::Runs,
            Tab::Proof => Place::Proof,
        },
        _ if model.desk.filtering => Place::Input,
        _ => Place::Desk,
    }
}
