//! Forms: typing, pasting, sending, leaving.

use std::path::PathBuf;

use crossterm::event::KeyEvent;

use crate::newsroom::{ArticleResponse, Choice, Status};
use crate::text::sanitise;
use crate::tui::{
    app::{
        actions::Action,
        effects::Effect,
        find,
        messages::{Beginning, Request},
        model::{Model, Overlay},
        ticket::Ticket,
    },
    screens::{
        changes,
        forms::{
            model::{Form, Stage},
            purpose::{At, Decides, Purpose},
        },
        gate::{self, edits},
    },
};

/// Most bytes that a form takes: more is a file, not something to be pasted.
const MOST_BYTES: usize = 8 << 20;

pub(crate) fn form(model: &mut Model) -> Option<&mut Form> {
    match model.overlays.last_mut() {
        Some(Overlay::Form(form)) => Some(form),
        _ => None,
    }
}

/// Sends the form's answer. The form stays until the answer has done what it should: what was wrong is said in it.
pub(crate) fn send(model: &mut Model) -> Vec<Effect> {
    let Some(form) = form(model) else { return Vec::new() };
    match form.stage {
        Stage::Open => {}
        Stage::Reading { .. } => {
            return wrong(model, "what was kept of it is still being read; save again in a moment".into());
        }
        Stage::Sent(_) | Stage::Outside => return Vec::new(),
    }
    match answer(form) {
        Ok(Answer::Ask(request)) => {
            let ticket = model.ticket();
            sent(model, ticket);
            if matches!(*request, Request::Begin(_)) {
                // The story that begins is shown, unless its person has gone elsewhere by then.
                model.opening = Some(ticket);
            }
            vec![Effect::AskFor(ticket, *request)]
        }
        Ok(Answer::Decide(at, choice)) => match gate::update::commit(model, &at, *choice) {
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
            changes::update::compare(model, from, to)
        }
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

/// What was asked for has ended: the form that waits for it is closed, opened, or told what was wrong. None where no form waits
/// for it.
pub(crate) fn answered(model: &mut Model, ticket: Ticket, result: &Result<(), String>) -> Option<Vec<Effect>> {
    let awaits = |overlay: &Overlay| matches!(overlay, Overlay::Form(form) if form.awaits(ticket));
    let place = model.overlays.iter().position(awaits)?;
    let Some(Overlay::Form(form)) = model.overlays.get_mut(place) else { return None };
    Some(match (form.stage, result) {
        (Stage::Reading { outside, .. }, Ok(())) => edits::opened(form, outside),
        // Nothing can be typed over what could not be read.
        (Stage::Reading { .. }, Err(problem)) => {
            model.overlays.remove(place);
            model.warn(format!("what was kept of your edit cannot be read now, try again: {problem}"));
            Vec::new()
        }
        (_, Ok(())) => {
            model.overlays.remove(place);
            Vec::new()
        }
        (_, Err(problem)) => {
            form.problem = Some(problem.clone());
            form.stage = Stage::Open;
            // What overtook the decision is on the screen now.
            gate::update::look_again(model);
            Vec::new()
        }
    })
}

enum Answer {
    Ask(Box<Request>),
    Decide(At, Box<Choice>),
    Search(String),
    Compare(u32, u32),
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
                Decides::Accept { finding, concern: None } => Choice::Accept { finding: *finding, reason: text(0) },
                Decides::Accept { concern: Some(concern), .. } => {
                    Choice::Override { concern: *concern, status: Status::Keep, fix: None, reason: text(0) }
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
        Purpose::SaveArticle { text } => match line(0) {
            path if path.is_empty() => Err("name a file".into()),
            path => ask(Request::Write { path: home(&path), text: text.to_string() }),
        },
        Purpose::Backup => match line(0) {
            path if path.is_empty() => Err("name a file".into()),
            path => ask(Request::BackUp(home(&path))),
        },
        Purpose::Delete { story } if line(0) == story.slug.as_str() => ask(Request::Delete(story.clone())),
        Purpose::Delete { story } => Err(format!("that is not {}; nothing was deleted", story.slug)),
        Purpose::StrikeRecord { cache_key_hash } => match text(0) {
            reason if sanitise::is_blank(&reason) => Err("say why: a record is not struck without a reason".into()),
            reason => ask(Request::StrikeRecord { cache_key_hash: cache_key_hash.clone(), reason }),
        },
        Purpose::DropLetter { letter } => match text(0) {
            reason if sanitise::is_blank(&reason) => Err("say why it is not to be tried again".into()),
            reason => ask(Request::DropLetter { letter: letter.clone(), reason }),
        },
        Purpose::LetStand { run, story } => match text(0) {
            reason if sanitise::is_blank(&reason) => Err("say why you accept the flags".into()),
            reason => ask(Request::LetStand { run: *run, story: story.clone(), reason }),
        },
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
            .map(crate::tui::widgets::field::Field::value)
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

pub(crate) fn article(form: &Form) -> ArticleResponse {
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

/// Leaves the form.
pub(crate) fn leave(model: &mut Model) -> Vec<Effect> {
    match form(model) {
        Some(form) if form.keeps() => edits::leave(model),
        _ => {
            model.overlays.pop();
            Vec::new()
        }
    }
}

/// A key that types or moves the cursor.
pub(crate) fn type_key(model: &mut Model, event: KeyEvent) -> Vec<Effect> {
    let Some(form) = form(model) else { return Vec::new() };
    if !form.type_key(event) {
        return Vec::new();
    }
    form.problem = None;
    edits::keep(form)
}

pub(crate) fn paste(model: &mut Model, text: &str) -> Vec<Effect> {
    let Some(form) = form(model) else { return Vec::new() };
    if form.bytes().saturating_add(text.len()) > MOST_BYTES {
        form.problem = Some("that is more than 8 MiB; save it as a file and open the story from there".into());
        return Vec::new();
    }
    if !form.paste(text) {
        return Vec::new();
    }
    form.problem = None;
    edits::keep(form)
}

/// Undo, cut and the like inside a field.
pub(crate) fn editing(model: &mut Model, action: Action) -> Vec<Effect> {
    let Some(form) = form(model).filter(|form| form.stage == Stage::Open) else { return Vec::new() };
    form.edit(action);
    edits::keep(form)
}
