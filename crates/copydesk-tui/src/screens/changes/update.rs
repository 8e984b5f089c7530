//! The comparison of two drafts.

use std::sync::Arc;

use crate::{
    app::{effects::Effect, messages::Request, model::Model},
    screens::{
        changes::comparisons::DraftPair,
        forms::{model::Form, purpose::Purpose},
        story::{model::StoryView, tabs::Tab},
    },
    widgets::field::Field,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Jump {
    Next,
    Previous,
    Unasked,
}

/// Shows two drafts as soon as they are compared.
pub(crate) fn set_comparison(story: &mut StoryView, from: u32, to: u32) -> Vec<Effect> {
    story.changes.wanted = Some((from, to));
    story.changes.lay(&story.journal);
    compared(story, [(from, to)])
}

/// Requests the comparisons that were not requested before.
pub(crate) fn compared(story: &mut StoryView, pairs: impl IntoIterator<Item = DraftPair>) -> Vec<Effect> {
    let (key, journal) = (story.key, Arc::clone(&story.journal));
    let ask = |pair| Effect::Ask(Request::Compare { key, journal: Arc::clone(&journal), pair });
    pairs.into_iter().filter(|pair| story.changes.known.ask(*pair)).map(ask).collect()
}

pub(crate) fn compare(model: &mut Model, from: u32, to: u32) -> Vec<Effect> {
    let Some(story) = model.story.as_deref_mut() else { return Vec::new() };
    story.tab = Tab::Changes;
    set_comparison(story, from, to)
}

pub(crate) fn change(model: &mut Model, jump: Jump) -> Vec<Effect> {
    let Some(compared) = model.story.as_deref_mut().and_then(|story| story.changes.compared.as_mut()) else {
        return Vec::new();
    };
    let changed = !compared.comparison.changes.is_empty();
    let found = match jump {
        Jump::Next => compared.next_change(),
        Jump::Previous => compared.previous_change(),
        Jump::Unasked => compared.next_unasked(),
    };
    if !found {
        model.say(match jump {
            Jump::Unasked if changed => "Every change was asked for",
            _ => "No changes",
        });
    }
    Vec::new()
}

pub(crate) fn toggle_layout(model: &mut Model) -> Vec<Effect> {
    if let Some(compared) = model.story.as_deref_mut().and_then(|story| story.changes.compared.as_mut()) {
        compared.toggle_layout();
    }
    Vec::new()
}

pub(crate) fn choose_drafts(model: &mut Model) -> Vec<Effect> {
    let Some(story) = model.story.as_deref_mut() else { return Vec::new() };
    let last = story.latest_round();
    let (from, to) =
        story.changes.compared.as_ref().map_or((last - 1, last), |compared| (compared.state.from, compared.state.to));
    let fields = vec![
        Field::line("From", "the number of the older draft", &from.to_string()),
        Field::line("To", "the number of the newer draft", &to.to_string()),
    ];
    let explanation = format!("This story has drafts 1 to {last}.");
    let form = Form::new(Purpose::ChooseDrafts { last }, "Compare two drafts", explanation, fields);
    model.lay_over(form);
    Vec::new()
}
