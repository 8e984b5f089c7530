//! Where the keys go.

use crate::{
    app::{
        action::KeyContext,
        model::{Model, Overlay, Screen},
    },
    screens::{search::model::SearchStage, story::tabs::Tab},
    widgets::field::Input as FormInput,
};

/// Where the keys go once the palette, or the help, is closed: those two lie over pages only.
pub fn below_palette(model: &Model) -> KeyContext {
    match model.overlays.last() {
        Some(Overlay::Palette { .. }) | None => page(model),
        Some(Overlay::Help { place, .. }) => *place,
        Some(_) => place(model),
    }
}

/// Where the keys go now.
pub fn place(model: &Model) -> KeyContext {
    match model.overlays.last() {
        Some(Overlay::Help { .. } | Overlay::Notices { .. } | Overlay::Question(_)) => return KeyContext::Dialog,
        Some(Overlay::Palette { .. } | Overlay::Files(_) | Overlay::Memory(_)) => return KeyContext::Input,
        Some(Overlay::Record(_)) => return KeyContext::Memory,
        Some(Overlay::Search(search)) => {
            return if search.stage == SearchStage::Query { KeyContext::Query } else { KeyContext::Hits };
        }
        Some(Overlay::Claims(_)) => return KeyContext::Claims,
        Some(Overlay::FailedSteps(_)) => return KeyContext::FailedSteps,
        Some(Overlay::Publish(_)) => return KeyContext::Publish,
        Some(Overlay::StoryRecord(_)) => return KeyContext::StoryRecord,
        Some(Overlay::Day(_)) => return KeyContext::Day,
        Some(Overlay::Form(form)) => {
            return match form.fields.get(form.focus).map(|field| &field.input) {
                Some(FormInput::Text(_)) => KeyContext::Editor,
                Some(FormInput::Line(_)) => KeyContext::Input,
                Some(FormInput::Status(_) | FormInput::Choice(_)) | None => KeyContext::Dialog,
            };
        }
        None => {}
    }
    page(model)
}

fn page(model: &Model) -> KeyContext {
    match (model.screen, &model.story) {
        (Screen::Story, Some(story)) => match story.tab {
            Tab::Live => KeyContext::Live,
            Tab::Concerns => KeyContext::Concerns,
            Tab::Changes => KeyContext::Diff,
            Tab::Article => KeyContext::Article,
            Tab::Calls => KeyContext::Calls,
            Tab::Log => KeyContext::Log,
            Tab::Runs => KeyContext::Runs,
            Tab::Proof => KeyContext::Proof,
            Tab::Sources => KeyContext::Sources,
        },
        _ if model.desk.filtering => KeyContext::Input,
        _ => KeyContext::Desk,
    }
}
