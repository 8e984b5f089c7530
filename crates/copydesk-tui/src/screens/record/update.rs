//! Keys of the record page: a reply asked for or noted, a correction, a withdrawal.

use crate::{
    app::{
        actions::Action,
        effects::Effect,
        messages::Request,
        model::{Model, Overlay},
    },
    screens::{
        forms::{field_name::FieldName, model::Form, purpose::Purpose, top::push},
        record::model::{StoryRecord, StoryRecordPage},
    },
    widgets::{field::Field, list_and_text::ListStage},
};
use copydesk_core::ports::RunKey;

pub(crate) fn show(model: &mut Model) -> Vec<Effect> {
    let Some(story) = model.story.as_deref() else { return Vec::new() };
    let page = StoryRecordPage::new(story.key, story.journal.opening.topic.story());
    let effects = vec![Effect::Ask(Request::ReadStoryRecord { run: page.run, story: page.story.clone() })];
    model.lay_over(Overlay::StoryRecord(Box::new(page)));
    effects
}

/// The record was read; also after it grew.
pub(crate) fn known(model: &mut Model, run: RunKey, known: &StoryRecord) -> Vec<Effect> {
    for overlay in &mut model.overlays {
        if let Overlay::StoryRecord(page) = overlay
            && page.run == run
        {
            page.know(known.clone());
        }
    }
    Vec::new()
}

/// Why an action of this page is not possible.
pub(crate) fn why_not(model: &Model, action: Action) -> Option<String> {
    let Some(page) = model.on_top::<StoryRecordPage>() else { return Some("open the record page first".into()) };
    let Some(known) = &page.known else { return Some("the record is still being read".into()) };
    let was_out = !known.versions.is_empty();
    match action {
        Action::NoteReply if known.open_replies().next().is_none() => Some("nobody's reply is open".into()),
        Action::CorrectStory | Action::WithdrawStory if !was_out => Some("no version of it is signed off".into()),
        _ => None,
    }
}

/// The open page's run and story, and what it shows.
fn shown(model: &Model) -> Option<(&StoryRecordPage, &StoryRecord)> {
    let page = model.on_top::<StoryRecordPage>()?;
    page.known.as_ref().map(|known| (page, known))
}

pub(crate) fn ask_for_reply(model: &mut Model) -> Vec<Effect> {
    let Some((page, known)) = shown(model) else { return Vec::new() };
    let name = known.unasked.first().map_or("", String::as_str);
    let fields = vec![
        Field::line(FieldName::Who.label(), "who was asked", name),
        Field::line(FieldName::About.label(), "what they were asked about", ""),
        Field::line(FieldName::Due.label(), "by when: 18:00, tomorrow 18:00, +2h, +3d; empty: no time", ""),
    ];
    let purpose = Purpose::AskForReply { run: page.run, story: page.story.clone() };
    let explanation = "This notes that you have asked. Copydesk sends nothing.";
    push(model, Form::new(purpose, "Asked for a reply", explanation, fields))
}

pub(crate) fn note_reply(model: &mut Model) -> Vec<Effect> {
    let Some((page, known)) = shown(model) else { return Vec::new() };
    let name = known.open_replies().next().map_or("", |reply| reply.name.as_str());
    let fields = vec![
        Field::line(FieldName::Who.label(), "who was asked", name),
        Field::text(FieldName::Said.label(), "their words, or that they did not want to say anything", ""),
    ];
    let purpose = Purpose::NoteReply { run: page.run, story: page.story.clone() };
    push(model, Form::new(purpose, "Reply", "It is kept with the time and your name.", fields))
}

pub(crate) fn correct(model: &mut Model) -> Vec<Effect> {
    let Some((page, _)) = shown(model) else { return Vec::new() };
    let fields = vec![Field::text(FieldName::Note.label(), "what was wrong, and what is right: readers see it", "")];
    let purpose = Purpose::Correct { run: page.run, story: page.story.clone() };
    let explanation =
        "A new run opens at the sign-off: edit the text there, then sign it. Nothing goes out before that.";
    push(model, Form::new(purpose, "Correct the signed version", explanation, fields))
}

pub(crate) fn withdraw(model: &mut Model) -> Vec<Effect> {
    let Some((page, _)) = shown(model) else { return Vec::new() };
    let fields = vec![Field::text(FieldName::Reason.label(), "why: it stands in the notice", "")];
    let purpose = Purpose::Withdraw { run: page.run, story: page.story.clone() };
    let explanation =
        "The version that is out is withdrawn. Nobody is told before you send the notice on the publish page.";
    push(model, Form::new(purpose, "Withdraw the story", explanation, fields))
}

pub(crate) fn move_by(page: &mut StoryRecordPage, by: isize) {
    if !page.list.scroll_by(by) {
        page.select(by);
    }
}

/// Scrolls the text by a page; false if the keys go elsewhere.
pub(crate) fn page_by(model: &mut Model, by: isize) -> bool {
    model.on_top_mut::<StoryRecordPage>().is_some_and(|page| page.list.page_by(by))
}

pub(crate) fn back(model: &mut Model) -> Vec<Effect> {
    match model.on_top_mut::<StoryRecordPage>() {
        Some(page) if page.list.stage == ListStage::Text => page.list.turn(page.sections.len()),
        _ => {
            model.overlays.pop();
        }
    }
    Vec::new()
}
