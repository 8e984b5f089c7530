//! Moving about in an open story: its pages and panes, lists, search, forks.

use std::sync::Arc;

use crossterm::event::{MouseEvent, MouseEventKind};

use super::Effect;
use crate::{
    newsroom::Step,
    tui::{
        model::{
            Model, Overlay, Question, Screen, Then,
            compared::Compared,
            form::{Field, Form, Purpose},
            reading::Reading,
            story::{Pane, StoryView, Tab},
        },
        msg::Request,
    },
};

/// Where to jump among the changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Jump {
    Next,
    Previous,
    Unasked,
}

fn opened(model: &mut Model) -> Option<&mut StoryView> {
    model.story.as_deref_mut()
}

/// Shows a page of the story, and reads what it needs.
pub(super) fn show(model: &mut Model, tab: Tab) -> Vec<Effect> {
    let Some(story) = opened(model) else { return Vec::new() };
    story.tab = tab;
    needs(story)
}

/// What the page that is shown still lacks.
pub(super) fn needs(story: &mut StoryView) -> Vec<Effect> {
    let key = story.key;
    let name = story.journal.opening.topic.story();
    match story.tab {
        Tab::Live | Tab::Article => Vec::new(),
        Tab::Concerns => find_passage(story),
        Tab::Changes => {
            let latest = story.latest_round();
            if story.compared.is_none() && latest >= 2 {
                set_comparison(story, latest - 1, latest);
            }
            Vec::new()
        }
        Tab::Calls => vec![Effect::Ask(Request::ReadCalls(key))],
        Tab::Log => vec![Effect::Ask(Request::ReadLog(key))],
        Tab::Runs => vec![Effect::Ask(Request::ReadRuns(name))],
    }
}

/// Asks for the passage that bears on the selected concern, where it is not known yet.
pub(super) fn find_passage(story: &StoryView) -> Vec<Effect> {
    match story.selected_concern() {
        Some(concern) if !story.bearings.contains_key(&(story.round, concern.id)) => {
            let journal = Arc::clone(&story.journal);
            vec![Effect::Ask(Request::FindPassage { key: story.key, journal, round: story.round, concern: concern.id })]
        }
        _ => Vec::new(),
    }
}

pub(super) fn turn(model: &mut Model, by: isize) -> Vec<Effect> {
    let Some(story) = opened(model) else { return Vec::new() };
    let place = Tab::ALL.iter().position(|tab| *tab == story.tab).unwrap_or(0);
    let length = isize::try_from(Tab::ALL.len()).unwrap_or(1);
    let next = isize::try_from(place).unwrap_or(0).saturating_add(by).rem_euclid(length);
    let tab = usize::try_from(next).ok().and_then(|next| Tab::ALL.get(next)).copied().unwrap_or_default();
    show(model, tab)
}

pub(super) fn select_concern(model: &mut Model, by: isize) -> Vec<Effect> {
    let Some(story) = opened(model) else { return Vec::new() };
    let last = story.concerns.len().saturating_sub(1);
    story.concern = story.concern.saturating_add_signed(by).min(last);
    story.lay_panes();
    find_passage(story)
}

/// The text that scrolls, where the page that is shown has one with the focus.
fn text(story: &mut StoryView) -> Option<Reading<'_>> {
    match (story.tab, story.pane) {
        (Tab::Concerns, Pane::Draft) => Some(Reading::Printed(&mut story.draft)),
        (Tab::Concerns, Pane::Verdict) => Some(Reading::Page(&mut story.verdict_page)),
        (Tab::Concerns, Pane::Source) => Some(Reading::Page(&mut story.source_page)),
        (Tab::Article, _) => Some(Reading::Printed(&mut story.article)),
        (Tab::Calls, _) if story.in_call => Some(Reading::Page(&mut story.call_page)),
        (Tab::Live, _) => Some(Reading::Page(&mut story.live_page)),
        _ => None,
    }
}

/// The text that a search is about: the one with the focus, else the page's main text.
fn searched(story: &mut StoryView) -> Option<Reading<'_>> {
    match (story.tab, story.pane) {
        (Tab::Concerns, Pane::List) => Some(Reading::Printed(&mut story.draft)),
        (Tab::Calls, _) => Some(Reading::Page(&mut story.call_page)),
        _ => text(story),
    }
}

pub(super) fn move_by(model: &mut Model, by: isize) -> Vec<Effect> {
    let Some(story) = opened(model) else { return Vec::new() };
    if let Some(mut reading) = text(story) {
        reading.scroll_by(by);
        return Vec::new();
    }
    match story.tab {
        Tab::Concerns => return select_concern(model, by),
        Tab::Changes => scroll_changes(story, by),
        Tab::Calls => {
            story.calls.select(by);
            return read_call(story);
        }
        Tab::Log => story.log.select(by),
        Tab::Runs => story.runs.select(by),
        Tab::Live | Tab::Article => {}
    }
    Vec::new()
}

pub(super) fn page_by(model: &mut Model, by: isize) -> Vec<Effect> {
    let rows = isize::try_from(model.page_rows()).unwrap_or(10);
    let Some(story) = opened(model) else { return Vec::new() };
    match text(story) {
        Some(mut reading) => reading.page_by(by),
        None => return move_by(model, by * rows),
    }
    Vec::new()
}

pub(super) fn to_end(model: &mut Model, last: bool) -> Vec<Effect> {
    let Some(story) = opened(model) else { return Vec::new() };
    match text(story) {
        Some(mut reading) => reading.to_end(last),
        None => return move_by(model, if last { 1 << 40 } else { -(1 << 40) }),
    }
    Vec::new()
}

/// Left and right: the round that is shown; in the calls, between list and text.
pub(super) fn sideways(model: &mut Model, by: isize) -> Vec<Effect> {
    let Some(story) = opened(model) else { return Vec::new() };
    match story.tab {
        Tab::Calls => {
            story.in_call = by > 0;
            Vec::new()
        }
        Tab::Concerns | Tab::Article | Tab::Live => {
            let round = if by < 0 { story.round.saturating_sub(1) } else { story.round.saturating_add(1) };
            story.show_round(round);
            needs(story)
        }
        Tab::Changes => {
            let Some(compared) = &story.compared else { return Vec::new() };
            let latest = story.latest_round();
            let to = compared.state.to.saturating_add_signed(i32::try_from(by).unwrap_or(0)).clamp(2, latest.max(2));
            set_comparison(story, to - 1, to);
            Vec::new()
        }
        Tab::Log | Tab::Runs => Vec::new(),
    }
}

pub(super) fn next_pane(model: &mut Model, by: isize) {
    let Some(story) = opened(model) else { return };
    match story.tab {
        Tab::Concerns => story.pane = story.pane.moved(by),
        Tab::Calls => story.in_call = !story.in_call,
        _ => {}
    }
}

/// Enter: into what is selected.
pub(super) fn open(model: &mut Model) -> Vec<Effect> {
    let Some(story) = opened(model) else { return Vec::new() };
    match story.tab {
        Tab::Concerns => {
            story.pane = Pane::Verdict;
            Vec::new()
        }
        Tab::Calls => {
            story.in_call = true;
            read_call(story)
        }
        Tab::Runs => match story.runs.row().map(|(key, _)| *key) {
            Some(key) => vec![Effect::Ask(Request::Open(key))],
            None => Vec::new(),
        },
        Tab::Live => show(model, Tab::Concerns),
        Tab::Changes | Tab::Article | Tab::Log => Vec::new(),
    }
}

/// Esc: out of a search, out of a text, out of the story.
pub(super) fn back(model: &mut Model) -> Vec<Effect> {
    let Some(story) = opened(model) else { return Vec::new() };
    if let Some(mut reading) = searched(story).filter(|reading| reading.hit().is_some()) {
        reading.end_search();
        return Vec::new();
    }
    if story.tab == Tab::Calls && story.in_call {
        story.in_call = false;
        return Vec::new();
    }
    if story.tab == Tab::Concerns && story.pane != Pane::List {
        story.pane = Pane::List;
        return Vec::new();
    }
    model.story = None;
    model.screen = Screen::Desk;
    vec![Effect::Ask(Request::CloseStory)]
}

pub(super) fn read_call(story: &StoryView) -> Vec<Effect> {
    match story.calls.row() {
        Some(call) => vec![Effect::Ask(Request::ReadCall { run: call.run, step: call.step, attempt: call.attempt })],
        None => Vec::new(),
    }
}

pub(super) fn toggle_raw(model: &mut Model) -> Vec<Effect> {
    let Some(story) = opened(model) else { return Vec::new() };
    story.raw = !story.raw;
    let (said, effects) =
        (if story.raw { "as it was sent and received" } else { "laid out to be read" }, lay_call(story));
    model.say(said);
    effects
}

/// Has the texts of the selected call laid out, elsewhere: a long one takes a while.
pub(super) fn lay_call(story: &StoryView) -> Vec<Effect> {
    match &story.call {
        Some(call) => vec![Effect::Ask(Request::LayCall { key: story.key, call: call.clone(), raw: story.raw })],
        None => Vec::new(),
    }
}

// The changes.

/// Compares two drafts.
pub(super) fn set_comparison(story: &mut StoryView, from: u32, to: u32) {
    let layout = story.compared.as_ref().map(|compared| compared.state.layout).unwrap_or_default();
    story.compared = Compared::new(&story.journal, from, to, layout);
}

pub(super) fn compare(model: &mut Model, from: u32, to: u32) -> Vec<Effect> {
    if let Some(story) = opened(model) {
        set_comparison(story, from, to);
        story.tab = Tab::Changes;
    }
    Vec::new()
}

fn scroll_changes(story: &mut StoryView, by: isize) {
    if let Some(compared) = &mut story.compared {
        compared.scroll_by(by);
    }
}

pub(super) fn change(model: &mut Model, jump: Jump) -> Vec<Effect> {
    let Some(compared) = opened(model).and_then(|story| story.compared.as_mut()) else { return Vec::new() };
    let found = match jump {
        Jump::Next => compared.next_change(),
        Jump::Previous => compared.previous_change(),
        Jump::Unasked => compared.next_unasked(),
    };
    if !found {
        model.say(match jump {
            Jump::Unasked => "every change was asked for",
            Jump::Next | Jump::Previous => "there is no change",
        });
    }
    Vec::new()
}

pub(super) fn toggle_layout(model: &mut Model) -> Vec<Effect> {
    if let Some(compared) = opened(model).and_then(|story| story.compared.as_mut()) {
        compared.toggle_layout();
    }
    Vec::new()
}

pub(super) fn choose_drafts(model: &mut Model) -> Vec<Effect> {
    let Some(story) = opened(model) else { return Vec::new() };
    let last = story.latest_round();
    let (from, to) =
        story.compared.as_ref().map_or((last - 1, last), |compared| (compared.state.from, compared.state.to));
    let fields = vec![
        Field::line("From", "the number of the older draft", &from.to_string()),
        Field::line("To", "the number of the newer draft", &to.to_string()),
    ];
    let explanation = format!("This story has drafts 1 to {last}.");
    let form = Form::new(Purpose::ChooseDrafts { last }, "Compare two drafts", explanation, fields);
    model.overlays.push(Overlay::Form(Box::new(form)));
    Vec::new()
}

// Search and copy.

pub(super) fn search(model: &mut Model) -> Vec<Effect> {
    let fields = vec![Field::line("Search", "in the text that is shown", "")];
    let form = Form::new(Purpose::Search, "Search", "Case does not count.", fields);
    model.overlays.push(Overlay::Form(Box::new(form)));
    Vec::new()
}

pub(super) fn search_for(model: &mut Model, query: &str) -> Vec<Effect> {
    let Some(story) = opened(model) else { return Vec::new() };
    if story.tab == Tab::Log {
        return search_log(model, query);
    }
    let Some(mut reading) = searched(story) else {
        model.warn("there is no text to search on this page");
        return Vec::new();
    };
    let said = match reading.search(query) {
        0 => format!("“{query}” is not in this text"),
        1 => "1 hit".to_owned(),
        count => format!("{count} hits"),
    };
    model.say(said);
    Vec::new()
}

/// The log is a list: the next record that holds the words is selected.
fn search_log(model: &mut Model, query: &str) -> Vec<Effect> {
    let query = query.to_lowercase();
    let Some(story) = opened(model) else { return Vec::new() };
    let holds = |record: &crate::newsroom::EventRecord| {
        serde_json::to_string(record).is_ok_and(|text| text.to_lowercase().contains(&query))
    };
    let rows = story.log.rows.as_deref().unwrap_or_default();
    let next = story.log.selected + 1;
    let found = (next..rows.len()).chain(0..next).find(|place| rows.get(*place).is_some_and(holds));
    match found {
        Some(place) => story.log.selected = place,
        None => model.say(format!("“{query}” is not in the log")),
    }
    Vec::new()
}

pub(super) fn hit(model: &mut Model, next: bool) -> Vec<Effect> {
    let Some(mut reading) = opened(model).and_then(searched) else { return Vec::new() };
    reading.go_to_hit(next);
    match reading.hit() {
        Some((place, count)) => model.say(format!("hit {place} of {count}")),
        None => model.say("search for something first"),
    }
    Vec::new()
}

/// Copies the paragraph or hit of the text with the focus; in a list, what is selected.
pub(super) fn copy(model: &mut Model) -> Vec<Effect> {
    let Some(story) = opened(model) else { return Vec::new() };
    let (text, what): (Arc<str>, &str) = match (story.tab, story.pane) {
        (Tab::Concerns, Pane::List | Pane::Verdict) => {
            (Arc::clone(story.verdict_page.text()), "the concern and its verdict")
        }
        (Tab::Calls, _) => (Arc::clone(story.call_page.text()), "the call"),
        (Tab::Log, _) => match story.log.row().map(serde_json::to_string) {
            Some(Ok(text)) => (Arc::from(text), "the record"),
            _ => return Vec::new(),
        },
        (Tab::Runs, _) => match story.runs.row() {
            Some((_, run)) => (Arc::from(run.run.as_str()), "the run's name"),
            None => return Vec::new(),
        },
        _ => match searched(story) {
            Some(reading) => (reading.selected(), "the text"),
            None => return Vec::new(),
        },
    };
    vec![Effect::Copy { text, what: what.to_owned() }]
}

// Forks.

/// The first step that a fork from here would do anew: in the log, the step of the selected record; in the calls, the selected
/// call's; else the gate or review of the round that is shown.
pub(super) fn fork_step(story: &StoryView) -> Option<Step> {
    let done = |step: Step| story.journal.entries().iter().any(|entry| entry.step == step).then_some(step);
    match story.tab {
        Tab::Log => story.log.row().and_then(step_of).and_then(done),
        Tab::Calls => story.calls.row().and_then(|call| done(call.step)),
        _ => {
            let round = story.round;
            done(Step::Gate { round }).or_else(|| done(Step::Review { round })).or_else(|| done(Step::Draft))
        }
    }
}

/// The step that a record of the log tells of.
fn step_of(record: &crate::newsroom::EventRecord) -> Option<Step> {
    use crate::newsroom::Event;
    match &record.event {
        Event::CallStarted { step, .. }
        | Event::CallRepeated { step, .. }
        | Event::CallFailed { step, .. }
        | Event::StepDone { step, .. }
        | Event::Decided { step, .. }
        | Event::VerdictGiven { step, .. }
        | Event::Noted { step, .. } => Some(*step),
        Event::RunOpened { .. }
        | Event::RunResumed { .. }
        | Event::RunForked { .. }
        | Event::GateWaits { .. }
        | Event::PauseSet { .. }
        | Event::PrioritySet { .. }
        | Event::StoryDeleted { .. }
        | Event::RunClosed { .. } => None,
    }
}

pub(super) fn ask_to_fork(model: &mut Model) -> Vec<Effect> {
    let Some(step) = model.story.as_deref().and_then(fork_step) else { return Vec::new() };
    model.overlays.push(Overlay::Question(Question {
        title: "Fork from here?".into(),
        text: format!(
            "A new run shares everything before {step} and does that step anew; its gates wait for you. No answer that is known is \
             asked for again. The new run becomes the story's current one; this one stays as it is."
        ),
        yes: "fork".into(),
        then: Then::Fork,
    }));
    Vec::new()
}

pub(super) fn fork(model: &mut Model) -> Vec<Effect> {
    let Some(story) = model.story.as_deref() else { return Vec::new() };
    match fork_step(story) {
        Some(at) => {
            vec![Effect::Ask(Request::Fork { run: story.key, story: story.journal.opening.topic.story(), at })]
        }
        None => Vec::new(),
    }
}

/// The wheel scrolls, a click selects a row of the list.
pub(super) fn mouse(model: &mut Model, event: MouseEvent) -> Vec<Effect> {
    let by = match event.kind {
        MouseEventKind::ScrollUp => -3,
        MouseEventKind::ScrollDown => 3,
        MouseEventKind::Down(_) => return click(model, event.column, event.row),
        _ => return Vec::new(),
    };
    if super::overlays::move_by(model, by) {
        return Vec::new();
    }
    match model.screen {
        Screen::Desk => {
            model.desk.select(by);
            Vec::new()
        }
        Screen::Story => move_by(model, by),
    }
}

/// Selects the row that was clicked: the view remembers where lists were drawn.
fn click(model: &mut Model, column: u16, row: u16) -> Vec<Effect> {
    if !model.overlays.is_empty() {
        return Vec::new();
    }
    let inside = model.list_area.contains((column, row).into());
    let place = usize::from(row.saturating_sub(model.list_area.y));
    if !inside {
        return Vec::new();
    }
    match model.screen {
        Screen::Desk => {
            let wanted = model.desk.top.saturating_add(place);
            if wanted == model.desk.selected {
                return super::perform(model, crate::tui::action::Action::Open);
            }
            let by = isize::try_from(wanted).unwrap_or(0) - isize::try_from(model.desk.selected).unwrap_or(0);
            model.desk.select(by);
            Vec::new()
        }
        Screen::Story => {
            let Some(story) = opened(model) else { return Vec::new() };
            let difference = |top: usize, selected: usize| {
                isize::try_from(top.saturating_add(place)).unwrap_or(0) - isize::try_from(selected).unwrap_or(0)
            };
            match story.tab {
                Tab::Concerns => {
                    let by = difference(story.concern_top, story.concern);
                    story.pane = Pane::List;
                    select_concern(model, by)
                }
                Tab::Log => {
                    let by = difference(story.log.top, story.log.selected);
                    story.log.select(by);
                    Vec::new()
                }
                Tab::Runs => {
                    let by = difference(story.runs.top, story.runs.selected);
                    story.runs.select(by);
                    Vec::new()
                }
                Tab::Calls => {
                    let by = difference(story.calls.top, story.calls.selected);
                    story.calls.select(by);
                    read_call(story)
                }
                Tab::Live | Tab::Changes | Tab::Article => Vec::new(),
            }
        }
    }
}
