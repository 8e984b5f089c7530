//! Forms: typing, pasting, sending, leaving.

use std::path::PathBuf;

use crossterm::event::KeyEvent;

use super::{Effect, changes, find, gate, save};
use crate::{
    newsroom::{ArticleResponse, Choice, Status},
    text::sanitise,
    tui::{
        action::Action,
        model::{
            Model, Overlay,
            form::{Form, Purpose},
        },
        msg::{Beginning, Request},
    },
};

/// Most bytes that a form takes: more is a file, not something to be pasted.
const MOST_BYTES: usize = 8 << 20;

fn form(model: &mut Model) -> Option<&mut Form> {
    match model.overlays.last_mut() {
        Some(Overlay::Form(form)) => Some(form),
        _ => None,
    }
}

/// Sends the form's answer. The form stays until the answer has done what it should: what was wrong is said in it.
pub(super) fn send(model: &mut Model) -> Vec<Effect> {
    let Some(form) = form(model) else { return Vec::new() };
    if form.sent {
        return Vec::new();
    }
    match answer(form) {
        Ok(Answer::Ask(request)) => {
            form.sent = true;
            form.problem = None;
            vec![Effect::Ask(*request)]
        }
        Ok(Answer::Decide(choice)) => {
            form.sent = true;
            form.problem = None;
            gate::decide(model, *choice)
        }
        Ok(Answer::Search(query)) => {
            model.overlays.pop();
            find::search_for(model, &query)
        }
        Ok(Answer::Compare(from, to)) => {
            model.overlays.pop();
            changes::compare(model, from, to)
        }
        Ok(Answer::Save { path, html }) => match save::text(model, html) {
            Some(text) => {
                if let Some(form) = self::form(model) {
                    form.sent = true;
                }
                vec![Effect::Ask(Request::Write { path, text })]
            }
            None => Vec::new(),
        },
        Err(problem) => {
            form.problem = Some(problem);
            Vec::new()
        }
    }
}

enum Answer {
    Ask(Box<Request>),
    Decide(Box<Choice>),
    Search(String),
    Compare(u32, u32),
    Save { path: PathBuf, html: bool },
}

/// What the form's fields ask for.
fn answer(form: &Form) -> Result<Answer, String> {
    let ask = |request| Ok(Answer::Ask(Box::new(request)));
    let decide = |choice| Ok(Answer::Decide(Box::new(choice)));
    let line = |place: usize| sanitise::one_line(&form.value(place));
    let text = |place: usize| sanitise::clean(&form.value(place)).trim().to_owned();
    match &form.purpose {
        Purpose::Override { concern, .. } => {
            let status = form.status().unwrap_or(Status::Keep);
            let fix = Some(text(2)).filter(|fix| !fix.is_empty() && status != Status::Keep);
            decide(Choice::Override { concern: *concern, status, fix, reason: text(1) })
        }
        Purpose::Feedback { .. } => decide(Choice::Feedback { text: text(0) }),
        Purpose::SendBack { .. } => decide(Choice::SendBack { text: text(0) }),
        Purpose::Stet { .. } => decide(Choice::Stet { reason: text(0) }),
        Purpose::Spike { .. } => decide(Choice::Spike { reason: text(0) }),
        Purpose::Edit { before, .. } => {
            let article = article(form);
            if article == **before {
                return Err("nothing has changed yet".into());
            }
            decide(Choice::Edit { article })
        }
        Purpose::NewFromFile => match line(0) {
            path if path.is_empty() => Err("name a file".into()),
            path => ask(Request::Begin(Beginning::File(home(&path)))),
        },
        Purpose::NewFromText => new_story(form),
        Purpose::SaveArticle { html } => match line(0) {
            path if path.is_empty() => Err("name a file".into()),
            path => Ok(Answer::Save { path: home(&path), html: *html }),
        },
        Purpose::Backup => match line(0) {
            path if path.is_empty() => Err("name a file".into()),
            path => ask(Request::BackUp(home(&path))),
        },
        Purpose::Delete { story } if line(0) == story.slug.as_str() => ask(Request::Delete(story.clone())),
        Purpose::Delete { story } => Err(format!("that is not {}; nothing was deleted", story.slug)),
        Purpose::Search => Ok(Answer::Search(form.value(0))),
        Purpose::ChooseDrafts { last } => {
            let number = |place| line(place).parse::<u32>().ok().filter(|round| (1..=*last).contains(round));
            match (number(0), number(1)) {
                (Some(from), Some(to)) if from != to => Ok(Answer::Compare(from, to)),
                (Some(_), Some(_)) => Err("choose two different drafts".into()),
                _ => Err(format!("a draft is a number from 1 to {last}")),
            }
        }
    }
}

/// The fields by their labels: two forms ask for a story, one with more of them.
fn new_story(form: &Form) -> Result<Answer, String> {
    let value = |label: &str| {
        form.fields
            .iter()
            .find(|field| field.label == label)
            .map(crate::tui::model::form::Field::value)
            .unwrap_or_default()
    };
    let line = |label: &str| sanitise::one_line(&value(label));
    let text = value("Source");
    if sanitise::is_blank(&text) {
        return Err("there is no source text".into());
    }
    Ok(Answer::Ask(Box::new(Request::Begin(Beginning::Text {
        text,
        title: line("Title"),
        channel: line("Channel"),
        angle: line("Angle"),
        length: line("Length"),
        style: line("Style"),
        desk: line("Desk"),
        draft: value("Draft"),
    }))))
}

fn article(form: &Form) -> ArticleResponse {
    let line = |place: usize| sanitise::one_line(&form.value(place));
    ArticleResponse {
        headline: line(0),
        alternativeHeadline: line(1),
        description: line(2),
        articleBody: sanitise::clean(&form.value(3)).trim().to_owned(),
    }
}

/// `~` as a shell has it.
fn home(path: &str) -> PathBuf {
    let rest = path.strip_prefix("~/");
    match (rest, directories::UserDirs::new()) {
        (Some(rest), Some(folders)) => folders.home_dir().join(rest),
        _ => PathBuf::from(path),
    }
}

/// Leaves the form. What was kept of a hand edit stays until it is sent or undone.
pub(super) fn leave(model: &mut Model) -> Vec<Effect> {
    if let Some(Overlay::Form(form)) = model.overlays.pop()
        && let Purpose::Edit { round, .. } = form.purpose
        && (form.is_touched() || form.kept_at.is_some())
    {
        if let Some(story) = &mut model.story {
            story.undecided_edit = Some(round);
        }
        model.say("your edit is kept but not decided: open it again and save it, or it is no part of the story");
    }
    Vec::new()
}

/// A key that types or moves the cursor.
pub(super) fn type_key(model: &mut Model, event: KeyEvent) -> Vec<Effect> {
    let Some(form) = form(model) else { return Vec::new() };
    if form.sent {
        return Vec::new();
    }
    if !form.type_key(event) {
        return Vec::new();
    }
    form.problem = None;
    keep(form)
}

pub(super) fn paste(model: &mut Model, text: &str) -> Vec<Effect> {
    let Some(form) = form(model) else { return Vec::new() };
    if form.sent {
        return Vec::new();
    }
    if form.bytes().saturating_add(text.len()) > MOST_BYTES {
        form.problem = Some("that is more than 8 MiB; save it as a file and open the story from there".into());
        return Vec::new();
    }
    form.problem = None;
    form.paste(text);
    keep(form)
}

/// Undo, cut and the like inside a field.
pub(super) fn editing(model: &mut Model, action: Action) -> Vec<Effect> {
    let Some(form) = form(model) else { return Vec::new() };
    form.edit(action);
    keep(form)
}

/// A hand edit is kept in the database as it is typed.
fn keep(form: &Form) -> Vec<Effect> {
    match &form.purpose {
        Purpose::Edit { run, round, .. } => match serde_json::to_string(&article(form)) {
            Ok(text) => vec![Effect::Ask(Request::Keep { run: *run, what: gate::kept_name(*round), text })],
            Err(_) => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// Hands the text to the person's own editor: the focused field of a form, or the draft that waits.
pub(super) fn edit_outside(model: &mut Model) -> Vec<Effect> {
    if form(model).is_none() {
        let effects = gate::open_edit(model);
        if form(model).is_none() {
            return effects;
        }
    }
    let Some(form) = form(model) else { return Vec::new() };
    vec![Effect::EditOutside(form.value(form.focus))]
}

/// Takes the text back.
pub(super) fn edited_outside(model: &mut Model, result: Result<String, String>) -> Vec<Effect> {
    let Some(form) = form(model) else { return Vec::new() };
    match result {
        Ok(text) => {
            form.replace(sanitise::clean(&text).trim_end_matches('\n'));
            keep(form)
        }
        Err(message) => {
            form.problem = Some(message);
            Vec::new()
        }
    }
}

/// What was kept of a hand edit comes back into its form, where nothing has been typed since.
pub(super) fn restore(model: &mut Model, what: &str, text: &str, at: String) {
    let Some(form) = form(model) else { return };
    let Purpose::Edit { round, before, .. } = &form.purpose else { return };
    if gate::kept_name(*round) != what || form.is_touched() {
        return;
    }
    let Ok(kept) = serde_json::from_str::<ArticleResponse>(text) else { return };
    if kept == **before {
        return;
    }
    for (place, (_, text)) in kept.fields().into_iter().enumerate() {
        form.replace_field(place, text);
    }
    form.kept_at = Some(at);
    form.explanation = "This is what you were typing when it was last kept. Save it, or leave it with Esc.".into();
    form.problem = None;
}
