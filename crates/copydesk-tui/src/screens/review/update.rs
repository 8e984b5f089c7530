//! The review queue: from story to story, on after each decision; letting flags stand.

use crate::app::{Model, Request, Screen};
use crate::screens::desk::DeskRow;
use crate::screens::forms::{FieldName, Form};
use crate::screens::review::{Direction, Walk};
use crate::screens::story;
use crate::widgets::Field;
use copydesk_core::ports::RunKey;
use copydesk_newsroom::Choice;

const EMPTY: &str = "the review queue is empty: no story waits for you, and none is flagged";

/// To the next or previous story of the queue; from the desk, to the first or last. Keys that are faster than stories load count from the
/// story asked for.
pub(crate) fn walk(model: &mut Model, way: Direction) {
    let queue = model.desk.in_review(model.now);
    let shown = model.story.as_ref().filter(|_| model.screen == Screen::Story).map(|open| open.run.story.as_str());
    let here = model.walk.as_ref().map(|walk| walk.story.as_str()).or(shown);
    let here = here.and_then(|story| place_of(model, story));
    let next = match (&here, way) {
        (Some(here), way) => here.next(&queue, way),
        (None, Direction::On) => queue.first().copied(),
        (None, Direction::Back) => queue.last().copied(),
    };
    if let Some(row) = next.cloned() {
        return go_to(model, &row);
    }
    let said = if queue.is_empty() { EMPTY } else { "no other story is in review" };
    model.say(said);
}

/// A story's place in the queue; for one that was decided, the place it had.
fn place_of(model: &Model, story: &str) -> Option<Walk> {
    let row = model.desk.row(story).filter(|row| row.run.is_due_for_review(model.now));
    row.map(Walk::at).or_else(|| model.walk.clone().filter(|walk| walk.story == story))
}

fn go_to(model: &mut Model, row: &DeskRow) {
    let place = model.desk.shown().position(|shown| shown.run.story == row.run.story);
    model.desk.selected = place.unwrap_or(model.desk.selected);
    model.walk = Some(Walk::at(row));
    model.ask_to_open(Request::Open(row.key));
}

/// After a decision on the open story: the walk goes on if it left its gate; None if it stays.
pub(crate) fn decided(model: &mut Model, run: RunKey, choice: &Choice) -> Option<()> {
    if !choice.leaves() {
        return None;
    }
    let story = model.story.as_ref().map(|open| open.run.story.clone());
    move_on(model, run)?;
    // The editor ended it, so no message is needed.
    model.ended = story.filter(|_| matches!(choice, Choice::Spike { .. } | Choice::SignOff { .. }));
    Some(())
}

/// Goes on to the next story, or to the desk if there is none. None if there is no walk, or the person has opened something else.
fn move_on(model: &mut Model, run: RunKey) -> Option<()> {
    let open = model.story.as_ref().filter(|open| open.key == run)?;
    let walk = model.walk.as_ref().filter(|walk| walk.story == open.run.story)?;
    // A page over the story keeps the walk here; only the form of the decision closes with it.
    let free = model.overlays.iter().all(|overlay| overlay.page::<Form>().is_some_and(Form::is_sent));
    if !free {
        return None;
    }
    if let Some(row) = walk.next(&model.desk.in_review(model.now), Direction::On).cloned() {
        go_to(model, &row);
    } else {
        story::update::leave(model);
        model.say(EMPTY);
        model.ask(Request::CloseStory);
    }
    Some(())
}

/// Opening a story outside the queue ends the walk.
pub(crate) fn opened(model: &mut Model) {
    let open = model.story.as_ref().map(|open| open.run.story.as_str());
    if model.walk.as_ref().map(|walk| walk.story.as_str()) != open {
        model.walk = None;
    }
}

pub(crate) fn ask_to_accept_flags(model: &mut Model) {
    let Some(open) = model.story.as_deref() else { return };
    let flags = open.run.reasons().join("; ");
    let (run, story) = (open.key, open.journal.opening.topic.story());
    let explanation = format!(
        "Flagged: {flags}. The story leaves the review queue. Its flags stay in the record, and nothing else changes."
    );
    let fields = vec![Field::text(FieldName::Reason, "why; kept in the log under your name", "")];
    let form = Form::asking("Accept the flags?", explanation, fields, move |form| {
        let reason = form.filled(FieldName::Reason, "enter a reason for accepting the flags")?;
        Ok(Request::AcceptFlags { run, story: story.clone(), reason })
    });
    model.lay_over(form);
}

pub(crate) fn settled(model: &mut Model, run: RunKey) {
    if let Some(open) = model.story.as_ref().filter(|open| open.key == run) {
        model.say(format!("{} left the review queue; its flags stay in the record", open.run.story));
    }
    move_on(model, run);
}
