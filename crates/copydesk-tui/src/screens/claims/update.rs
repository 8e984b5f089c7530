//! Keys of the claims page: the list, the selected claim, searching.

use crate::{
    app::{
        actions::Action,
        effects::Effect,
        model::{Model, Overlay},
    },
    screens::{claims::model::ClaimsPage, story::tabs::Tab},
    widgets::list_and_text::ListStage,
};
use copydesk_core::editorial::report;
use copydesk_newsroom::Tier;
use copydesk_text::count;

/// Opens the claims of the shown draft; on the Article tab, of the draft that was kept.
pub(crate) fn show(model: &mut Model) -> Vec<Effect> {
    let Some(story) = model.story.as_deref() else { return Vec::new() };
    let round = if story.tab == Tab::Article { report::shown_round(&story.journal, story.round) } else { story.round };
    let page = ClaimsPage::new(&story.journal, round);
    model.lay_over(Overlay::Claims(Box::new(page)));
    Vec::new()
}

/// The journal has grown: the check may have arrived.
pub(crate) fn read(model: &mut Model) {
    let Some(story) = model.story.as_deref() else { return };
    for overlay in &mut model.overlays {
        if let Overlay::Claims(page) = overlay {
            page.read(&story.journal);
        }
    }
}

/// Why an action cannot be used on the selected claim, if it cannot.
pub(crate) fn why_not(model: &Model, action: Action) -> Option<&'static str> {
    let page = model.on_top::<ClaimsPage>()?;
    let Some(claim) = page.claim() else { return Some("no claims here") };
    if action != Action::Open || page.list.stage == ListStage::List {
        return None;
    }
    match claim.passage.as_ref().map(|passage| passage.tier) {
        Some(Tier::Source | Tier::Found) => None,
        Some(_) => Some("its closest passage is not in this story's sources"),
        None => Some("no passage found for this claim"),
    }
}

/// Enter: opens the selected claim; once it is open, its closest passage in the source.
pub(crate) fn open_selected(model: &mut Model) -> Vec<Effect> {
    let Some(page) = model.on_top_mut::<ClaimsPage>() else { return Vec::new() };
    if page.list.stage == ListStage::List {
        page.turn();
        return Vec::new();
    }
    let passage = page.claim().and_then(|claim| claim.passage.clone());
    let (Some(passage), Some(story)) = (passage, model.story.as_deref_mut()) else { return Vec::new() };
    if !story.show_passage(&passage) {
        model.warn("the passage is no longer in the sources of this run");
        return Vec::new();
    }
    model.overlays.pop();
    crate::screens::story::update::show(model, Tab::Concerns)
}

pub(crate) fn sideways(page: &mut ClaimsPage, by: isize) {
    let count = page.claims().len();
    page.list.sideways(by, count);
}

pub(crate) fn move_by(page: &mut ClaimsPage, by: isize) {
    if !page.list.scroll_by(by) {
        page.select(by);
    }
}

/// Scrolls the text by a page; false if the keys go to the list.
pub(crate) fn page_by(model: &mut Model, by: isize) -> bool {
    model.on_top_mut::<ClaimsPage>().is_some_and(|page| page.list.page_by(by))
}

/// Esc: ends the search, closes the text, or closes the page.
pub(crate) fn back(model: &mut Model) -> Vec<Effect> {
    match model.on_top_mut::<ClaimsPage>() {
        Some(page) if page.is_searching() => page.end_search(),
        Some(page) if page.list.stage == ListStage::Text => page.turn(),
        _ => {
            model.overlays.pop();
        }
    }
    Vec::new()
}

/// Goes to the next claim that contains the words.
pub(crate) fn search_for(model: &mut Model, query: &str) -> Vec<Effect> {
    let Some(page) = model.on_top_mut::<ClaimsPage>() else { return Vec::new() };
    match page.search(query) {
        Some(found) => {
            let others = match found.claims {
                1 => "no other claim matches".to_owned(),
                claims => format!("{claims} claims match, search again for the next"),
            };
            let place = page.list.selected + 1;
            model.say(format!("{} in claim {place}; {others}", count(found.hits, "hit")));
        }
        None => model.warn(format!("“{query}” is not in these claims")),
    }
    Vec::new()
}
