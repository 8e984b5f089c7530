//! The search over all that is indexed: asking as one types, going through what was found, opening it.

use std::sync::Arc;

use crossterm::event::KeyEvent;

use crate::newsroom::{StoryKey, Tier};
use crate::ports::{Around, Stock};
use crate::text::sanitise;
use crate::tui::{
    app::{
        effects::Effect,
        inquiry::{Inquiry, SearchAnswer, Shelving, WantedPassage},
        messages::Request,
        model::{Model, Overlay, Screen},
        ticket::Ticket,
    },
    screens::{
        search::model::{OfStory, Search, Stage},
        story::tabs::Tab,
    },
    widgets::field::type_into,
};

/// Most characters of a pasted query: a long sentence.
const LONGEST: usize = 2_000;

/// The search that is on top.
pub(crate) fn on_top(model: &Model) -> Option<&Search> {
    match model.overlays.last() {
        Some(Overlay::Search(search)) => Some(search),
        _ => None,
    }
}

fn on_top_mut(model: &mut Model) -> Option<&mut Search> {
    match model.overlays.last_mut() {
        Some(Overlay::Search(search)) => Some(search),
        _ => None,
    }
}

/// The search, whatever lies over it.
fn open(model: &mut Model) -> Option<&mut Search> {
    model.overlays.iter_mut().find_map(|overlay| match overlay {
        Overlay::Search(search) => Some(&mut **search),
        _ => None,
    })
}

/// Opens the search as it was left.
pub(crate) fn show(model: &mut Model) -> Vec<Effect> {
    let mut search = model.searched.take().unwrap_or_default();
    let story = model.story.as_deref().filter(|_| model.screen == Screen::Story);
    search.story = story.map(|story| OfStory { run: story.key, journal: Arc::clone(&story.journal) });
    if !search.scopes().any(|scope| scope == search.scope) {
        search.next_scope();
    }
    model.lay_over(Overlay::Search(search));
    let mut effects = vec![Effect::Ask(Request::ReadStock)];
    // What was found then may be found otherwise by now.
    effects.extend(ask(model));
    effects
}

/// Asks for what is typed; for nothing where that is nothing.
fn ask(model: &mut Model) -> Vec<Effect> {
    let ticket = model.ticket();
    let least = model.house.min_credibility;
    let Some(search) = open(model) else { return Vec::new() };
    if search.is_blank() {
        search.clear();
        return Vec::new();
    }
    search.asked = Some(ticket);
    let inquiry = Inquiry {
        ticket,
        text: search.query.clone(),
        within: search.within(),
        min_credibility: if search.all { 0.0 } else { least },
    };
    vec![Effect::Ask(Request::Search(Box::new(inquiry)))]
}

/// Asks for what stands around the selected passage.
fn ask_around(model: &mut Model) -> Vec<Effect> {
    let ticket = model.ticket();
    let Some(search) = open(model) else { return Vec::new() };
    let Some(hit) = search.hit() else { return Vec::new() };
    let wanted = WantedPassage { ticket, story: hit.story.clone(), passage: hit.passage.clone() };
    search.reading = Some(ticket);
    vec![Effect::Ask(Request::ReadAround(Box::new(wanted)))]
}

/// A key that types.
pub(crate) fn type_key(model: &mut Model, event: KeyEvent) -> Vec<Effect> {
    let Some(search) = on_top_mut(model) else { return Vec::new() };
    let before = search.query.len();
    type_into(&mut search.query, event);
    if search.query.len() == before { Vec::new() } else { ask(model) }
}

/// Pasted text is typed into the line, wherever the keys go.
pub(crate) fn paste(model: &mut Model, text: &str) -> Vec<Effect> {
    let Some(search) = on_top_mut(model) else { return Vec::new() };
    search.query.push_str(&sanitise::excerpt(text, LONGEST));
    search.stage = Stage::Query;
    ask(model)
}

/// Takes back what was typed: the whole line.
pub(crate) fn clear(model: &mut Model) -> Vec<Effect> {
    let Some(search) = on_top_mut(model) else { return Vec::new() };
    search.query.clear();
    ask(model)
}

/// Searches the next place.
pub(crate) fn next_scope(model: &mut Model) -> Vec<Effect> {
    if let Some(search) = on_top_mut(model) {
        search.next_scope();
    }
    ask(model)
}

/// Finds trusted texts only, or all.
pub(crate) fn toggle_trusted(model: &mut Model) -> Vec<Effect> {
    if let Some(search) = on_top_mut(model) {
        search.all = !search.all;
    }
    ask(model)
}

/// Enter in the line: on to what was found; where the search failed, once more.
pub(crate) fn confirm(model: &mut Model) -> Vec<Effect> {
    let Some(search) = on_top_mut(model) else { return Vec::new() };
    if matches!(search.found, Some(Err(_))) {
        return ask(model);
    }
    if search.stage == Stage::Query {
        search.turn(1);
    }
    Vec::new()
}

/// Moves in the list, or in the passage.
pub(crate) fn move_by(model: &mut Model, by: isize) -> Vec<Effect> {
    let Some(search) = on_top_mut(model) else { return Vec::new() };
    match search.stage {
        Stage::Passage => {
            search.page.scroll_by(i32::try_from(by).unwrap_or(if by < 0 { i32::MIN } else { i32::MAX }));
            Vec::new()
        }
        Stage::Query | Stage::Hits => {
            if search.select(by) {
                ask_around(model)
            } else {
                Vec::new()
            }
        }
    }
}

/// To the passage, or back to the list.
pub(crate) fn sideways(model: &mut Model, by: isize) {
    if let Some(search) = on_top_mut(model) {
        match (search.stage, by > 0) {
            (Stage::Hits, true) => search.stage = Stage::Passage,
            (Stage::Passage, false) => search.stage = Stage::Hits,
            _ => {}
        }
    }
}

/// Enter: the story that the selected passage is of, or the passage in its file.
pub(crate) fn open_selected(model: &mut Model) -> Vec<Effect> {
    let Some(hit) = on_top(model).and_then(Search::hit).cloned() else { return Vec::new() };
    let Some(story) = hit.story.as_ref().map(StoryKey::to_string) else {
        if let Some(search) = on_top_mut(model) {
            search.stage = Stage::Passage;
        }
        return Vec::new();
    };
    let of_open = model.story.as_ref().filter(|open| open.run.story == story).map(|open| open.key);
    let Some(run) = model.desk.row(&story).map(|row| row.key).or(of_open) else {
        model.warn(format!("{story} is not on the desk any more"));
        return Vec::new();
    };
    leave(model);
    let effects = crate::tui::app::effects::ask_to_open(model, Request::Open(run));
    model.next.passage = Some(hit.passage);
    effects
}

/// Esc: out of the passage, out of the list, out of the search.
pub(crate) fn back(model: &mut Model) -> Vec<Effect> {
    if let Some(search) = on_top_mut(model) {
        match search.stage {
            Stage::Passage => search.stage = Stage::Hits,
            Stage::Hits => search.stage = Stage::Query,
            Stage::Query => leave(model),
        }
    }
    Vec::new()
}

/// Leaves the search as it is, for the next time.
fn leave(model: &mut Model) {
    if let Some(Overlay::Search(mut search)) = model.overlays.pop() {
        (search.stage, search.story, search.asked) = (Stage::Query, None, None);
        model.searched = Some(search);
    }
}

/// Copies where the selected passage stands.
pub(crate) fn copy_citation(model: &mut Model) -> Vec<Effect> {
    let Some(hit) = on_top(model).and_then(Search::hit) else { return Vec::new() };
    let text = Arc::from(sanitise::one_line(&hit.passage.citation()));
    vec![Effect::Copy { text, what: "the citation".to_owned() }]
}

/// Something was found, or nothing.
pub(crate) fn found(model: &mut Model, ticket: Ticket, answer: Result<Box<SearchAnswer>, String>) -> Vec<Effect> {
    // Whoever has closed the search meanwhile does not miss it.
    let taken = open(model).is_some_and(|search| search.take(ticket, answer.map(|answer| *answer)));
    if taken { ask_around(model) } else { Vec::new() }
}

/// What stands around the selected passage.
pub(crate) fn around(model: &mut Model, ticket: Ticket, around: Option<&Around>) {
    if let Some(search) = open(model) {
        search.surround(ticket, around);
    }
}

/// What there is to be searched.
pub(crate) fn stock(model: &mut Model, stock: Stock) {
    if let Some(search) = open(model) {
        search.stock = Some(stock);
    }
}

/// How the work on the index stands. Once it rests, there may be more to be found.
pub(crate) fn shelving(model: &mut Model, how: Shelving) -> Vec<Effect> {
    let ended = how == Shelving::Rests && model.shelving != Shelving::Rests;
    model.shelving = how;
    if !ended || open(model).is_none() {
        return Vec::new();
    }
    let mut effects = vec![Effect::Ask(Request::ReadStock)];
    effects.extend(ask(model));
    effects
}

/// The story that a passage was found in is there: it is shown at the passage, where there is a page for that.
pub(crate) fn opened(model: &mut Model) -> Vec<Effect> {
    let Some(passage) = model.next.passage.take() else { return Vec::new() };
    let Some(story) = model.story.as_deref_mut() else { return Vec::new() };
    match passage.tier {
        Tier::Source => {
            if !story.show_passage(&passage) {
                model.warn("the passage is of an earlier run's source; its later runs have another");
                return Vec::new();
            }
            crate::tui::screens::story::update::show(model, Tab::Concerns)
        }
        Tier::Article => crate::tui::screens::story::update::show(model, Tab::Article),
        Tier::Knowledge | Tier::Evidence => Vec::new(),
    }
}
