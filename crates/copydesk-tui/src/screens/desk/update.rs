//! The desk's own actions: new stories, deletion, backup.

use std::collections::BTreeSet;

use crate::app::{Beginning, Model, Request, Trouble, able};
use crate::screens::desk::DeskRow;
use crate::screens::forms::{FieldName, Form};
use crate::widgets::{Field, words};
use copydesk_newsroom::{StoryKey, local_minute};
use copydesk_text::sanitise;

/// The key of a row's story; none if the name is not valid, which the records rule out.
pub(crate) fn key_of(row: &DeskRow) -> Option<StoryKey> {
    let (channel, slug) = row.run.story.split_once('/')?;
    let name = |text: &str| copydesk_newsroom::PathName::new(text).ok();
    Some(StoryKey::new(name(channel)?, name(slug)?))
}

/// The entry of the list of desks for a story without one.
pub(crate) const NO_DESK: &str = "none";

pub(crate) fn new_from_text(model: &mut Model) {
    let fields = vec![
        Field::text("Source", "paste or type the source text", ""),
        Field::line("Title", "default: the source's first line", ""),
    ];
    let explanation = "Notes, a transcript or a press release. You approve each step.";
    let desk = model.house.settings.desk.clone();
    let form = Form::asking("New story from pasted text", explanation, fields, move |form| new_story(form, &desk, &[]));
    model.lay_over(form.doing("Begin"));
}

pub(crate) fn new_from_question(model: &mut Model) {
    let fields = vec![
        Field::text("Question", "what the story is to be about", ""),
        desks(model),
        Field::line("New desk", "only for a desk that is not in the list", ""),
    ];
    let explanation = "The Reporter searches and reads; what it finds becomes the source. You approve each step.";
    let form = Form::asking("New story from a question", explanation, fields, |form| {
        let question = form.value(FieldName::Question);
        if sanitise::is_blank(&question) {
            return Err(Trouble::new("say what the story is to be about"));
        }
        Ok(Request::Begin(Beginning::Question { question, desk: chosen_desk(form, "") }))
    });
    model.lay_over(form.doing("Begin"));
}

/// The request of a form for a new story; it may lack every field but the source. Without a field for it, the story's desk is `desk`.
/// `styles` are those of its list.
fn new_story(form: &Form, desk: &str, styles: &[String]) -> Result<Request, Trouble> {
    let text = form.value(FieldName::Source);
    if sanitise::is_blank(&text) {
        return Err(Trouble::new("enter the source text"));
    }
    Ok(Request::Begin(Beginning::Text {
        text,
        title: form.line(FieldName::Title),
        channel: form.line(FieldName::Channel),
        angle: form.line(FieldName::Angle),
        length: form.line(FieldName::Length),
        style: styles.get(form.chosen(FieldName::Style)).cloned().unwrap_or_default(),
        desk: chosen_desk(form, desk),
        draft: form.value(FieldName::Draft),
    }))
}

/// The desk that was chosen or, asked for by its own field, a new one. The first entry of the list is no desk. A form without the list has
/// the desk `usual`.
fn chosen_desk(form: &Form, usual: &str) -> String {
    match form.line(FieldName::NewDesk) {
        _ if !form.has(FieldName::Desk) => usual.to_owned(),
        new if !new.is_empty() => new,
        _ if form.chosen(FieldName::Desk) == 0 => String::new(),
        _ => form.line(FieldName::Desk),
    }
}

/// A list of the desks that stories have had, in order. The usual one is chosen.
fn desks(model: &Model) -> Field {
    let usual = Some(&model.house.settings.desk).filter(|desk| !desk.is_empty());
    let known = model.desk.all().iter().filter_map(|row| row.run.desk.clone());
    let known: BTreeSet<String> = known.chain(usual.cloned()).collect();
    let chosen = usual.and_then(|usual| known.iter().position(|desk| desk == usual)).map_or(0, |place| place + 1);
    let texts = std::iter::once(NO_DESK.to_owned()).chain(known).collect();
    Field::choice("Desk", "the newsroom desk", texts, chosen)
}

pub(crate) fn new_by_form(model: &mut Model) {
    let styles = model.house.styles.clone();
    let fields = vec![
        Field::line("Title", "the working title", ""),
        Field::text("Source", "the source text", ""),
        Field::line("Channel", "default: the channel in the settings", ""),
        desks(model),
        Field::line("New desk", "only for a desk that is not in the list", ""),
        Field::line("Angle", "optional", ""),
        Field::line("Length", "in words, such as 250-400; default: settings", ""),
        Field::choice(
            "Style",
            "the first one is the default",
            styles.iter().map(|style| words::style(style)).collect(),
            0,
        ),
        Field::text("Draft", "your own draft to start from (optional)", ""),
    ];
    let explanation = "Tab moves to the next field. You approve each step.";
    let form = Form::asking("New story", explanation, fields, move |form| new_story(form, "", &styles));
    model.lay_over(form.doing("Begin"));
}

pub(crate) fn only_mine(model: &mut Model) {
    let desk = &mut model.desk;
    desk.only_for = if desk.only_for.is_some() { None } else { Some(model.house.editor.clone()) };
    desk.arrange();
    let said = if desk.only_for.is_some() { "Only stories that wait for you" } else { "All stories" };
    model.say(said);
}

pub(crate) fn ask_to_delete(model: &mut Model) {
    let Some(story) = able::row(model).and_then(key_of) else { return };
    let explanation = format!(
        "Deletes everything of {story}: its runs, drafts, calls, memory records and files. Only a line in the audit log remains. \
         This cannot be undone. Type {} to confirm.",
        story.slug
    );
    let fields = vec![Field::line(FieldName::Slug, "type the name above to confirm", "")];
    let form = Form::asking("Delete the story?", explanation, fields, move |form| {
        if form.line(FieldName::Slug) == story.slug.as_str() {
            Ok(Request::Delete(story.clone()))
        } else {
            Err(Trouble::new(format!("that is not {}; nothing was deleted", story.slug)))
        }
    });
    model.lay_over(form.doing("Delete"));
}

pub(crate) fn ask_for_deadline(model: &mut Model) {
    let Some((story, due)) = able::row(model).and_then(|row| Some((key_of(row)?, row.run.due.clone()))) else {
        return;
    };
    // In the form that can be typed, with the minutes.
    let due = due.map_or_else(String::new, |due| local_minute(&due));
    let fields = vec![Field::line("Due", "18:00, tomorrow 18:00, +2h, +3d; empty: none", &due)];
    let explanation = "When the story must be ready, in your local time. The desk marks a story that is late.";
    let form = Form::asking("Deadline", explanation, fields, move |form| {
        Ok(Request::SetDue { story: story.clone(), typed: form.line(FieldName::Due) })
    });
    model.lay_over(form);
}

pub(crate) fn ask_for_editor(model: &mut Model) {
    let Some((story, editor)) = able::row(model).and_then(|row| Some((key_of(row)?, row.run.assigned.clone()))) else {
        return;
    };
    let editor = editor.unwrap_or_else(|| model.house.editor.clone());
    let fields = vec![Field::line("Editor", "the editor's name; empty: nobody", &editor)];
    let explanation = "Whose story this is. On the desk, each editor can hide the stories that wait for others.";
    let form = Form::asking("Assign an editor", explanation, fields, move |form| {
        let editor = Some(form.line(FieldName::Editor)).filter(|name| !sanitise::is_blank(name));
        let editor = editor.map(|name| sanitise::excerpt(&name, 80));
        Ok(Request::Assign { story: story.clone(), editor })
    });
    model.lay_over(form);
}

pub(crate) fn ask_for_backup(model: &mut Model) {
    let day: String = model.now.to_string().chars().take(10).collect();
    let fields = vec![Field::line("File", "a new file", &format!("copydesk-{day}.db"))];
    let explanation = "Saves all stories in one file while work goes on. `copydesk restore FILE` reads it back.";
    model.lay_over(Form::asking("Back up the desk", explanation, fields, |form| Ok(Request::BackUp(form.file()?))));
}
