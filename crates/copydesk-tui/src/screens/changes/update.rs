//! The comparison of two drafts.

use std::sync::Arc;

use crate::app::{Effect, Model, Request, Trouble};
use crate::screens::changes::{DraftPair, Jump};
use crate::screens::forms::{FieldName, Form, FormAnswer};
use crate::screens::story::{StoryView, Tab};
use crate::widgets::{Field, Layout};

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

fn compare(model: &mut Model, from: u32, to: u32) {
    let Some(story) = model.story.as_deref_mut() else { return };
    story.tab = Tab::Changes;
    model.effects.extend(set_comparison(story, from, to));
}

pub(crate) fn change(model: &mut Model, jump: Jump) {
    let Some(compared) = model.story.as_deref_mut().and_then(|story| story.changes.compared.as_mut()) else {
        return;
    };
    let before = compared.state.selected;
    let jumped = compared.jump(jump);
    let stayed = compared.state.selected == before;
    match jump {
        _ if !jumped => model.say("No changes"),
        Jump::Next if stayed => model.say("This is the last change"),
        Jump::Previous if stayed => model.say("This is the first change"),
        _ => {}
    }
}

pub(crate) fn toggle_layout(model: &mut Model) {
    if let Some(compared) = model.story.as_deref_mut().and_then(|story| story.changes.compared.as_mut()) {
        compared.state.layout = match compared.state.layout {
            Layout::SideBySide => Layout::Inline,
            Layout::Inline => Layout::SideBySide,
        };
    }
}

pub(crate) fn choose_drafts(model: &mut Model) {
    let Some(story) = model.story.as_deref_mut() else { return };
    let last = story.latest_round();
    let (from, to) =
        story.changes.compared.as_ref().map_or((last - 1, last), |compared| (compared.state.from, compared.state.to));
    let fields = vec![
        Field::line("From", "the number of the older draft", &from.to_string()),
        Field::line("To", "the number of the newer draft", &to.to_string()),
    ];
    let explanation = format!("This story has drafts 1 to {last}.");
    let form = Form::read_by("Compare two drafts", explanation, fields, move |form| {
        let number = |name| form.line(name).parse::<u32>().ok().filter(|round| (1..=last).contains(round));
        match (number(FieldName::From), number(FieldName::To)) {
            (Some(from), Some(to)) if from != to => {
                Ok(FormAnswer::Close(Box::new(move |model| compare(model, from, to))))
            }
            (Some(_), Some(_)) => Err(Trouble::new("choose two different drafts")),
            _ => Err(Trouble::new(format!("enter draft numbers from 1 to {last}"))),
        }
    });
    model.lay_over(form);
}
