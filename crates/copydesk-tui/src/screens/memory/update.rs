//! Keys of the memory: the list, the record behind a verdict, striking and restoring.

use crate::{
    app::{
        effects::Effect,
        messages::Request,
        model::{ConfirmedAction, Model, Overlay, Question},
    },
    screens::{
        forms::{field_name::FieldName, model::Form, purpose::Purpose, top::push},
        memory::model::{MemoryList, RecordPage, Reused},
        story::model::StoryView,
    },
    widgets::field::Field,
};
use copydesk_core::ports::Book;
use copydesk_newsroom::MemoryRecord;
use copydesk_text::sanitise;

/// The record behind the selected concern's verdict.
pub(crate) fn remembered(story: &StoryView) -> Option<&MemoryRecord> {
    let concern = story.selected_concern()?;
    story.journal.look_up(story.round, concern.id)?.remembered.as_ref()
}

pub(crate) fn show(model: &mut Model) -> Vec<Effect> {
    let list = MemoryList::new(model.memory_since());
    model.lay_over(Overlay::Memory(Box::new(list)));
    vec![Effect::Ask(Request::ReadMemory)]
}

pub(crate) fn show_remembered(model: &mut Model) -> Vec<Effect> {
    let since = model.memory_since();
    let Some(story) = model.story.as_deref() else { return Vec::new() };
    let (Some(record), Some(concern)) = (remembered(story), story.selected_concern()) else { return Vec::new() };
    let reused = Reused { story: story.run.story.clone(), concern: concern.id };
    let hash = record.cache_key_hash().to_owned();
    let page = RecordPage::reused(record.clone(), reused, since);
    model.lay_over(Overlay::Record(Box::new(page)));
    vec![Effect::Ask(Request::ReadRecord(hash))]
}

pub(crate) fn open_selected(model: &mut Model) -> Vec<Effect> {
    let Some(Overlay::Memory(list)) = model.overlays.last() else { return Vec::new() };
    if let Some(kept) = list.row().cloned() {
        let page = RecordPage::listed(kept, list.since.clone());
        model.lay_over(Overlay::Record(Box::new(page)));
    }
    Vec::new()
}

pub(crate) fn ask_to_strike(model: &mut Model) -> Vec<Effect> {
    let Some(page) = model.on_top::<RecordPage>() else { return Vec::new() };
    let asked = sanitise::excerpt(page.record.query(), 120);
    let stands = match &page.reused {
        Some(Reused { story, concern }) => {
            format!("The verdict on concern {concern} of {story} stands until you overrule it there.")
        }
        None => "Stories that already used it keep their verdicts until you overrule them there.".to_owned(),
    };
    let status = page.record.verdict().status.name();
    let explanation = format!("“{asked}”: {status}. It is not reused for the same question. {stands}");
    let purpose = Purpose::StrikeRecord { cache_key_hash: page.record.cache_key_hash().to_owned() };
    let fields =
        vec![Field::text(FieldName::Reason.label(), "why it must not be reused; kept in the log under your name", "")];
    let form = Form::new(purpose, "Strike this record?", explanation, fields);
    push(model, form)
}

pub(crate) fn ask_to_restore(model: &mut Model) -> Vec<Effect> {
    let Some(page) = model.on_top::<RecordPage>() else { return Vec::new() };
    let asked = sanitise::excerpt(page.record.query(), 120);
    let hash = page.record.cache_key_hash().to_owned();
    model.lay_over(Overlay::Question(Question {
        title: "Restore this record?".into(),
        text: format!(
            "“{asked}”: its verdict is reused for the same question again, unless it has expired or was overruled."
        ),
        yes: "restore it".into(),
        then: ConfirmedAction::RestoreRecord(hash),
    }));
    Vec::new()
}

pub(crate) fn read(model: &mut Model, book: Book) {
    let list = model.overlays.iter_mut().find_map(|overlay| match overlay {
        Overlay::Memory(list) => Some(list),
        _ => None,
    });
    // The page may have been closed meanwhile.
    if let Some(list) = list {
        list.set(book);
    }
}

pub(crate) fn read_under(model: &mut Model, hash: &str, book: &Book) {
    for overlay in &mut model.overlays {
        match overlay {
            Overlay::Memory(list) => list.refresh(hash, book),
            Overlay::Record(page) if page.record.cache_key_hash() == hash => page.know(book),
            _ => {}
        }
    }
}
