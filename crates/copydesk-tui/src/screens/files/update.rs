//! Typing, moving, marking and opening in the file browser.

use crossterm::event::KeyEvent;

use crate::{
    app::{
        effects::Effect,
        messages::{Beginning, Request},
        model::{Model, Overlay},
        ticket::Ticket,
        trouble::Trouble,
    },
    screens::files::model::{Chosen, FileBrowser, FolderListing, expanded},
    widgets::field::type_into,
};
use copydesk_text::sanitise;

/// Opens the browser on the folder in which the program was started.
pub fn show(model: &mut Model) -> Vec<Effect> {
    model.lay_over(Overlay::Files(Box::default()));
    vec![Effect::Ask(Request::ListFolder(String::new()))]
}

pub(crate) fn is_on_top(model: &Model) -> bool {
    matches!(model.overlays.last(), Some(Overlay::Files(_)))
}

/// Back to an empty line, and to the folder in which the program was started.
pub(crate) fn clear(model: &mut Model) -> Vec<Effect> {
    let Some(files) = model.on_top_mut::<FileBrowser>().filter(|files| files.sent.is_none()) else { return Vec::new() };
    let before = files.folder().to_owned();
    files.typed.clear();
    typed(files, &before)
}

/// Takes in typed text. If the path leads to another folder, asks for that folder's list.
fn typed(files: &mut FileBrowser, before: &str) -> Vec<Effect> {
    files.retyped();
    if files.folder() == before {
        Vec::new()
    } else {
        vec![Effect::Ask(Request::ListFolder(files.folder().to_owned()))]
    }
}

pub(crate) fn type_key(model: &mut Model, event: KeyEvent) -> Vec<Effect> {
    let Some(files) = model.on_top_mut::<FileBrowser>().filter(|files| files.sent.is_none()) else { return Vec::new() };
    let before = files.folder().to_owned();
    type_into(&mut files.typed, event);
    typed(files, &before)
}

pub(crate) fn paste(model: &mut Model, text: &str) -> Vec<Effect> {
    let Some(files) = model.on_top_mut::<FileBrowser>().filter(|files| files.sent.is_none()) else { return Vec::new() };
    let before = files.folder().to_owned();
    // Terminals put quotation marks around the name of a file that is dropped on them.
    files.typed.push_str(sanitise::excerpt(text, 4096).trim().trim_matches(['\'', '"']));
    typed(files, &before)
}

pub(crate) fn mark(files: &mut FileBrowser) -> Vec<Effect> {
    match files.mark() {
        Chosen::Into(folder) => vec![Effect::Ask(Request::ListFolder(folder))],
        Chosen::Open(_) | Chosen::Nothing => Vec::new(),
    }
}

pub(crate) fn confirm(model: &mut Model) -> Vec<Effect> {
    let Some(files) = model.on_top_mut::<FileBrowser>().filter(|files| files.sent.is_none()) else { return Vec::new() };
    match files.choose() {
        Chosen::Into(folder) => vec![Effect::Ask(Request::ListFolder(folder))],
        Chosen::Open(paths) => {
            let ticket = model.ticket();
            if let Some(files) = model.on_top_mut::<FileBrowser>() {
                files.sent = Some(ticket);
            }
            // The new story opens, unless the person goes elsewhere first.
            model.next.ticket = Some(ticket);
            let paths = paths.iter().map(|path| expanded(path)).collect();
            vec![Effect::AskFor(ticket, Request::Begin(Beginning::Files(paths)))]
        }
        Chosen::Nothing => {
            files.problem = Some("type a path, or choose a file".into());
            Vec::new()
        }
    }
}

/// A folder has been read.
pub(crate) fn listed(model: &mut Model, listing: FolderListing) {
    for overlay in &mut model.overlays {
        if let Overlay::Files(files) = overlay
            && files.folder() == listing.folder
        {
            files.listing = Some(listing);
            return;
        }
    }
}

/// The stories have begun, or cannot: the browser closes, or shows the problem. False if it did not ask.
pub(crate) fn answered(model: &mut Model, ticket: Ticket, result: &Result<(), Trouble>) -> bool {
    let asked = |overlay: &Overlay| matches!(overlay, Overlay::Files(files) if files.sent == Some(ticket));
    let Some(place) = model.overlays.iter().position(asked) else { return false };
    match (result, model.overlays.get_mut(place)) {
        (Err(problem), Some(Overlay::Files(files))) => {
            (files.sent, files.problem) = (None, Some(problem.to_string()));
        }
        _ => drop(model.overlays.remove(place)),
    }
    true
}
