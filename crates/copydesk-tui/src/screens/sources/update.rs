//! The editor's actions on sources and research: adds, removes or distrusts a source, sends the Reporter, changes a concern's way.

use crate::{
    app::{effects::Effect, model::Model},
    screens::{
        forms::{
            field_name::FieldName,
            model::Form,
            purpose::{Decides, Purpose},
            top::push,
        },
        gate::{update::decide, waiting::place},
        story::model::StoryView,
    },
    widgets::field::Field,
};
use copydesk_core::editorial::research;
use copydesk_newsroom::{Choice, TriageWay};
use copydesk_text::sanitise;

pub(crate) fn open_add(model: &mut Model) -> Vec<Effect> {
    let Some((at, _)) = place(model) else { return Vec::new() };
    let fields = vec![
        Field::line(FieldName::File, "a document or a recording", ""),
        Field::line(FieldName::Title, "its name in the story; default: the file's name", ""),
    ];
    let explanation = "The draft is checked against it from now on. The path is relative to the folder in which the program was \
                       started. ~ is your home folder.";
    push(model, Form::new(Purpose::AddSource(at), "Add a source", explanation, fields))
}

pub(crate) fn open_remove(model: &mut Model) -> Vec<Effect> {
    let means = "nothing is checked against it from now on. The record keeps its text.";
    ask_why(model, "Remove this source?", means, |name| Decides::RemoveSource { name })
}

pub(crate) fn open_distrust(model: &mut Model) -> Vec<Effect> {
    let means =
        "from now on no statement matches by it, and nothing decides by it. It is still shown, also beside the claims.";
    ask_why(model, "Distrust this source?", means, |name| Decides::DistrustSource { name })
}

/// Asks why the selected source is to count no more. `means` says what follows.
fn ask_why(model: &mut Model, title: &str, means: &str, decides: fn(String) -> Decides) -> Vec<Effect> {
    let Some((at, story)) = place(model) else { return Vec::new() };
    let Some(source) = story.sources_page.source() else { return Vec::new() };
    let explanation = format!("“{}”: {means}", sanitise::excerpt(&source.title, 80));
    let purpose = Purpose::Decide(at, decides(source.name.clone()));
    let fields = vec![Field::text(FieldName::Reason, "why; kept in the record under your name", "")];
    push(model, Form::new(purpose, title, explanation, fields))
}

pub(crate) fn open_research(model: &mut Model) -> Vec<Effect> {
    let Some((at, _)) = place(model) else { return Vec::new() };
    let fields = vec![Field::line(FieldName::Question, "one line; it may go to a search outside", "")];
    let explanation = "The Reporter looks for it before the writer revises. What is found becomes a source.";
    push(model, Form::new(Purpose::Decide(at, Decides::Research), "Send the Reporter", explanation, fields))
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
pub(crate) fn triage(model: &mut Model) -> Vec<Effect> {
    match model.story.as_deref().and_then(other_way) {
        Some(choice) => decide(model, choice),
        None => Vec::new(),
    }
}
