//! The search as a page: asking while typing, moving through hits, opening them.

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::prelude::{Buffer, Rect};

use crate::app::{
    Action, Effect, Inquiry, KeyContext, Model, News, Overlay, Reaction, Request, Scene, Screen, WantedPassage, Ways,
    listed,
};
use crate::screens::search::{SearchPage, SearchStage, view};
use crate::screens::story::Tab;
use crate::widgets::ScrolledText as _;
use crate::widgets::field::type_into;
use copydesk_newsroom::{StoryKey, Tier};
use copydesk_text::sanitise;

/// Longest pasted query in characters.
const LONGEST: usize = 2_000;

impl Overlay for SearchPage {
    fn keys(&self) -> (KeyContext, &'static [Action]) {
        if self.stage == SearchStage::Query {
            (KeyContext::Query, listed![Confirm MoveDown NextScope ToggleTrusted Help Cancel])
        } else {
            let hints = listed![Open NextPane CopyCitation NextScope ToggleTrusted Help Back];
            (KeyContext::Hits, hints)
        }
    }

    fn titles(&self) -> Vec<(Action, String)> {
        vec![(Action::Confirm, "To the hits".into()), (Action::Cancel, "Close".into())]
    }

    fn why_not(&self, action: Action, _: &Model) -> Option<String> {
        (action == Action::CopyCitation && self.hit().is_none()).then(|| "nothing is selected".into())
    }

    fn act(&mut self, action: Action, _: &Scene<'_>) -> Reaction {
        match (action, self.stage) {
            (Action::Open, _) => return Reaction::Then(open_selected),
            (Action::CopyCitation, _) => return Reaction::Then(copy_citation),
            (Action::Back | Action::Cancel, SearchStage::Query) => return Reaction::Then(leave),
            (Action::Back | Action::Cancel, SearchStage::Hits) => self.stage = SearchStage::Query,
            // After a failed search, Enter searches again.
            (Action::Confirm | Action::Save, _) if matches!(self.found, Some(Err(_))) => return Reaction::Then(ask),
            (Action::Confirm | Action::Save, SearchStage::Query) | (Action::NextPane, _) => self.turn(1),
            (Action::PreviousPane, _) => self.turn(-1),
            (Action::MoveRight, SearchStage::Hits) => self.stage = SearchStage::Passage,
            (Action::Back | Action::Cancel | Action::MoveLeft, SearchStage::Passage) => self.stage = SearchStage::Hits,
            (Action::UndoTyping, _) => {
                self.query.clear();
                self.is_kept = false;
                return Reaction::Then(ask);
            }
            (Action::NextScope, _) => {
                self.next_scope();
                return Reaction::Then(ask);
            }
            (Action::ToggleTrusted, _) => {
                self.all = !self.all;
                return Reaction::Then(ask);
            }
            (Action::Confirm | Action::Save, _) => {}
            _ => return Reaction::Ignored,
        }
        Reaction::CHANGED
    }

    fn move_by(&mut self, by: isize, _: &Scene<'_>) -> Reaction {
        if self.stage == SearchStage::Passage {
            self.page.scroll_by(by);
        } else if self.select(by) {
            return Reaction::Then(ask_around);
        }
        Reaction::CHANGED
    }

    fn type_key(&mut self, event: KeyEvent) -> Reaction {
        let mut typed = if self.is_kept { String::new() } else { self.query.clone() };
        type_into(&mut typed, event);
        let is_key = !typed.is_empty() || event.code == KeyCode::Backspace;
        if !is_key || typed == self.query {
            return Reaction::CHANGED;
        }
        (self.query, self.is_kept) = (typed, false);
        Reaction::Then(ask)
    }

    /// Pasted text goes into the query, whatever has the focus.
    fn paste(&mut self, text: &str) -> Reaction {
        if std::mem::take(&mut self.is_kept) {
            self.query.clear();
        }
        self.query.push_str(&sanitise::excerpt(text, LONGEST));
        self.stage = SearchStage::Query;
        Reaction::Then(ask)
    }

    fn hear(&mut self, news: &News, _: &Scene<'_>) -> Reaction {
        match news {
            News::Found { ticket, answer } if self.take(*ticket, answer.clone().map(|answer| *answer)) => {
                return Reaction::Then(ask_around);
            }
            News::Around { ticket, around } => self.surround(*ticket, around.as_ref()),
            News::Stock(stock) => self.stock = Some(stock.clone()),
            _ => {}
        }
        Reaction::Ignored
    }

    fn view(&mut self, scene: &Scene<'_>, _: &Ways, area: Rect, buf: &mut Buffer) {
        view::search(self, scene.house, scene.under_way.on_index(), area, buf, &scene.theme);
    }
}

pub(crate) fn show(model: &mut Model) {
    let mut search = model.searched.take().unwrap_or_default();
    let story = model.story.as_deref().filter(|_| model.screen == Screen::Story);
    search.is_kept = !search.is_blank();
    search.story = story.map(|story| (story.key, Arc::clone(&story.journal)));
    if !search.scopes().any(|scope| scope == search.scope) {
        search.next_scope();
    }
    model.lay_over(*search);
    model.ask(Request::ReadStock);
    // The results may have changed since.
    ask(model);
}

/// Asks for what is typed; an empty query clears the results.
fn ask(model: &mut Model) {
    let ticket = model.ticket();
    let least = model.house.min_credibility;
    let Some(search) = model.laid_mut::<SearchPage>() else { return };
    if search.is_blank() {
        search.clear();
        return;
    }
    search.asked = Some(ticket);
    let inquiry = Inquiry {
        ticket,
        text: search.query.clone(),
        within: search.within(),
        min_credibility: if search.all { 0.0 } else { least },
    };
    model.ask(Request::Search(Box::new(inquiry)));
}

fn ask_around(model: &mut Model) {
    let ticket = model.ticket();
    let Some(search) = model.laid_mut::<SearchPage>() else { return };
    let Some(hit) = search.hit() else { return };
    let wanted = WantedPassage { ticket, story: hit.story.clone(), passage: hit.passage.clone() };
    search.reading = Some(ticket);
    model.ask(Request::ReadAround(Box::new(wanted)));
}

/// Enter: opens the passage, or the story that it belongs to.
fn open_selected(model: &mut Model) {
    let Some(hit) = model.on_top::<SearchPage>().and_then(SearchPage::hit).cloned() else { return };
    let Some(story) = hit.story.as_ref().map(StoryKey::to_string) else {
        if let Some(search) = model.on_top_mut::<SearchPage>() {
            search.stage = SearchStage::Passage;
        }
        return;
    };
    let of_open = model.story.as_ref().filter(|open| open.run.story == story).map(|open| open.key);
    let Some(run) = model.desk.row(&story).map(|row| row.key).or(of_open) else {
        model.warn(format!("{story} is no longer on the desk"));
        return;
    };
    leave(model);
    model.ask_to_open(Request::Open(run));
    model.next.passage = Some(hit.passage);
}

/// Closes the search and keeps it for the next time.
fn leave(model: &mut Model) {
    if let Some(search) = model.on_top_mut::<SearchPage>() {
        let mut search = std::mem::take(search);
        (search.stage, search.story, search.asked) = (SearchStage::Query, None, None);
        model.searched = Some(Box::new(search));
        model.overlays.pop();
    }
}

fn copy_citation(model: &mut Model) {
    let Some(hit) = model.on_top::<SearchPage>().and_then(SearchPage::hit) else { return };
    let text = Arc::from(sanitise::one_line(&hit.passage.citation()));
    model.effects.push(Effect::Copy { text, what: "the citation".to_owned() });
}

/// Work on the index has ended: there may be more to find.
pub(crate) fn indexed(model: &mut Model) {
    if model.laid_mut::<SearchPage>().is_none() {
        return;
    }
    model.ask(Request::ReadStock);
    ask(model);
}

/// A story was opened from a hit: shows the passage, if a tab can.
pub(crate) fn opened(model: &mut Model) {
    let Some(passage) = model.next.passage.take() else { return };
    let Some(story) = model.story.as_deref_mut() else { return };
    match passage.tier {
        Tier::Source | Tier::Found => {
            if !story.show_passage(&passage) {
                model.warn("the passage is from an earlier version; the story's source has changed since");
                return;
            }
            crate::screens::story::update::show(model, Tab::Concerns);
        }
        Tier::Article => crate::screens::story::update::show(model, Tab::Article),
        Tier::Knowledge | Tier::Evidence => {}
    }
}
