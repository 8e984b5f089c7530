//! Searching and copying the text on the screen.

use std::sync::Arc;

use crate::app::{Effect, Model};
use crate::screens::claims::{self, ClaimsPage};
use crate::screens::forms::{FieldName, Form, FormAnswer};
use crate::screens::story::update::searched;
use crate::screens::story::{Pane, StoryView, Tab};
use crate::widgets::{Field, Finder, ScrolledText};
use copydesk_core::editorial::event_words::event_and_details;
use copydesk_newsroom::EventRecord;

pub(crate) fn search(model: &mut Model) {
    let fields = vec![Field::line("Search", "in this text", "")];
    let form = Form::read_by("Search", "Capital letters make no difference.", fields, |form| {
        let query = form.value(FieldName::Search);
        Ok(FormAnswer::Close(Box::new(move |model| search_for(model, &query))))
    });
    model.lay_over(form);
}

fn search_for(model: &mut Model, query: &str) {
    if model.on_top::<ClaimsPage>().is_some() {
        return claims::page::search_for(model, query);
    }
    let Some(story) = model.story.as_deref_mut() else { return };
    // The list itself is no text: the hits are in the draft, which has to be seen.
    if story.tab == Tab::Concerns && story.concerns.pane == Pane::List {
        story.concerns.pane = Pane::Draft;
    }
    if story.tab == Tab::Proof && story.proof.pane == Pane::List {
        story.proof.pane = Pane::Draft;
    }
    if story.tab == Tab::Log {
        return search_log(model, query);
    }
    let Some(reading) = searched(story) else {
        model.warn("This page has no text to search");
        return;
    };
    match reading.search(query) {
        0 => model.warn(format!("“{query}” is not in this pane; the search looks in one pane at a time")),
        1 => model.say("1 hit"),
        count => model.say(format!("{count} hits")),
    }
}

/// Selects the next record of the log that contains the words, in its line or in its details.
fn search_log(model: &mut Model, query: &str) {
    let finder = Finder::new(query);
    let Some(story) = model.story.as_deref_mut() else { return };
    let rows = story.log.rows.as_deref().unwrap_or_default();
    let holds = |record: &EventRecord| {
        let (what, detail) = event_and_details(&record.event);
        let whole = serde_json::to_string(record).unwrap_or_default();
        [what, detail, whole].iter().any(|text| !finder.find(text).is_empty())
    };
    let found: Vec<usize> =
        rows.iter().enumerate().filter(|(_, record)| holds(record)).map(|(place, _)| place).collect();
    let behind = found.iter().position(|place| *place > story.log.selected).unwrap_or(0);
    match found.get(behind) {
        Some(place) => {
            story.log.selected = *place;
            model.say(format!("record {} of {} with “{query}”; search again for the next", behind + 1, found.len()));
        }
        None => model.warn(format!("“{query}” is not in the log")),
    }
}

pub(crate) fn hit(model: &mut Model, next: bool) {
    let reading = match model.overlays.last_mut().and_then(|overlay| overlay.page_mut::<ClaimsPage>()) {
        Some(page) => Some(&mut page.list.page as &mut dyn ScrolledText),
        None => model.story.as_deref_mut().and_then(searched),
    };
    let Some(reading) = reading else { return };
    reading.go_to_hit(next);
    match reading.hit() {
        Some((place, count)) => model.say(format!("hit {place} of {count}")),
        None => model.say("search for something first"),
    }
}

/// Copies the paragraph or hit of the text with the focus; in a list, what is selected.
pub(crate) fn copy(model: &mut Model) {
    let claim = model.on_top::<ClaimsPage>().map(|page| (Arc::clone(page.list.page.text()), "the claim"));
    let Some((text, what)) = claim.or_else(|| copied(model.story.as_deref_mut()?)) else { return };
    model.effects.push(Effect::Copy { text, what: what.to_owned() });
}

fn copied(story: &mut StoryView) -> Option<(Arc<str>, &'static str)> {
    Some(match (story.tab, story.shown_pane()) {
        (Tab::Concerns, Pane::List | Pane::Verdict) => {
            (Arc::clone(story.concerns.verdict.text()), "the concern and its verdict")
        }
        (Tab::Proof, Pane::List | Pane::Verdict) => (Arc::clone(story.proof.told.text()), "the row of the proof"),
        (Tab::Calls, _) => (Arc::clone(story.calls.page.text()), "the call"),
        (Tab::Sources, _) => (Arc::clone(story.sources_page.list.page.text()), "the source"),
        (Tab::Log, _) => (serde_json::to_string(story.log.row()?).ok()?.into(), "the record"),
        (Tab::Runs, _) => (story.runs.row()?.1.run.as_str().into(), "the run's name"),
        _ => (searched(story)?.selected(), "the text"),
    })
}
