//! Where the keys go.

use crate::app::{
    action::KeyContext,
    frame::{help::HelpPage, palette::Palette},
    model::{Model, Screen},
};

/// Where the keys go once the palette, or the help, is closed: those two lie over pages only.
pub fn below_palette(model: &Model) -> KeyContext {
    match model.on_top::<HelpPage>() {
        Some(help) => help.place,
        None if model.on_top::<Palette>().is_some() => page(model),
        None => place(model),
    }
}

/// Where the keys go now.
pub fn place(model: &Model) -> KeyContext {
    model.overlays.last().map_or_else(|| page(model), |overlay| overlay.context())
}

fn page(model: &Model) -> KeyContext {
    match (model.screen, &model.story) {
        (Screen::Story, Some(story)) => story.tab.row().1,
        _ if model.desk.filtering => KeyContext::Input,
        _ => KeyContext::Desk,
    }
}
