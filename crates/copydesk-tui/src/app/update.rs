//! Takes in a key, pasted text, the time or the worker's news: changes the model and returns the effects, but runs none.

use crossterm::event::{KeyEvent, KeyModifiers, MouseEvent};
use jiff::Timestamp;
use strum::VariantArray as _;

use crate::{
    app::{
        action::KeyContext,
        actions::Action,
        effects::Effect,
        examined, hear,
        key::Key,
        model::{Model, Screen},
        mouse,
        news::News,
        notices::{Notice, Tone},
        perform::perform,
        place::place,
    },
    screens::{
        day, desk,
        gate::{self, edits},
    },
    widgets::field::type_into,
};
use copydesk_text::sanitise;

#[derive(Debug, Clone)]
pub enum Arrival {
    /// A key that was pressed.
    Key(KeyEvent),
    /// Pasted text.
    Paste(String),
    /// A click, or the wheel.
    Mouse(MouseEvent),
    /// The time has moved on.
    Tick(Timestamp),
    /// The worker's news.
    News(Box<News>),
    /// The person's own editor has ended. Without a text, nothing was changed.
    EditedOutside { text: Option<String>, problem: Option<String> },
}

pub fn update(model: &mut Model, input: Arrival) -> Vec<Effect> {
    let mut effects = take_in(model, input);
    effects.extend(examined::look(model));
    effects.extend(day::page::look(model));
    effects
}

fn take_in(model: &mut Model, input: Arrival) -> Vec<Effect> {
    match input {
        Arrival::Key(event) => key(model, event),
        Arrival::Paste(text) => {
            model.continues_at = None;
            paste(model, &text)
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
        None if matches!(place, KeyContext::Input | KeyContext::Query | KeyContext::Editor) => type_key(model, event),
        None => {
            // Gone with the next key, so it is no entry of the messages.
            model.notice = Some(Notice::after(None, Tone::Trouble, without_meaning(model, place, key)));
            Vec::new()
        }
    }
}

/// The answer to a key that has no meaning on the page: what it does elsewhere, if a story's pages or the desk know it.
fn without_meaning(model: &Model, place: KeyContext, key: Key) -> String {
    let help = model.keys.keys_at(place, Action::Help).next().map_or_else(|| "?".to_owned(), |key| key.to_string());
    let pages = KeyContext::VARIANTS.iter().copied().filter(|page| place.is_story_tab() && page.is_story_tab());
    let elsewhere: Vec<(KeyContext, Action)> =
        pages.filter_map(|page| model.keys.action(page, key).map(|action| (page, action))).collect();
    let Some((_, action)) = elsewhere.first() else {
        return format!("{key} does nothing here. {help} shows the keys that work");
    };
    let same = elsewhere.iter().filter(|(_, other)| other == action).map(|(page, _)| page.title());
    format!("{key} does nothing here. It is {} on {}", action.title(), same.collect::<Vec<_>>().join(" and "))
}

/// A key that types.
fn type_key(model: &mut Model, event: KeyEvent) -> Vec<Effect> {
    // The palette's key must not change a text.
    let asks = Key::pressed(event).is_some_and(|key| model.keys.keys(Action::Palette).contains(&key));
    if asks && event.modifiers.contains(KeyModifiers::CONTROL) {
        model.warn("Close the form first to list all actions; the help shows the keys that work here");
        return Vec::new();
    }
    if let Some(effects) = model.react(|page, _| page.type_key(event)) {
        return effects;
    }
    type_into(&mut model.desk.filter, event);
    model.desk.arrange();
    Vec::new()
}

/// Pasted text goes where text is typed; elsewhere it becomes a new story's source.
fn paste(model: &mut Model, text: &str) -> Vec<Effect> {
    let text = sanitise::clean(text);
    if let Some(effects) = model.react(|page, _| page.paste(&text)) {
        return effects;
    }
    if model.desk.filtering {
        model.desk.filter.push_str(&sanitise::excerpt(&text, 100));
        model.desk.arrange();
    } else if model.screen == Screen::Desk {
        let mut effects = desk::update::new_from_text(model);
        effects.extend(model.react(|page, _| page.paste(&text)).unwrap_or_default());
        return effects;
    } else {
        model.warn("You can paste text into a form, or on the desk for a new story");
    }
    Vec::new()
}
