//! The comparison of two drafts.

use super::{Effect, story::opened};
use crate::tui::model::{
    Model, Overlay,
    compared::Compared,
    form::{Field, Form, Purpose},
    story::{StoryView, Tab},
};

/// Where to jump among the changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Jump {
    Next,
    Previous,
    Unasked,
}

/// Compares two drafts.
pub(super) fn set_comparison(story: &mut StoryView, from: u32, to: u32) {
    let layout = story.compared.as_ref().map(|compared| compared.state.layout).unwrap_or_default();
    story.compared = Compared::new(&story.journal, from, to, layout);
}

pub(super) fn compare(model: &mut Model, from: u32, to: u32) -> Vec<Effect> {
    if let Some(story) = opened(model) {
        set_comparison(story, from, to);
        story.tab = Tab::Changes;
    }
    Vec::new()
}

pub(super) fn change(model: &mut Model, jump: Jump) -> Vec<Effect> {
    let Some(compared) = opened(model).and_then(|story| story.compared.as_mut()) else { return Vec::new() };
    let found = match jump {
        Jump::Next => compared.next_change(),
        Jump::Previous => compared.previous_change(),
        Jump::Unasked => compared.next_unasked(),
    };
    if !found {
        model.say(match jump {
            Jump::Unasked => "every change was asked for",
            Jump::Next | Jump::Previous => "there is no change",
        });
    }
    Vec::new()
}

pub(super) fn toggle_layout(model: &mut Model) -> Vec<Effect> {
    if let Some(compared) = opened(model).and_then(|story| story.compared.as_mut()) {
        compared.toggle_layout();
    }
    Vec::new()
}

pub(super) fn choose_drafts(model: &mut Model) -> Vec<Effect> {
    let Some(story) = opened(model) else { return Vec::new() };
    let last = story.latest_round();
    let (from, to) =
        story.compared.as_ref().map_or((last - 1, last), |compared| (compared.state.from, compared.state.to));
    let fields = vec![
        Field::line("From", "the number of the older draft", &from.to_string()),
        Field::line("To", "the number of the newer draft", &to.to_string()),
    ];
    let explanation = format!("This story has drafts 1 to {last}.");
    let form = Form::new(Purpose::ChooseDrafts { last }, "Compare two drafts", explanation, fields);
    model.overlays.push(Overlay::Form(Box::new(form)));
    Vec::new()
}
