//! Keys of the Proof page: selecting, sorting and accepting rows, opening a passage.

use std::sync::Arc;

use crate::{
    app::{
        effects::Effect,
        messages::Request,
        model::{ConfirmedAction, Model, Question},
    },
    screens::{
        forms::{
            field_name::FieldName,
            model::Form,
            purpose::{Decides, Purpose},
            top::push,
        },
        gate::waiting::{overruled_with, place},
        story::tabs::Tab,
    },
    widgets::field::Field,
};
use copydesk_text::{count, sanitise};

pub(crate) fn go_to_finding(model: &mut Model, next: bool) -> Vec<Effect> {
    let Some(story) = model.story.as_deref_mut() else { return Vec::new() };
    match story.proof.to_finding(next) {
        Some(by) => story.select_row(by),
        None => model.say("no findings in this list"),
    }
    Vec::new()
}

/// Cycles through all rows, findings only, and each kind.
pub(crate) fn filter(model: &mut Model) -> Vec<Effect> {
    let Some(story) = model.story.as_deref_mut() else { return Vec::new() };
    story.proof.next_filter();
    story.arrange_proof();
    let said = match story.proof.filter.words() {
        "" => "showing all rows".to_owned(),
        words => format!("showing {words}: {}", count(story.proof.count(), "row")),
    };
    model.say(said);
    Vec::new()
}

pub(crate) fn order(model: &mut Model) -> Vec<Effect> {
    let Some(story) = model.story.as_deref_mut() else { return Vec::new() };
    story.proof.order = story.proof.order.other();
    story.arrange_proof();
    let words = story.proof.order.words();
    model.say(format!("order: {words}"));
    Vec::new()
}

pub(crate) fn open_accept(model: &mut Model) -> Vec<Effect> {
    let Some((at, story)) = place(model) else { return Vec::new() };
    let (Some(finding), Some(row)) = (story.proof.number(), story.proof.row()) else { return Vec::new() };
    let concern = overruled_with(&story.journal, at.seen.at, finding);
    let with_it = match concern {
        Some(concern) => format!(" This also overrules the verdict on concern {concern}: KEEP."),
        None => String::new(),
    };
    let note = row.note.as_deref().unwrap_or_default();
    let explanation = format!("“{}” {note}{with_it}", sanitise::excerpt(&sanitise::one_line(&row.text), 160));
    let fields = vec![Field::text(FieldName::Reason, "why it is correct; kept in the record under your name", "")];
    let title = format!("Accept finding {finding}");
    push(model, Form::new(Purpose::Decide(at, Decides::Accept { finding, concern }), title, explanation, fields))
}

pub(crate) fn ask_to_add(model: &mut Model) -> Vec<Effect> {
    let Some(word) = model.story.as_deref_mut().and_then(|story| Some(story.proof.word()?.text.clone())) else {
        return Vec::new();
    };
    model.lay_over(Question {
        title: "Add this word?".into(),
        text: format!("“{word}” goes into the newsroom's dictionary (dictionary.txt) and is right in every story."),
        yes: "add it".into(),
        then: ConfirmedAction::AddWord(word),
    });
    Vec::new()
}

pub(crate) fn add(model: &mut Model, word: String) -> Vec<Effect> {
    let Some(story) = model.story.as_deref_mut() else { return Vec::new() };
    vec![Effect::Ask(Request::AddWord { word, key: story.key, journal: Arc::clone(&story.journal) })]
}

/// Shows the first undecided finding that blocks the sign-off.
pub(crate) fn show_what_holds_back(model: &mut Model) -> Vec<Effect> {
    let Some(story) = model.story.as_deref_mut() else { return Vec::new() };
    let (Some(first), Some(wait)) = (story.gate.held_back.first().copied(), story.waits()) else { return Vec::new() };
    if story.round != wait.round() {
        story.show_round(wait.round());
    }
    story.proof.want(first);
    story.show_proof();
    crate::screens::story::update::show(model, Tab::Proof)
}
