//! What happens when something arrives: a key, pasted text, the time, news from the back room. Changes the model and says what
//! is to be done about it; does nothing itself.

use std::sync::Arc;

use crossterm::event::{KeyEvent, MouseEvent};
use jiff::Timestamp;

use crate::tui::app::perform::perform;

use crate::tui::{
    app::{
        action::Place,
        hear,
        key::Key,
        messages::{Request, Ticket},
        model::{Model, Opens, Overlay, Screen},
        mouse,
        news::News,
        overlays,
    },
    screens::{
        gate::{self, edits},
        search::model::Stage,
        story::tabs::Tab,
    },
    widgets::field::Input as FormInput,
};

/// What arrives.
#[derive(Debug, Clone)]
pub enum Input {
    /// A key was pressed.
    Key(KeyEvent),
    /// Text was pasted.
    Paste(String),
    /// The mouse was used.
    Mouse(MouseEvent),
    /// Time passes.
    Tick(Timestamp),
    /// The back room tells something.
    News(Box<News>),
    /// The person's own editor has ended.
    EditedOutside {
        /// The text; none where nothing was changed.
        text: Option<String>,
        /// What went wrong.
        problem: Option<String>,
    },
}

/// What is to be done about it.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Ask the back room.
    Ask(Request),
    /// Ask the back room, and wait for how it ends.
    AskFor(Ticket, Request),
    /// Put a text on the clipboard.
    Copy {
        /// The text.
        text: Arc<str>,
        /// What it is, for the message.
        what: String,
    },
    /// Ring.
    Bell,
    /// Hand a text to the person's own editor; [`Input::EditedOutside`] brings it back.
    EditOutside(String),
    /// Take the mouse, or leave it to the terminal.
    Mouse(bool),
    /// Draw the whole screen again.
    Redraw,
}

/// Takes one thing in.
pub fn update(model: &mut Model, input: Input) -> Vec<Effect> {
    match input {
        Input::Key(event) => key(model, event),
        Input::Paste(text) => {
            model.continues_at = None;
            overlays::paste(model, &text)
        }
        Input::Mouse(event) => mouse::mouse(model, event),
        Input::Tick(now) => {
            model.now = now;
            gate::update::countdown(model)
        }
        Input::News(news) => hear::hear(model, *news),
        Input::EditedOutside { text, problem } => edits::edited_outside(model, text, problem),
    }
}

/// Where the keys go now.
#[must_use]
pub fn place(model: &Model) -> Place {
    match model.overlays.last() {
        Some(Overlay::Help { .. } | Overlay::Notices { .. } | Overlay::Question(_)) => return Place::Dialog,
        Some(Overlay::Palette { .. } | Overlay::Memory(_)) => return Place::Input,
        Some(Overlay::Record(_)) => return Place::Memory,
        Some(Overlay::Search(search)) => {
            return if search.stage == Stage::Query { Place::Query } else { Place::Hits };
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

/// Asks for a story that is shown once it is read, unless its person has gone elsewhere by then.
pub(crate) fn ask_to_open(model: &mut Model, request: Request) -> Vec<Effect> {
    let ticket = model.ticket();
    model.opening = Some(ticket);
    model.opens = Opens::Nothing;
    model.opening_at = None;
    vec![Effect::AskFor(ticket, request)]
}

fn key(model: &mut Model, event: KeyEvent) -> Vec<Effect> {
    let Some(key) = Key::pressed(event) else { return Vec::new() };
    // What was said stays until the next key.
    model.notice = None;
    // Whoever touches the keyboard is there: the gate waits for them.
    model.continues_at = None;
    let place = place(model);
    match model.keys.action(place, key) {
        Some(action) => perform(model, action),
        None if matches!(place, Place::Input | Place::Query | Place::Editor) => overlays::type_key(model, event),
        None => Vec::new(),
    }
}
