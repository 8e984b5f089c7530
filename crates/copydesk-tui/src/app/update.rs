//! Takes in a key, pasted text, the time or the worker's news: changes the model and returns the effects, but runs none.

use crossterm::event::{KeyEvent, MouseEvent};
use jiff::Timestamp;

use crate::{
    app::{
        action::KeyContext, effects::Effect, examined, hear, key::Key, model::Model, mouse, news::News, overlays,
        perform::perform, place::place,
    },
    screens::{
        day,
        gate::{self, edits},
    },
};

#[derive(Debug, Clone)]
pub enum Arrival {
    Key(KeyEvent),
    Paste(String),
    Mouse(MouseEvent),
    Tick(Timestamp),
    News(Box<News>),
    /// The person's own editor has ended.
    EditedOutside {
        /// `None` if nothing was changed.
        text: Option<String>,
        problem: Option<String>,
    },
}

pub fn update(model: &mut Model, input: Arrival) -> Vec<Effect> {
    let mut effects = take_in(model, input);
    effects.extend(examined::look(model));
    effects.extend(day::update::look(model));
    effects
}

fn take_in(model: &mut Model, input: Arrival) -> Vec<Effect> {
    match input {
        Arrival::Key(event) => key(model, event),
        Arrival::Paste(text) => {
            model.continues_at = None;
            overlays::paste(model, &text)
        }
        Arrival::Mouse(event) => mouse::mouse(model, event),
        Arrival::Tick(now) => {
            model.now = now;
            gate::update::countdown(model)
        }
        Arrival::News(news) => hear::hear(model, *news),
        Arrival::EditedOutside { text, problem } => edits::edited_outside(model, text, problem),
    }
}

fn key(model: &mut Model, event: KeyEvent) -> Vec<Effect> {
    let Some(key) = Key::pressed(event) else { return Vec::new() };
    model.touched = Some(model.now);
    // A message stays until the next key.
    model.notice = None;
    // A key shows that the person is there, so the gate does not continue by itself.
    model.continues_at = None;
    let place = place(model);
    match model.keys.action(place, key) {
        Some(action) => perform(model, action),
        None if matches!(place, KeyContext::Input | KeyContext::Query | KeyContext::Editor) => {
            overlays::type_key(model, event)
        }
        None => Vec::new(),
    }
}
