//! What happens when something arrives: a key, pasted text, the time, news from the back room. Changes the model and says what
//! is to be done about it; does nothing itself.

use crossterm::event::{KeyEvent, MouseEvent};
use jiff::Timestamp;

use crate::tui::{
    app::{
        action::Place, effects::Effect, hear, key::Key, model::Model, mouse, news::News, overlays, perform::perform,
        place::place,
    },
    screens::gate::{self, edits},
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
