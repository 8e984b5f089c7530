//! Keys of the search: asking while typing, moving through hits, opening them.

use std::sync::Arc;

use crossterm::event::KeyEvent;

use crate::{
    app::{
        effects::Effect,
        inquiry::{Indexing, Inquiry, SearchAnswer, WantedPassage},
        messages::Request,
        model::{Model, Overlay, Screen},
        ticket::Ticket,
    },
    screens::{
        search::model::{OfStory, SearchPage, SearchStage},
        story::tabs::Tab,
    },
    widgets::field::type_into,
};
use copydesk_core::ports::{Around, Stock, StoreError};
use copydesk_newsroom::{StoryKey, Tier};
use copydesk_text::sanitise;

/// Longest pasted query in characters.
const LONGEST: usize = 2_000;

pub(crate) fn show(model: &mut Model) -> Vec<Effect> {
    let mut search = model.searched.take().unwrap_or_default();
    let story = model.story.as_deref().filter(|_| model.screen == Screen::Story);
    search.story = story.map(|story| OfStory { run: story.key, journal: Arc::clone(&story.journal) });
    if !search.scopes().any(|scope| scope == search.scope) {
        search.next_scope();
    }
    model.lay_over(Overlay::Search(search));
    let mut effects = vec![Effect::Ask(Request::ReadStock)];
    // The results may have changed since.
    effects.extend(ask(model));
    effects
}

/// Asks for what is typed; an empty query clears the results.
fn ask(model: &mut Model) -> Vec<Effect> {
    let ticket = model.ticket();
    let least = model.house.min_credibility;
    let Some(search) = model.laid_mut::<SearchPage>() else { return Vec::new() };
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

fn ask_around(model: &mut Model) -> Vec<Effect> {
    let ticket = model.ticket();
    let Some(search) = model.laid_mut::<SearchPage>() else { return Vec::new() };
    let Some(hit) = search.hit() else { return Vec::new() };
    let wanted = WantedPassage { ticket, story: hit.story.clone(), passage: hit.passage.clone() };
    search.reading = Some(ticket);
    vec![Effect::Ask(Request::ReadAround(Box::new(wanted)))]
}

pub(crate) fn type_key(model: &mut Model, event: KeyEvent) -> Vec<Effect> {
    let Some(search) = model.on_top_mut::<SearchPage>() else { return Vec::new() };
    let before = search.query.len();
    type_into(&mut search.query, event);
    if search.query.len() == before { Vec::new() } else { ask(model) }
}

/// Pasted text goes into the query, whatever has the focus.
pub(crate) fn paste(model: &mut Model, text: &str) -> Vec<Effect> {
    let Some(search) = model.on_top_mut::<SearchPage>() else { return Vec::new() };
    search.query.push_str(&sanitise::excerpt(text, LONGEST));
    search.stage = SearchStage::Query;
    ask(model)
}

pub(crate) fn clear(model: &mut Model) -> Vec<Effect> {
    let Some(search) = model.on_top_mut::<SearchPage>() else { return Vec::new() };
    search.query.clear();
    ask(model)
}

pub(crate) fn next_scope(model: &mut Model) -> Vec<Effect> {
    if let Some(search) = model.on_top_mut::<SearchPage>() {
        search.next_scope();
    }
    ask(model)
}

pub(crate) fn toggle_trusted(model: &mut Model) -> Vec<Effect> {
    if let Some(search) = model.on_top_mut::<SearchPage>() {
        search.all = !search.all;
    }
    ask(model)
}

/// Enter in the query: to the hits; after a failed search, searches again.
pub(crate) fn confirm(model: &mut Model) -> Vec<Effect> {
    let Some(search) = model.on_top_mut::<SearchPage>() else { return Vec::new() };
    if matches!(search.found, Some(Err(_))) {
        return ask(model);
    }
    if search.stage == SearchStage::Query {
        search.turn(1);
    }
    Vec::new()
}

pub(crate) fn move_by(model: &mut Model, by: isize) -> Vec<Effect> {
    let Some(search) = model.on_top_mut::<SearchPage>() else { return Vec::new() };
    match search.stage {
        SearchStage::Passage => {
            search.page.scroll_by(i32::try_from(by).unwrap_or(if by < 0 { i32::MIN } else { i32::MAX }));
            Vec::new()
        }
        SearchStage::Query | SearchStage::Hits => {
            if search.select(by) {
                ask_around(model)
            } else {
                Vec::new()
            }
        }
    }
}

pub(crate) fn sideways(model: &mut Model, by: isize) {
    if let Some(search) = model.on_top_mut::<SearchPage>() {
        match (search.stage, by > 0) {
            (SearchStage::Hits, true) => search.stage = SearchStage::Passage,
            (SearchStage::Passage, false) => search.stage = SearchStage::Hits,
            _ => {}
        }
    }
}

/// Enter: opens the passage, or the story that it belongs to.
pub(crate) fn open_selected(model: &mut Model) -> Vec<Effect> {
    let Some(hit) = model.on_top::<SearchPage>().and_then(SearchPage::hit).cloned() else { return Vec::new() };
    let Some(story) = hit.story.as_ref().map(StoryKey::to_string) else {
        if let Some(search) = model.on_top_mut::<SearchPage>() {
            search.stage = SearchStage::Passage;
        }
        return Vec::new();
    };
    let of_open = model.story.as_ref().filter(|open| open.run.story == story).map(|open| open.key);
    let Some(run) = model.desk.row(&story).map(|row| row.key).or(of_open) else {
        model.warn(format!("{story} is no longer on the desk"));
        return Vec::new();
    };
    leave(model);
    let effects = crate::app::effects::ask_to_open(model, Request::Open(run));
    model.next.passage = Some(hit.passage);
    effects
}

pub(crate) fn back(model: &mut Model) -> Vec<Effect> {
    if let Some(search) = model.on_top_mut::<SearchPage>() {
        match search.stage {
            SearchStage::Passage => search.stage = SearchStage::Hits,
            SearchStage::Hits => search.stage = SearchStage::Query,
            SearchStage::Query => leave(model),
        }
    }
    Vec::new()
}

/// Closes the search and keeps it for the next time.
fn leave(model: &mut Model) {
    if let Some(Overlay::Search(mut search)) = model.overlays.pop() {
        (search.stage, search.story, search.asked) = (SearchStage::Query, None, None);
        model.searched = Some(search);
    }
}

pub(crate) fn copy_citation(model: &mut Model) -> Vec<Effect> {
    let Some(hit) = model.on_top::<SearchPage>().and_then(SearchPage::hit) else { return Vec::new() };
    let text = Arc::from(sanitise::one_line(&hit.passage.citation()));
    vec![Effect::Copy { text, what: "the citation".to_owned() }]
}

pub(crate) fn found(model: &mut Model, ticket: Ticket, answer: Result<Box<SearchAnswer>, StoreError>) -> Vec<Effect> {
    // The page may have been closed meanwhile.
    let taken = model.laid_mut::<SearchPage>().is_some_and(|search| search.take(ticket, answer.map(|answer| *answer)));
    if taken { ask_around(model) } else { Vec::new() }
}

pub(crate) fn around(model: &mut Model, ticket: Ticket, around: Option<&Around>) {
    if let Some(search) = model.laid_mut::<SearchPage>() {
        search.surround(ticket, around);
    }
}

pub(crate) fn stock(model: &mut Model, stock: Stock) {
    if let Some(search) = model.laid_mut::<SearchPage>() {
        search.stock = Some(stock);
    }
}

/// The state of the indexing. When it ends, there may be more to find.
pub(crate) fn indexing(model: &mut Model, how: Indexing) -> Vec<Effect> {
    let ended = how == Indexing::Rests && model.indexing != Indexing::Rests;
    model.indexing = how;
    model.under_way.indexing(how, model.now);
    if !ended || model.laid_mut::<SearchPage>().is_none() {
        return Vec::new();
    }
    let mut effects = vec![Effect::Ask(Request::ReadStock)];
    effects.extend(ask(model));
    effects
}

/// A story was opened from a hit: shows the passage, if a tab can.
pub(crate) fn opened(model: &mut Model) -> Vec<Effect> {
    let Some(passage) = model.next.passage.take() else { return Vec::new() };
    let Some(story) = model.story.as_deref_mut() else { return Vec::new() };
    match passage.tier {
        Tier::Source | Tier::Found => {
            if !story.show_passage(&passage) {
                model.warn("the passage is from an earlier run; the story's source has changed since");
                return Vec::new();
            }
            crate::screens::story::update::show(model, Tab::Concerns)
        }
        Tier::Article => crate::screens::story::update::show(model, Tab::Article),
        Tier::Knowledge | Tier::Evidence => Vec::new(),
    }
}
