//! Searching and copying the text on the screen.

use std::sync::Arc;

use crate::screens::claims::model::ClaimsPage;
use crate::{
    app::{effects::Effect, model::Model},
    screens::{
        claims,
        forms::{
            field_name::FieldName,
            model::{Form, FormAnswer},
        },
        story::{
            tabs::{Pane, Tab},
            update::searched,
        },
    },
    widgets::{
        field::Field,
        page::{Finder, ScrolledText},
    },
};
use copydesk_core::editorial::event_words::event_and_details;
use copydesk_newsroom::EventRecord;

pub(crate) fn search(model: &mut Model) -> Vec<Effect> {
    let fields = vec![Field::line("Search", "in this text", "")];
    let form = Form::read_by("Search", "Upper and lower case are the same.", fields, |form| {
        let query = form.value(FieldName::Search);
        Ok(FormAnswer::Close(Box::new(move |model| search_for(model, &query))))
    });
    model.lay_over(form);
    Vec::new()
}

fn search_for(model: &mut Model, query: &str) -> Vec<Effect> {
    if model.on_top::<ClaimsPage>().is_some() {
        return claims::page::search_for(model, query);
    }
    let Some(story) = model.story.as_deref_mut() else { return Vec::new() };
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
        return Vec::new();
    };
    match reading.search(query) {
        0 => model.warn(format!("“{query}” is not in this pane; the search looks in one pane at a time")),
        1 => model.say("1 hit"),
        count => model.say(format!("{count} hits")),
    }
    Vec::new()
}

/// Selects the next record of the log that contains the words, in its line or in its details.
fn search_log(model: &mut Model, query: &str) -> Vec<Effect> {
    let finder = Finder::new(query);
    let Some(story) = model.story.as_deref_mut() else { return Vec::new() };
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
    Vec::new()
}

pub(crate) fn hit(model: &mut Model, next: bool) -> Vec<Effect> {
    let reading = match model.overlays.last_mut().and_then(|overlay| overlay.page_mut::<ClaimsPage>()) {
        Some(page) => Some(&mut page.list.page as &mut dyn ScrolledText),
        None => model.story.as_deref_mut().and_then(searched),
    };
    let Some(reading) = reading else { return Vec::new() };
    reading.go_to_hit(next);
    match reading.hit() {
        Some((place, count)) => model.say(format!("hit {place} of {count}")),
        None => model.say("search for something first"),
    }
    Vec::new()
}

/// Copies the paragraph or hit of the text with the focus; in a list, what is selected.
pub(crate) fn copy(model: &mut Model) -> Vec<Effect> {
    if let Some(page) = model.on_top::<ClaimsPage>() {
        return vec![Effect::Copy { text: page.text(), what: "the claim".to_owned() }];
    }
    let Some(story) = model.story.as_deref_mut() else { return Vec::new() };
    let (text, what): (Arc<str>, &str) = match (story.tab, story.shown_pane()) {
        (Tab::Concerns, Pane::List | Pane::Verdict) => {
            (Arc::clone(story.concerns.verdict.text()), "the concern and its verdict")
        }
        (Tab::Proof, Pane::List | Pane::Verdict) => (Arc::clone(story.proof.told.text()), "the row of the proof"),
        (Tab::Calls, _) => (Arc::clone(story.calls.page.text()), "the call"),
        (Tab::Sources, _) => (Arc::clone(story.sources_page.list.page.text()), "the source"),
        (Tab::Log, _) => match story.log.row().map(serde_json::to_string) {
            Some(Ok(text)) => (Arc::from(text), "the record"),
            _ => return Vec::new(),
        },
        (Tab::Runs, _) => match story.runs.row() {
            Some((_, run)) => (Arc::from(run.run.as_str()), "the run's name"),
            None => return Vec::new(),
        },
        _ => match searched(story) {
            Some(reading) => (reading.selected(), "the text"),
            None => return Vec::new(),
        },
    };
    vec![Effect::Copy { text, what: what.to_owned() }]
}
