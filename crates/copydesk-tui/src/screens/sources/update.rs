//! The editor's actions on sources and research: adds, removes or distrusts a source, sends the Reporter, changes a concern's way.

use crate::app::{Model, Request};
use crate::screens::forms::{FieldName, Form};
use crate::screens::gate::update::{decide, open_form, reason};
use crate::screens::gate::waiting::place;
use crate::screens::story::StoryView;
use crate::widgets::Field;
use copydesk_core::editorial::research;
use copydesk_newsroom::{Choice, TriageWay};
use copydesk_text::{in_marks, sanitise};

pub(crate) fn open_add(model: &mut Model) {
    let Some((at, _)) = place(model) else { return };
    let fields = vec![
        Field::line(FieldName::File, "a document or a recording", ""),
        Field::line(FieldName::Title, "its name in the story; default: the file's name", ""),
    ];
    let explanation = "The draft is checked against it from now on. A path starts in the folder where you started Copydesk; ~ is your home folder.";
    let form = Form::asking("Add a source", explanation, fields, move |form| {
        let name = Some(form.line(FieldName::Title)).filter(|name| !name.is_empty());
        Ok(Request::AddSource { at: at.clone(), path: form.file()?, name })
    });
    model.lay_over(form);
}

pub(crate) fn open_remove(model: &mut Model) {
    let means = "nothing is checked against it from now on. The record keeps its text.";
    ask_why(model, "Remove this source?", means, |name| Choice::RemoveSource { name, reason: String::new() });
}

pub(crate) fn open_distrust(model: &mut Model) {
    let means = "from now on no statement is verified by it, and it decides nothing. It is still shown, also beside the claims.";
    ask_why(model, "Distrust this source?", means, |name| Choice::DistrustSource { name, reason: String::new() });
}

/// Asks why the selected source is to count no more. `means` says what follows.
fn ask_why(model: &mut Model, title: &str, means: &str, choice: fn(String) -> Choice) {
    let Some(source) = model.story.as_deref().and_then(|story| story.sources_page.source()) else { return };
    let explanation = format!("{}: {means}", in_marks(&sanitise::excerpt(&source.title, 80)));
    let choice = choice(source.name.clone());
    open_form(model, choice, title, explanation, reason());
}

pub(crate) fn open_research(model: &mut Model) {
    let fields = vec![Field::line(FieldName::Question, "it may go to a search service outside", "")];
    let explanation = "The Reporter looks into it before the writer revises. Anything found becomes a source.";
    open_form(model, Choice::Research { question: String::new() }, "Send the Reporter", explanation, fields);
}

/// The way that the selected concern does not go now; none if it was not triaged.
pub(crate) fn other_way(story: &StoryView) -> Option<Choice> {
    let concern = story.selected_concern()?.id;
    let ways = research::triaged(&story.journal, story.round);
    let way = match ways.into_iter().find(|triaged| triaged.concern == concern)?.way {
        TriageWay::Rewrite => TriageWay::Research,
        TriageWay::Research => TriageWay::Rewrite,
    };
    Some(Choice::Triage { concern, way, question: None })
}

/// Sends the selected concern the other way.
pub(crate) fn triage(model: &mut Model) {
    if let Some(choice) = model.story.as_deref().and_then(other_way) {
        decide(model, choice);
    }
}
