//! Keys of the publish page: sending, the embargo, the preview.

use crate::{
    app::{
        effects::Effect,
        messages::Request,
        model::{ConfirmedAction, Model, Overlay, Question},
    },
    screens::{
        forms::{field_name::FieldName, model::Form, purpose::Purpose, top::push},
        publish::model::PublishPage,
    },
    widgets::{field::Field, list_and_text::ListStage},
};
use copydesk_core::desk::PublishStanding;
use copydesk_core::ports::RunKey;
use copydesk_newsroom::local_minute;

pub(crate) fn show(model: &mut Model) -> Vec<Effect> {
    let Some(story) = model.story.as_deref() else { return Vec::new() };
    let page = PublishPage::new(story.key, story.journal.opening.topic.story());
    let effects = vec![read(&page)];
    model.lay_over(Overlay::Publish(Box::new(page)));
    effects
}

fn read(page: &PublishPage) -> Effect {
    Effect::Ask(Request::ReadPublishing { run: page.run, story: page.story.clone() })
}

/// How a story stands was read; also after something was sent.
pub(crate) fn standing(model: &mut Model, run: RunKey, standing: &PublishStanding) -> Vec<Effect> {
    for overlay in &mut model.overlays {
        if let Overlay::Publish(page) = overlay
            && page.run == run
        {
            page.sending = false;
            page.know(standing.clone());
        }
    }
    Vec::new()
}

/// Why the selected target, or all of them, cannot get the story.
pub(crate) fn why_not_send(model: &Model) -> Option<String> {
    match model.on_top::<PublishPage>() {
        Some(page) => page.why_not(),
        None => Some("open the publish page first".into()),
    }
}

pub(crate) fn ask_to_send(model: &mut Model, everywhere: bool) -> Vec<Effect> {
    let Some(page) = model.on_top::<PublishPage>() else { return Vec::new() };
    let names: Vec<&str> = match page.target() {
        Some(target) if !everywhere => vec![&target.name],
        _ => page.targets().iter().map(|target| target.name.as_str()).collect(),
    };
    if names.is_empty() {
        return Vec::new();
    }
    let (run, story) = (page.run, page.story.clone());
    let names = names.join(", ");
    let text = if page.standing.as_ref().is_some_and(|standing| standing.withdraws) {
        format!("The notice that takes {story} back goes to {names}, as far as they have the story.")
    } else {
        format!(
            "{story} goes to {names}, in the version that is signed off. A target that has this version does not get it again."
        )
    };
    // No name stands for all of them.
    let targets = page.target().filter(|_| !everywhere).map(|target| target.name.clone()).into_iter().collect();
    model.lay_over(Overlay::Question(Question {
        title: "Send the story out?".into(),
        text,
        yes: "send it".into(),
        then: ConfirmedAction::Publish(run, story, targets),
    }));
    Vec::new()
}

/// Sends it, after the question.
pub(crate) fn send(model: &mut Model, run: RunKey, request: Request) -> Vec<Effect> {
    if let Some(page) = model.on_top_mut::<PublishPage>().filter(|page| page.run == run) {
        page.sending = true;
    }
    vec![Effect::Ask(request)]
}

pub(crate) fn ask_for_embargo(model: &mut Model) -> Vec<Effect> {
    let Some(page) = model.on_top::<PublishPage>() else { return Vec::new() };
    let until = page.standing.as_ref().and_then(|standing| standing.embargo.as_deref()).map(local_minute);
    let hint = "18:00, tomorrow 18:00, 2026-10-06 18:00, +2h, +3d; empty: none";
    let fields = vec![Field::line(FieldName::Until.label(), hint, &until.unwrap_or_default())];
    let explanation = "Before this time nothing of the story goes out. In your local time.";
    let purpose = Purpose::Embargo { run: page.run, story: page.story.clone() };
    push(model, Form::new(purpose, "Embargo", explanation, fields))
}

pub(crate) fn open_preview(model: &mut Model) -> Vec<Effect> {
    let Some(page) = model.on_top::<PublishPage>() else { return Vec::new() };
    vec![Effect::Ask(Request::OpenPreview { run: page.run, story: page.story.clone() })]
}

pub(crate) fn move_by(page: &mut PublishPage, by: isize) {
    if !page.list.scroll_by(by) {
        page.select(by);
    }
}

/// Scrolls the text by a page; false if the keys go elsewhere.
pub(crate) fn page_by(model: &mut Model, by: isize) -> bool {
    model.on_top_mut::<PublishPage>().is_some_and(|page| page.list.page_by(by))
}

pub(crate) fn back(model: &mut Model) -> Vec<Effect> {
    match model.on_top_mut::<PublishPage>() {
        Some(page) if page.list.stage == ListStage::Text => page.turn(),
        _ => {
            model.overlays.pop();
        }
    }
    Vec::new()
}
