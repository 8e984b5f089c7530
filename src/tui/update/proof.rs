//! The proof sheet: selecting and sorting its rows, into the passage and back.

use std::sync::Arc;

use super::{Effect, story::opened};
use crate::{
    text::count,
    tui::{
        model::{Model, story::StoryView},
        msg::Request,
    },
};

/// Asks for the proof of the draft that is shown, where nobody has yet.
pub(super) fn prove(story: &mut StoryView) -> Vec<Effect> {
    let round = story.round;
    if story.journal.draft(round).is_none() || !story.proof.ask(round) {
        return Vec::new();
    }
    vec![Effect::Ask(Request::Prove { key: story.key, journal: Arc::clone(&story.journal), round })]
}

/// The next finding, or the one before.
pub(super) fn go_to_finding(model: &mut Model, next: bool) -> Vec<Effect> {
    let Some(story) = opened(model) else { return Vec::new() };
    match story.proof.to_finding(next) {
        Some(by) => story.select_row(by),
        None => model.say("nothing that is shown here was found fault with"),
    }
    Vec::new()
}

/// All rows, the findings only, or one kind after the other.
pub(super) fn filter(model: &mut Model) -> Vec<Effect> {
    let Some(story) = opened(model) else { return Vec::new() };
    if let Some(proved) = story.proof.proved().cloned() {
        story.proof.filter = story.proof.filter.next(&proved.ledger);
        story.arrange_proof();
    }
    let said = match story.proof.filter.words() {
        "" => "all rows are shown".to_owned(),
        words => format!("shown: {words}, {}", count(story.proof.count(), "row")),
    };
    model.say(said);
    Vec::new()
}

/// Findings first, or as they stand in the draft.
pub(super) fn order(model: &mut Model) -> Vec<Effect> {
    let Some(story) = opened(model) else { return Vec::new() };
    story.proof.order = story.proof.order.other();
    story.arrange_proof();
    let words = story.proof.order.words();
    model.say(format!("the rows stand: {words}"));
    Vec::new()
}

/// Enter: into the passage that decides the selected row.
pub(super) fn to_passage(model: &mut Model) -> Vec<Effect> {
    let Some(story) = opened(model) else { return Vec::new() };
    if story.proof.row().is_none() {
        return Vec::new();
    }
    if story.proof.has_passage() {
        story.proof.to_passage();
    } else {
        model.warn("no passage of the sources decides this row; the pane of the source shows them whole");
    }
    Vec::new()
}
