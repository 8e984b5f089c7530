//! Keys of the Proof page: selecting and accepting rows, listening, the dictionary.

use std::sync::Arc;

use crate::app::{Model, Question, Request};
use crate::screens::forms::FieldName;
use crate::screens::gate::update::open_form;
use crate::screens::gate::waiting::place;
use crate::screens::story::Tab;
use crate::widgets::Field;
use copydesk_core::editorial::decisions;
use copydesk_newsroom::Choice;
use copydesk_text::{in_marks, sanitise};

pub(crate) fn go_to_finding(model: &mut Model, next: bool) {
    let Some(story) = model.story.as_deref_mut() else { return };
    match story.proof.to_finding(next) {
        Some(by) => story.select_row(by),
        None => model.say("no findings in this list"),
    }
}

pub(crate) fn open_accept(model: &mut Model) {
    let Some((at, story)) = place(model) else { return };
    let (Some(finding), Some(row)) = (story.proof.number(), story.proof.row()) else { return };
    let choice = decisions::accepting(&story.journal, at.seen.at, finding, String::new());
    let with_it = match &choice {
        Choice::Override { concern, .. } => format!(" This also overrules the verdict on concern {concern}: KEEP."),
        _ => String::new(),
    };
    let note = row.note.as_deref().unwrap_or_default();
    let explanation = format!("{} {note}{with_it}", in_marks(&sanitise::excerpt(&sanitise::one_line(&row.text), 160)));
    let fields = vec![Field::text(FieldName::Reason, "why it is correct; kept under your name", "")];
    open_form(model, choice, format!("Let finding {finding} stand"), explanation, fields);
}

pub(crate) fn listen(model: &mut Model) {
    let Some(story) = model.story.as_deref() else { return };
    let Some((recorded, seconds)) = story.proof.heard(&story.journal) else { return };
    let Some(file) = recorded.file.clone() else { return };
    let source = recorded.source.clone();
    model.ask(Request::Listen { run: story.key, gate: story.waits(), source, file, seconds });
}

pub(crate) fn ask_to_add(model: &mut Model) {
    let Some(word) = model.story.as_deref_mut().and_then(|story| Some(story.proof.word()?.text.clone())) else {
        return;
    };
    let text = format!("“{word}” goes into the newsroom's dictionary (dictionary.txt) and is right in every story.");
    model.lay_over(Question::new("Add this word?", text, "add it", |model| add(model, word)));
}

fn add(model: &mut Model, word: String) {
    let Some(story) = model.story.as_deref() else { return };
    model.ask(Request::AddWord { word, key: story.key, journal: Arc::clone(&story.journal) });
}

/// Shows the first undecided finding that blocks the sign-off.
pub(crate) fn show_what_holds_back(model: &mut Model) {
    let Some(story) = model.story.as_deref_mut() else { return };
    let (Some(first), Some(wait)) = (story.gate.held_back.first().copied(), story.waits()) else { return };
    if story.round != wait.round() {
        story.show_round(wait.round());
    }
    story.proof.want(first);
    story.show_proof();
    crate::screens::story::update::show(model, Tab::Proof);
}
