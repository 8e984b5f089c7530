//! What the back room tells: lists, journals, answers on their way, decisions that are in the database.

use super::{Effect, forms, gate, story};
use crate::{
    newsroom::{Event, EventRecord, Wait},
    ports::RunKey,
    tui::{
        model::{
            Model, Opens, Overlay, Screen,
            desk::{DeskRow, Hands},
            form::Purpose,
            story::{StoryView, Tab},
        },
        msg::{News, Request},
    },
};

#[expect(clippy::too_many_lines, reason = "one arm a piece of news")]
pub(super) fn hear(model: &mut Model, news: News) -> Vec<Effect> {
    match news {
        News::Desk(runs) => {
            let rows = runs.into_iter().map(|(key, run)| DeskRow::new(key, run, Hands::Nobody)).collect();
            model.desk.set(rows);
            if model.opens == Opens::Waiting {
                model.opens = Opens::Nothing;
                return super::desk::next_waiting(model);
            }
            // Its run may have been opened before the list was read.
            open_begun(model)
        }
        News::Runs(runs) => runs_changed(model, runs),
        News::Hands(hands) => {
            model.desk.set_hands(&hands);
            // A call that was stopped tells of no end.
            let ours = |story: &String| hands.iter().any(|(known, hands)| known == story && *hands == Hands::Ours);
            model.live.retain(|story, _| ours(story));
            lay_rail(model);
            Vec::new()
        }
        News::Opened { key, run, journal, seq } => opened(model, StoryView::new(key, run, journal, seq)),
        News::Added { key, entries } => match model.story.as_deref_mut().filter(|story| story.key == key) {
            Some(story) => {
                let before = story.waits();
                story.add(entries);
                // What is to be signed is to be read first.
                let to_sign = matches!(story.waits(), Some(Wait::SignOff { .. })) && before != story.waits();
                if to_sign && story.tab == Tab::Live {
                    story.tab = Tab::Article;
                }
                let waited = story.waits() == before;
                lay_rail(model);
                if !waited {
                    gate::arm(model);
                }
                model.story.as_deref_mut().map(story::needs).unwrap_or_default()
            }
            None => Vec::new(),
        },
        News::Happened(record) => happened(model, &record),
        News::Heard { story, step, text } => {
            model.live.entry(story).or_default().heard(step, &text);
            model.streamed = true;
            Vec::new()
        }
        News::Log(key, events) => {
            if let Some(story) = shown(model, key) {
                let first = story.log.rows.is_none();
                story.log.set(events);
                if first {
                    story.log.select(1 << 40);
                }
            }
            Vec::new()
        }
        News::StoryRuns(_, runs) => {
            if let Some(story) = &mut model.story {
                story.runs.set(runs);
            }
            Vec::new()
        }
        News::Calls(key, calls) => match shown(model, key) {
            Some(story) => {
                story.calls.set(calls);
                story::read_call(story)
            }
            None => Vec::new(),
        },
        News::Call { run, step, attempt, text } => {
            if let Some(story) = &mut model.story {
                let wanted =
                    story.calls.row().is_some_and(|row| (row.run, row.step, row.attempt) == (run, step, attempt));
                if wanted {
                    story.call = text;
                    return story::lay_call(story);
                }
            }
            Vec::new()
        }
        News::CallLaid { key, page } => {
            if let Some(story) = shown(model, key) {
                story.call_page = *page;
            }
            Vec::new()
        }
        News::Passage { key, round, concern, bearing } => {
            if let Some(story) = shown(model, key) {
                story.bearings.insert((round, concern), bearing);
                story.lay_source();
            }
            Vec::new()
        }
        News::Begun(story) => {
            close_sent(model);
            model.say(format!("{story} has begun"));
            model.opens = Opens::Story(story);
            open_begun(model)
        }
        News::Decided { run, choice } => {
            if let Some(story) = shown(model, run) {
                story.deciding = false;
            }
            close_sent(model);
            if model.story.as_ref().is_some_and(|story| story.key == run) {
                gate::decided(model, &choice);
            }
            model.story.as_deref_mut().map(story::needs).unwrap_or_default()
        }
        News::NotDecided { run, reason } => {
            if let Some(story) = shown(model, run) {
                story.deciding = false;
            }
            refuse(model, reason);
            Vec::new()
        }
        News::Kept { what, text, .. } => {
            if let Some((text, at)) = text {
                forms::restore(model, &what, &text, at);
            }
            Vec::new()
        }
        News::IsKept { what, at } => {
            if let Some(Overlay::Form(form)) = model.overlays.last_mut()
                && let Purpose::Edit { round, .. } = form.purpose
                && gate::kept_name(round) == what
            {
                form.kept_at = Some(at);
            }
            Vec::new()
        }
        News::Deleted(story) => {
            let name = story.to_string();
            model.desk.remove(&name);
            model.live.remove(&name);
            if model.story.as_ref().is_some_and(|open| open.run.story == name) {
                model.story = None;
                model.screen = Screen::Desk;
            }
            Vec::new()
        }
        News::Done(text) => {
            close_sent(model);
            model.say(text);
            Vec::new()
        }
        News::Trouble(text) => {
            // It may be what became of a decision; one that was made all the same cannot be made twice.
            if let Some(story) = &mut model.story {
                story.deciding = false;
            }
            refuse(model, text);
            Vec::new()
        }
    }
}

fn shown(model: &mut Model, key: RunKey) -> Option<&mut StoryView> {
    model.story.as_deref_mut().filter(|story| story.key == key)
}

/// A form whose answer has done what it should is closed.
fn close_sent(model: &mut Model) {
    if matches!(model.overlays.last(), Some(Overlay::Form(form)) if form.sent) {
        model.overlays.pop();
    }
}

/// What was wrong is said in the form that caused it; else at the foot of the screen.
fn refuse(model: &mut Model, reason: String) {
    match model.overlays.last_mut() {
        Some(Overlay::Form(form)) if form.sent => {
            form.sent = false;
            form.problem = Some(reason);
        }
        _ => model.warn(reason),
    }
}

fn runs_changed(model: &mut Model, runs: Vec<(RunKey, crate::newsroom::ListedRun)>) -> Vec<Effect> {
    let mut rows = Vec::new();
    for (key, run) in runs {
        if let Some(story) = shown(model, key) {
            story.run = run.clone();
        }
        if run.current {
            rows.push(DeskRow::new(key, run, Hands::Nobody));
        }
    }
    model.desk.merge(rows);
    let mut effects = open_begun(model);
    if let Some(story) = model.story.as_deref_mut() {
        effects.extend(match story.tab {
            Tab::Log => vec![Effect::Ask(Request::ReadLog(story.key))],
            Tab::Calls => vec![Effect::Ask(Request::ReadCalls(story.key))],
            _ => Vec::new(),
        });
    }
    effects
}

/// Opens a story that has begun, as soon as its run is there.
fn open_begun(model: &mut Model) -> Vec<Effect> {
    let Opens::Story(wanted) = &model.opens else { return Vec::new() };
    let wanted = wanted.to_string();
    match model
        .desk
        .row(&wanted)
        .filter(|row| row.run.state == "open" && row.hands != Hands::OursSoon)
        .map(|row| row.key)
    {
        Some(key) => {
            model.opens = Opens::Nothing;
            vec![Effect::Ask(Request::Open(key))]
        }
        None => Vec::new(),
    }
}

fn opened(model: &mut Model, mut story: StoryView) -> Vec<Effect> {
    // The same story in another run keeps its page; a story that waits opens where it is decided.
    let before = model.story.as_ref().filter(|open| open.run.story == story.run.story).map(|open| open.tab);
    story.tab = match (before, story.waits()) {
        (Some(Tab::Runs), _) | (None, Some(Wait::Gate { .. })) if !story.concerns.is_empty() => Tab::Concerns,
        (Some(tab), _) if tab != Tab::Runs => tab,
        (_, Some(Wait::SignOff { .. })) => Tab::Article,
        _ if story.journal.publication().is_some() => Tab::Article,
        _ => Tab::Live,
    };
    let effects = story::needs(&mut story);
    let place = model.desk.shown().position(|row| row.run.story == story.run.story);
    model.desk.selected = place.unwrap_or(model.desk.selected);
    model.story = Some(Box::new(story));
    model.screen = Screen::Story;
    // What has arrived for it while another page was shown.
    model.streamed = true;
    lay_rail(model);
    gate::arm(model);
    effects
}

fn happened(model: &mut Model, record: &EventRecord) -> Vec<Effect> {
    if matches!(record.event, Event::RunOpened { .. }) {
        model.live.remove(&record.story);
    }
    model.live.entry(record.story.clone()).or_default().happened(record);
    let open = model.story.as_ref().is_some_and(|story| story.run.story == record.story);
    if open {
        lay_rail(model);
    }
    match &record.event {
        Event::GateWaits { question, .. } => {
            if !open {
                model.say(format!("{} waits for you: {question}", record.story));
            }
            if model.house.bell { vec![Effect::Bell] } else { Vec::new() }
        }
        Event::RunClosed { success, .. } if !open => {
            model.say(format!("{} {}", record.story, if *success { "is finished" } else { "has failed" }));
            Vec::new()
        }
        _ => Vec::new(),
    }
}

/// The rail of the open story, after something has changed.
pub(super) fn lay_rail(model: &mut Model) {
    let Some(story) = model.story.as_deref_mut() else { return };
    let live = model.live.get(&story.run.story).filter(|live| !live.calls.is_empty());
    let at_work = model.desk.row(&story.run.story).is_some_and(|row| row.hands == Hands::Ours);
    story.lay_rail(live, at_work);
}
