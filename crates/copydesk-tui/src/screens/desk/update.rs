//! The desk's own actions: new stories, deletion, backup.

use std::collections::BTreeSet;

use crate::{
    app::{able, effects::Effect, model::Model},
    screens::{
        desk::model::DeskRow,
        forms::{model::Form, purpose::Purpose},
    },
    widgets::field::Field,
};
use copydesk_newsroom::{StoryKey, local_minute};

/// The key of a row's story; none if the name is not valid, which the records rule out.
pub(crate) fn key_of(row: &DeskRow) -> Option<StoryKey> {
    let (channel, slug) = row.run.story.split_once('/')?;
    let name = |text: &str| copydesk_newsroom::PathName::new(text).ok();
    Some(StoryKey::new(name(channel)?, name(slug)?))
}

/// The entry of the list of desks for a story without one.
pub(crate) const NO_DESK: &str = "none";

fn push(model: &mut Model, form: Form) -> Vec<Effect> {
    model.lay_over(form);
    Vec::new()
}

pub(crate) fn new_from_text(model: &mut Model) -> Vec<Effect> {
    let fields = vec![
        Field::text("Source", "paste or type the source text", ""),
        Field::line("Title", "default: the source's first line", ""),
    ];
    let explanation = "Notes, a transcript or a press release. You approve each step.";
    push(model, Form::new(Purpose::NewFromText, "New story from pasted text", explanation, fields))
}

pub(crate) fn new_from_question(model: &mut Model) -> Vec<Effect> {
    let fields = vec![
        Field::text("Question", "what the story is to be about", ""),
        Field::choice("Desk", "the newsroom desk", desks(model), 0),
        Field::line("New desk", "only for a desk that is not in the list", ""),
    ];
    let explanation = "The Reporter searches and reads; what it finds becomes the source. You approve each step.";
    push(model, Form::new(Purpose::NewFromQuestion, "New story from a question", explanation, fields))
}

/// The desks that stories have had, in order.
fn desks(model: &Model) -> Vec<String> {
    let known: BTreeSet<String> = model.desk.all().iter().filter_map(|row| row.run.desk.clone()).collect();
    std::iter::once(NO_DESK.to_owned()).chain(known).collect()
}

pub(crate) fn new_by_form(model: &mut Model) -> Vec<Effect> {
    let fields = vec![
        Field::line("Title", "the working title", ""),
        Field::text("Source", "the source text", ""),
        Field::line("Channel", "default: article_generation.default_channel", ""),
        Field::choice("Desk", "the newsroom desk", desks(model), 0),
        Field::line("New desk", "only for a desk that is not in the list", ""),
        Field::line("Angle", "optional", ""),
        Field::line("Length", "in words, such as 250-400; default: the configured length", ""),
        Field::choice("Style", "the first one is the default", model.house.styles.clone(), 0),
        Field::text("Draft", "your own draft to start from (optional)", ""),
    ];
    push(
        model,
        Form::new(Purpose::NewFromText, "New story", "Tab moves to the next field. You approve each step.", fields),
    )
}

pub(crate) fn only_mine(model: &mut Model) -> Vec<Effect> {
    let desk = &mut model.desk;
    desk.only_for = if desk.only_for.is_some() { None } else { Some(model.house.editor.clone()) };
    desk.arrange();
    let said = if desk.only_for.is_some() { "Only stories that wait for you" } else { "All stories" };
    model.say(said);
    Vec::new()
}

pub(crate) fn ask_to_delete(model: &mut Model) -> Vec<Effect> {
    let Some(story) = able::row(model).and_then(key_of) else { return Vec::new() };
    let explanation = format!(
        "Deletes everything of {story}: its runs, drafts, calls, memory records and files. Only a line in the audit log remains. \
         This cannot be undone. Type {} to confirm.",
        story.slug
    );
    let fields = vec![Field::line("Slug", "type the name above to confirm", "")];
    push(model, Form::new(Purpose::Delete { story }, "Delete the story?", explanation, fields))
}

pub(crate) fn ask_for_deadline(model: &mut Model) -> Vec<Effect> {
    let Some((story, due)) = able::row(model).and_then(|row| Some((key_of(row)?, row.run.due.clone()))) else {
        return Vec::new();
    };
    // In the form that can be typed, with the minutes.
    let due = due.map_or_else(String::new, |due| local_minute(&due));
    let fields = vec![Field::line("Due", "18:00, tomorrow 18:00, 2026-10-06 18:00, +2h, +3d; empty: none", &due)];
    let explanation = "When the story must be ready, in your local time. The desk marks a story that is late.";
    push(model, Form::new(Purpose::Deadline { story }, "Deadline", explanation, fields))
}

pub(crate) fn ask_for_editor(model: &mut Model) -> Vec<Effect> {
    let Some((story, editor)) = able::row(model).and_then(|row| Some((key_of(row)?, row.run.assigned.clone()))) else {
        return Vec::new();
    };
    let editor = editor.unwrap_or_else(|| model.house.editor.clone());
    let fields = vec![Field::line("Editor", "the editor's name; empty: nobody", &editor)];
    let explanation = "Who has this story. Each editor's desk can show only the stories that wait for them.";
    push(model, Form::new(Purpose::AssignEditor { story }, "Assign an editor", explanation, fields))
}

pub(crate) fn ask_for_backup(model: &mut Model) -> Vec<Effect> {
    let day: String = model.now.to_string().chars().take(10).collect();
    let fields = vec![Field::line("File", "a new file", &format!("copydesk-{day}.db"))];
    let explanation = "Saves all stories in one file. Work continues meanwhile. `copydesk restore FILE` restores it.";
    push(model, Form::new(Purpose::Backup, "Back up the desk", explanation, fields))
}
