//! The proof sheet: selecting and sorting its rows, into the passage and back.

use std::sync::Arc;

use crate::editorial::decisions;
use crate::newsroom::{Choice, Journal, Wait};
use crate::text::{count, sanitise};
use crate::tui::{
    app::{effects::Effect, messages::Request, model::Model},
    screens::{
        forms::{
            model::Form,
            purpose::{Decides, Purpose},
        },
        gate,
        story::{model::StoryView, tabs::Tab, update::opened},
    },
    widgets::field::Field,
};

/// Asks for the proof of the draft that is shown, where nobody has yet.
pub(crate) fn prove(story: &mut StoryView) -> Vec<Effect> {
    let round = story.round;
    if story.journal.draft(round).is_none() || !story.proof.ask(round) {
        return Vec::new();
    }
    vec![Effect::Ask(Request::Prove { key: story.key, journal: Arc::clone(&story.journal), round })]
}

/// The next finding, or the one before.
pub(crate) fn go_to_finding(model: &mut Model, next: bool) -> Vec<Effect> {
    let Some(story) = opened(model) else { return Vec::new() };
    match story.proof.to_finding(next) {
        Some(by) => story.select_row(by),
        None => model.say("nothing that is shown here was found fault with"),
    }
    Vec::new()
}

/// All rows, the findings only, or one kind after the other.
pub(crate) fn filter(model: &mut Model) -> Vec<Effect> {
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
pub(crate) fn order(model: &mut Model) -> Vec<Effect> {
    let Some(story) = opened(model) else { return Vec::new() };
    story.proof.order = story.proof.order.other();
    story.arrange_proof();
    let words = story.proof.order.words();
    model.say(format!("the rows stand: {words}"));
    Vec::new()
}

/// Enter: into the passage that decides the selected row.
pub(crate) fn to_passage(model: &mut Model) -> Vec<Effect> {
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

/// Asks why the selected finding may stand.
pub(crate) fn open_accept(model: &mut Model) -> Vec<Effect> {
    let Some((at, story)) = gate::update::place(model) else { return Vec::new() };
    let (Some(finding), Some(row)) = (story.proof.number(), story.proof.row()) else { return Vec::new() };
    let concern = overruled_with(&story.journal, at.seen.at, finding);
    let with_it = match concern {
        Some(concern) => format!(" The verdict on concern {concern} is overruled with it: KEEP."),
        None => String::new(),
    };
    let note = row.note.as_deref().unwrap_or_default();
    let explanation = format!("“{}” {note}{with_it}", sanitise::excerpt(&sanitise::one_line(&row.text), 160));
    let fields = vec![Field::text("Reason", "why it may stand; it is kept in the record under your name", "")];
    let title = format!("Accept finding {finding} of the proof");
    gate::update::push(
        model,
        Form::new(Purpose::Decide(at, Decides::Accept { finding, concern }), title, explanation, fields),
    )
}

/// The concern whose open verdict is overruled when a finding is accepted.
pub(crate) fn overruled_with(journal: &Journal, wait: Wait, finding: u32) -> Option<u32> {
    match decisions::accepting(journal, wait, finding, String::new()) {
        Choice::Override { concern, .. } => Some(concern),
        _ => None,
    }
}

/// Shows the first finding that nobody has decided about and nobody may sign over.
pub(crate) fn show_what_holds_back(model: &mut Model) -> Vec<Effect> {
    let Some(story) = opened(model) else { return Vec::new() };
    let (Some(first), Some(wait)) = (story.held_back.first().copied(), story.waits()) else { return Vec::new() };
    if story.round != wait.round() {
        story.show_round(wait.round());
    }
    story.proof.want(first);
    story.show_proof();
    crate::tui::screens::story::update::show(model, Tab::Proof)
}
