//! The claims of the open story: the list, the selected one, searching in them.

use crate::editorial::report;
use crate::newsroom::Tier;
use crate::text::count;
use crate::tui::{
    app::{
        actions::Action,
        effects::Effect,
        model::{Model, Overlay},
    },
    screens::{
        claims::model::{ClaimsPage, Stage},
        story::tabs::Tab,
    },
};

/// The claims that are on top.
pub(crate) fn on_top(model: &Model) -> Option<&ClaimsPage> {
    match model.overlays.last() {
        Some(Overlay::Claims(page)) => Some(page),
        _ => None,
    }
}

fn on_top_mut(model: &mut Model) -> Option<&mut ClaimsPage> {
    match model.overlays.last_mut() {
        Some(Overlay::Claims(page)) => Some(page),
        _ => None,
    }
}

/// The claims of the draft that is shown: beside the article that is kept, those of its draft.
pub(crate) fn show(model: &mut Model) -> Vec<Effect> {
    let Some(story) = model.story.as_deref() else { return Vec::new() };
    let round = if story.tab == Tab::Article { report::shown_round(&story.journal, story.round) } else { story.round };
    let page = ClaimsPage::new(&story.journal, round);
    model.lay_over(Overlay::Claims(Box::new(page)));
    Vec::new()
}

/// The journal has grown: the check may have come.
pub(crate) fn read(model: &mut Model) {
    let Some(story) = model.story.as_deref() else { return };
    for overlay in &mut model.overlays {
        if let Overlay::Claims(page) = overlay {
            page.read(&story.journal);
        }
    }
}

/// Why an action cannot be used on the selected claim; none where it can.
pub(crate) fn why_not(model: &Model, action: Action) -> Option<&'static str> {
    let page = on_top(model)?;
    let Some(claim) = page.claim() else { return Some("there is no claim") };
    if action != Action::Open || page.stage == Stage::List {
        return None;
    }
    match claim.passage.as_ref().map(|passage| passage.tier) {
        Some(Tier::Source) => None,
        Some(_) => Some("its best passage is in none of this story's sources"),
        None => Some("no passage bears on this claim"),
    }
}

/// Enter: into the text of the selected claim; from there to its best passage in its source.
pub(crate) fn open_selected(model: &mut Model) -> Vec<Effect> {
    let Some(page) = on_top_mut(model) else { return Vec::new() };
    if page.stage == Stage::List {
        page.turn();
        return Vec::new();
    }
    let passage = page.claim().and_then(|claim| claim.passage.clone());
    let (Some(passage), Some(story)) = (passage, model.story.as_deref_mut()) else { return Vec::new() };
    if !story.show_passage(&passage) {
        model.warn("the sources of this run do not have the passage at its place");
        return Vec::new();
    }
    model.overlays.pop();
    crate::tui::screens::story::update::show(model, Tab::Concerns)
}

/// To the text, or back to the list.
pub(crate) fn sideways(page: &mut ClaimsPage, by: isize) {
    if (page.stage == Stage::List) == (by > 0) {
        page.turn();
    }
}

/// Moves in the list, or in the text.
pub(crate) fn move_by(page: &mut ClaimsPage, by: isize) {
    match page.stage {
        Stage::List => page.select(by),
        Stage::Text => page.page.scroll_by(i32::try_from(by).unwrap_or(if by < 0 { i32::MIN } else { i32::MAX })),
    }
}

/// A page of the text down, or up; false where the keys do not go there.
pub(crate) fn page_by(model: &mut Model, by: isize) -> bool {
    let Some(page) = on_top_mut(model).filter(|page| page.stage == Stage::Text) else { return false };
    if by < 0 {
        page.page.page_up();
    } else {
        page.page.page_down();
    }
    true
}

/// Esc: out of a search, out of the text, out of the claims.
pub(crate) fn back(model: &mut Model) -> Vec<Effect> {
    match on_top_mut(model) {
        Some(page) if page.is_searching() => page.end_search(),
        Some(page) if page.stage == Stage::Text => page.turn(),
        _ => {
            model.overlays.pop();
        }
    }
    Vec::new()
}

/// Goes to the next claim whose text holds the words.
pub(crate) fn search_for(model: &mut Model, query: &str) -> Vec<Effect> {
    let Some(page) = on_top_mut(model) else { return Vec::new() };
    match page.search(query) {
        Some(found) => {
            let others = match found.claims {
                1 => "no other claim has any".to_owned(),
                claims => format!("{claims} claims have some, search again for the next"),
            };
            let place = page.selected + 1;
            model.say(format!("{} in claim {place}; {others}", count(found.hits, "hit")));
        }
        None => model.warn(format!("“{query}” is in none of these claims")),
    }
    Vec::new()
}
