//! Takes in a key, pasted text, the time or the worker's news: changes the model and returns the effects, but runs none.

use crossterm::event::{KeyEvent, KeyModifiers, MouseEvent};
use jiff::Timestamp;
use strum::VariantArray as _;

use crate::app::hints::place;
use crate::app::perform::perform;
use crate::app::{Action, Effect, Key, KeyContext, Model, News, Notice, Screen, Tone, examined, hear, mouse};
use crate::screens::gate::edits;
use crate::screens::story::Tab;
use crate::screens::{day, desk, gate};
use crate::widgets::field::type_into;
use copydesk_text::sanitise;

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
    take_in(model, input);
    examined::note_examined(model);
    day::page::ask_if_needed(model);
    std::mem::take(&mut model.effects)
}

fn take_in(model: &mut Model, input: Arrival) {
    match input {
        Arrival::Key(event) => key(model, event),
        Arrival::Paste(text) => {
            model.continues_at = None;
            paste(model, &text);
        }
        Arrival::Mouse(event) => mouse::mouse(model, event),
        Arrival::Tick(now) => {
            model.now = now;
            gate::update::countdown(model);
        }
        Arrival::News(news) => hear::hear(model, *news),
        Arrival::EditedOutside { text, problem } => edits::edited_outside(model, text, problem),
    }
}

fn key(model: &mut Model, event: KeyEvent) {
    let Some(key) = Key::pressed(event) else { return };
    model.touched = Some(model.now);
    // A message stays until the next key.
    model.notice = None;
    // A key shows that the person is there, so the gate does not continue by itself.
    model.continues_at = None;
    let place = place(model);
    match model.keys.action(place, key).or_else(|| early_enter(model, place, key)) {
        Some(action) => perform(model, action),
        None if matches!(place, KeyContext::Input | KeyContext::Query | KeyContext::Editor | KeyContext::Choice) => {
            type_key(model, event);
        }
        None => {
            // Gone with the next key, so it is no entry of the messages.
            model.notice = Some(Notice::after(None, Tone::Trouble, without_meaning(model, place, key)));
        }
    }
}

/// What Enter does, if it was typed before the terminal gave its keys one by one: then it arrives as a line feed, `ctrl-j`. In a text that
/// is a line of it.
fn early_enter(model: &Model, place: KeyContext, key: Key) -> Option<Action> {
    let is_line_feed = key.to_string() == "ctrl-j" && !matches!(place, KeyContext::Editor | KeyContext::Choice);
    is_line_feed.then(|| model.keys.action(place, "enter".parse().ok()?)).flatten()
}

/// The answer to a key that has no meaning on the page: the pages of a story that know it.
fn without_meaning(model: &Model, place: KeyContext, key: Key) -> String {
    let help = model.keys.keys_at(place, Action::Help).next().map_or_else(|| "?".to_owned(), |key| key.to_string());
    let tabs = Tab::VARIANTS.iter().filter(|_| place.is_story_tab());
    let elsewhere: Vec<(Tab, Action)> =
        tabs.filter_map(|tab| model.keys.action(tab.row().1, key).map(|action| (*tab, action))).collect();
    let Some((_, action)) = elsewhere.first() else {
        return format!("{key} does nothing here. {help} shows the keys that work");
    };
    let same: Vec<&str> = elsewhere.iter().filter(|(_, other)| other == action).map(|(tab, _)| tab.name()).collect();
    let pages = if same.len() == 1 { "page" } else { "pages" };
    format!("{key} does nothing here. It is for the {pages} {}: {}", same.join(" and "), action.title())
}

/// A key that types.
fn type_key(model: &mut Model, event: KeyEvent) {
    // The palette's key must not change a text.
    let asks = Key::pressed(event).is_some_and(|key| model.keys.keys(Action::Palette).contains(&key));
    if asks && event.modifiers.contains(KeyModifiers::CONTROL) {
        model.warn("Close the form first to list all actions; the help shows the keys that work here");
        return;
    }
    if model.react(|page, _| page.type_key(event)) {
        return;
    }
    type_into(&mut model.desk.filter, event);
    model.desk.arrange();
}

/// Pasted text goes where text is typed; elsewhere it becomes a new story's source.
fn paste(model: &mut Model, text: &str) {
    let text = sanitise::clean(text);
    if model.react(|page, _| page.paste(&text)) {
        return;
    }
    if model.desk.filtering {
        model.desk.filter.push_str(&sanitise::excerpt(&text, 100));
        model.desk.arrange();
    } else if model.screen == Screen::Desk {
        desk::update::new_from_text(model);
        model.react(|page, _| page.paste(&text));
    } else {
        model.warn("You can paste text into a form, or on the desk for a new story");
    }
}
