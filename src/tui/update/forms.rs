//! Forms: typing, pasting, sending, leaving.

use std::path::PathBuf;

use crossterm::event::KeyEvent;

use super::{Effect, changes, find, gate, save};
use crate::{
    editorial::decisions,
    newsroom::{ArticleResponse, Choice, Status, Wait},
    ports::RunKey,
    text::sanitise,
    tui::{
        action::Action,
        model::{
            Model, Overlay, Question, Then,
            form::{At, Decides, Form, Purpose, Stage},
        },
        msg::{Beginning, Request, Ticket},
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
    if form.stage != Stage::Open {
        return Vec::new();
    }
    match answer(form) {
        Ok(Answer::Ask(request)) => {
            let ticket = model.ticket();
            sent(model, ticket);
            vec![Effect::AskFor(ticket, *request)]
        }
        Ok(Answer::Decide(at, choice)) => match gate::commit(model, &at, *choice) {
            Ok((ticket, effect)) => {
                sent(model, ticket);
                vec![effect]
            }
            Err(problem) => wrong(model, problem),
        },
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
                let ticket = model.ticket();
                sent(model, ticket);
                vec![Effect::AskFor(ticket, Request::Write { path, text })]
            }
            None => wrong(model, "there is no draft to save any more".into()),
        },
        Err(problem) => wrong(model, problem),
    }
}

fn sent(model: &mut Model, ticket: Ticket) {
    if let Some(form) = form(model) {
        form.stage = Stage::Sent(ticket);
        form.problem = None;
    }
}

fn wrong(model: &mut Model, problem: String) -> Vec<Effect> {
    if let Some(form) = form(model) {
        form.problem = Some(problem);
    }
    Vec::new()
}

/// What was asked for has ended: the form that waits for it is closed, opened, or told what was wrong. False where no form waits
/// for it.
pub(super) fn answered(model: &mut Model, ticket: Ticket, result: &Result<(), String>) -> Option<Vec<Effect>> {
    let awaits = |overlay: &Overlay| matches!(overlay, Overlay::Form(form) if form.awaits(ticket));
    let place = model.overlays.iter().position(awaits)?;
    let Some(Overlay::Form(form)) = model.overlays.get_mut(place) else { return None };
    match (form.stage, result) {
        (Stage::Sent(_), Ok(())) => {
            model.overlays.remove(place);
            Some(Vec::new())
        }
        (Stage::Reading { outside, .. }, Ok(())) => {
            let mut effects = if form.opened() { keep(form) } else { Vec::new() };
            if outside {
                effects.push(Effect::EditOutside(form.value(form.focus)));
            }
            Some(effects)
        }
        (_, Err(problem)) => {
            form.problem = Some(problem.clone());
            Some(if form.opened() { keep(form) } else { Vec::new() })
        }
        (Stage::Open, Ok(())) => None,
    }
}

enum Answer {
    Ask(Box<Request>),
    Decide(At, Box<Choice>),
    Search(String),
    Compare(u32, u32),
    Save { path: PathBuf, html: bool },
}

/// What the form's fields ask for.
fn answer(form: &Form) -> Result<Answer, String> {
    let ask = |request| Ok(Answer::Ask(Box::new(request)));
    let line = |place: usize| sanitise::one_line(&form.value(place));
    let text = |place: usize| sanitise::clean(&form.value(place)).trim().to_owned();
    match &form.purpose {
        Purpose::Decide(at, what) => {
            let choice = match what {
                Decides::Override { concern } => {
                    let status = form.status().unwrap_or(Status::Keep);
                    let fix = Some(text(2)).filter(|fix| !fix.is_empty() && status != Status::Keep);
                    Choice::Override { concern: *concern, status, fix, reason: text(1) }
                }
                Decides::Feedback => Choice::Feedback { text: text(0) },
                Decides::SendBack => Choice::SendBack { text: text(0) },
                Decides::Stet => Choice::Stet { reason: text(0) },
                Decides::Spike => Choice::Spike { reason: text(0) },
                Decides::Edit { before } => {
                    let article = article(form);
                    if article == **before {
                        return Err("nothing has changed yet".into());
                    }
                    Choice::Edit { article }
                }
            };
            Ok(Answer::Decide(at.clone(), Box::new(choice)))
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
        && let Some((at, _)) = form.edits()
        && (form.is_touched() || form.kept_at.is_some())
        && !form.is_sent()
    {
        if let Some(story) = model.story.as_deref_mut().filter(|story| story.key == at.run) {
            story.undecided_edit = Some(at.wait.round());
        }
        model.say("your edit is kept but not decided: open it again and save it, or it is no part of the story");
    }
    Vec::new()
}

/// A key that types or moves the cursor.
pub(super) fn type_key(model: &mut Model, event: KeyEvent) -> Vec<Effect> {
    let Some(form) = form(model) else { return Vec::new() };
    if !form.type_key(event) {
        return Vec::new();
    }
    form.problem = None;
    keep(form)
}

pub(super) fn paste(model: &mut Model, text: &str) -> Vec<Effect> {
    let Some(form) = form(model) else { return Vec::new() };
    if form.bytes().saturating_add(text.len()) > MOST_BYTES {
        form.problem = Some("that is more than 8 MiB; save it as a file and open the story from there".into());
        return Vec::new();
    }
    if !form.paste(text) {
        return Vec::new();
    }
    form.problem = None;
    keep(form)
}

/// Undo, cut and the like inside a field.
pub(super) fn editing(model: &mut Model, action: Action) -> Vec<Effect> {
    let Some(form) = form(model).filter(|form| form.stage == Stage::Open) else { return Vec::new() };
    form.edit(action);
    keep(form)
}

/// A hand edit is kept in the database as it is typed.
fn keep(form: &Form) -> Vec<Effect> {
    let Some((at, _)) = form.edits() else { return Vec::new() };
    match serde_json::to_string(&article(form)) {
        Ok(text) => vec![Effect::Ask(Request::Keep { run: at.run, what: gate::kept_name(at.wait.round()), text })],
        Err(_) => Vec::new(),
    }
}

/// Hands the text to the person's own editor: the focused field of a form, or the draft that waits.
pub(super) fn edit_outside(model: &mut Model) -> Vec<Effect> {
    match form(model) {
        Some(form) if form.stage == Stage::Open => form.focused_text().map(Effect::EditOutside).into_iter().collect(),
        Some(_) => Vec::new(),
        None => gate::open_edit(model, true),
    }
}

/// Takes the text back.
pub(super) fn edited_outside(model: &mut Model, text: Option<String>, problem: Option<String>) -> Vec<Effect> {
    let Some(form) = form(model) else { return Vec::new() };
    form.problem = problem;
    match text {
        Some(text) => {
            form.replace(sanitise::clean(&text).trim_end_matches('\n'));
            keep(form)
        }
        None => Vec::new(),
    }
}

/// What was kept of a hand edit comes back into the form that waits for it.
pub(super) fn restore(model: &mut Model, run: RunKey, what: &str, text: &str, at: String) {
    let Some(form) = form(model).filter(|form| matches!(form.stage, Stage::Reading { .. })) else {
        return remember(model, run, what, text);
    };
    let Some((place, before)) = form.edits() else { return };
    if place.run != run || gate::kept_name(place.wait.round()) != what {
        return;
    }
    let Ok(kept) = serde_json::from_str::<ArticleResponse>(text) else { return };
    if kept == *before {
        return;
    }
    for (place, (_, text)) in kept.fields().into_iter().enumerate() {
        form.replace_field(place, text);
    }
    form.kept_at = Some(at);
    form.explanation =
        "This is what you were typing when it was last kept: save it, leave it for later, or throw it away.".into();
    form.problem = None;
}

/// What is being typed is in the database.
pub(super) fn is_kept(model: &mut Model, run: RunKey, what: &str, at: String) {
    for overlay in &mut model.overlays {
        if let Overlay::Form(form) = overlay
            && let Some((place, _)) = form.edits()
            && place.run == run
            && gate::kept_name(place.wait.round()) == what
        {
            form.kept_at = Some(at);
            return;
        }
    }
}

/// A hand edit of the gate that waits was kept and never saved: continuing asks about it.
fn remember(model: &mut Model, run: RunKey, what: &str, text: &str) {
    let Some(story) = model.story.as_deref_mut().filter(|story| story.key == run) else { return };
    let Some(Wait::Gate { round }) = story.waits() else { return };
    let Ok(kept) = serde_json::from_str::<ArticleResponse>(text) else { return };
    let known = decisions::edit(&story.journal, round).or(story.journal.draft(round).map(|draft| &draft.article));
    if gate::kept_name(round) == what && known != Some(&kept) {
        story.undecided_edit = Some(round);
        model.say("an edit of this draft was kept and never saved: open it again to save it or to throw it away");
    }
}

/// Asks whether the hand edit that is being made is to be thrown away.
pub(super) fn ask_to_forget(model: &mut Model) -> Vec<Effect> {
    model.overlays.push(Overlay::Question(Question {
        title: "Throw your edit away?".into(),
        text: "What you typed and did not save is deleted. The draft, and an edit that you saved as a decision, stay as they are.".into(),
        yes: "throw it away".into(),
        then: Then::ForgetEdit,
    }));
    Vec::new()
}

/// Throws the hand edit away that is being made.
pub(super) fn forget(model: &mut Model) -> Vec<Effect> {
    let Some((at, _)) = form(model).and_then(|form| form.edits()) else { return Vec::new() };
    let (run, round) = (at.run, at.wait.round());
    model.overlays.pop();
    if let Some(story) = model.story.as_deref_mut().filter(|story| story.key == run) {
        story.undecided_edit = None;
    }
    model.say("your edit is thrown away; the draft stands as it was");
    vec![Effect::Ask(Request::Forget { run, what: gate::kept_name(round) })]
}
