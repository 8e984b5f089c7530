//! Moving about in an open story: its pages and panes, lists, search, forks.

use std::sync::Arc;

use crate::tui::{
    app::{
        effects::Effect,
        messages::{Laid, Request},
        model::{Model, Opens, Screen},
    },
    screens::{
        article::signing,
        story::{
            model::StoryView,
            reading::Reading,
            tabs::{Pane, Tab},
        },
    },
};

pub(crate) fn opened(model: &mut Model) -> Option<&mut StoryView> {
    model.story.as_deref_mut()
}

/// Shows a page of the story, and reads what it needs.
pub(crate) fn show(model: &mut Model, tab: Tab) -> Vec<Effect> {
    let Some(story) = opened(model) else { return Vec::new() };
    story.tab = tab;
    needs(story)
}

/// What the page that is shown still lacks.
pub(crate) fn needs(story: &mut StoryView) -> Vec<Effect> {
    let key = story.key;
    let name = story.journal.opening.topic.story();
    match story.tab {
        Tab::Live => Vec::new(),
        Tab::Article => {
            let pairs = signing::pairs(&story.journal);
            crate::tui::screens::changes::update::compared(story, pairs)
        }
        Tab::Concerns => {
            let mut effects = find_excerpts(story);
            effects.extend(find_passage(story));
            effects
        }
        Tab::Changes => {
            let latest = story.latest_round();
            if story.compared.is_none() && story.comparing.is_none() && latest >= 2 {
                return crate::tui::screens::changes::update::set_comparison(story, latest - 1, latest);
            }
            Vec::new()
        }
        Tab::Proof => crate::tui::screens::proof::ask::prove(story),
        Tab::Calls => vec![Effect::Ask(Request::ReadCalls(key))],
        Tab::Log => vec![Effect::Ask(Request::ReadLog(key))],
        Tab::Runs => vec![Effect::Ask(Request::ReadRuns(name))],
    }
}

/// Asks where the excerpts of the concerns stand in the draft, where it is not known yet.
fn find_excerpts(story: &StoryView) -> Vec<Effect> {
    if story.concerns.is_empty() || story.places().is_some() {
        return Vec::new();
    }
    let journal = Arc::clone(&story.journal);
    vec![Effect::Ask(Request::FindExcerpts { key: story.key, journal, round: story.round })]
}

/// Asks for the passage that bears on the selected concern, where it is not known yet.
pub(crate) fn find_passage(story: &StoryView) -> Vec<Effect> {
    match story.selected_concern() {
        Some(concern) if !story.bearings.contains_key(&(story.round, concern.id)) => {
            let journal = Arc::clone(&story.journal);
            vec![Effect::Ask(Request::FindPassage { key: story.key, journal, round: story.round, concern: concern.id })]
        }
        _ => Vec::new(),
    }
}

pub(crate) fn turn(model: &mut Model, by: isize) -> Vec<Effect> {
    let Some(story) = opened(model) else { return Vec::new() };
    let place = Tab::ALL.iter().position(|tab| *tab == story.tab).unwrap_or(0);
    let length = isize::try_from(Tab::ALL.len()).unwrap_or(1);
    let next = isize::try_from(place).unwrap_or(0).saturating_add(by).rem_euclid(length);
    let tab = usize::try_from(next).ok().and_then(|next| Tab::ALL.get(next)).copied().unwrap_or_default();
    show(model, tab)
}

pub(crate) fn select_concern(model: &mut Model, by: isize) -> Vec<Effect> {
    let Some(story) = opened(model) else { return Vec::new() };
    let last = story.concerns.len().saturating_sub(1);
    story.concern = story.concern.saturating_add_signed(by).min(last);
    story.lay_panes();
    find_passage(story)
}

/// The text that scrolls, where the page that is shown has one with the focus.
fn text(story: &mut StoryView) -> Option<Reading<'_>> {
    match (story.tab, story.shown_pane()) {
        (Tab::Concerns, Pane::Draft) => Some(Reading::Printed(&mut story.draft)),
        (Tab::Concerns, Pane::Verdict) => Some(Reading::Page(&mut story.verdict_page)),
        (Tab::Concerns, Pane::Source) => Some(Reading::Page(&mut story.source_page)),
        (Tab::Proof, Pane::Draft) => Some(Reading::Printed(&mut story.proof.draft)),
        (Tab::Proof, Pane::Verdict) => Some(Reading::Page(&mut story.proof.told)),
        (Tab::Proof, Pane::Source) => story.proof.source_page().map(Reading::Page),
        (Tab::Article, _) => Some(Reading::Printed(&mut story.article)),
        (Tab::Calls, _) if story.in_call => Some(Reading::Page(&mut story.call_page)),
        (Tab::Live, _) => Some(Reading::Page(&mut story.live_page)),
        (Tab::Changes, _) => story.compared.as_mut().map(Reading::Compared),
        _ => None,
    }
}

/// The text that a search is about: the one with the focus, else the page's main text.
pub(crate) fn searched(story: &mut StoryView) -> Option<Reading<'_>> {
    match (story.tab, story.shown_pane()) {
        (Tab::Concerns, Pane::List) => Some(Reading::Printed(&mut story.draft)),
        (Tab::Proof, Pane::List) => Some(Reading::Printed(&mut story.proof.draft)),
        (Tab::Calls, _) => Some(Reading::Page(&mut story.call_page)),
        _ => text(story),
    }
}

pub(crate) fn move_by(model: &mut Model, by: isize) -> Vec<Effect> {
    let Some(story) = opened(model) else { return Vec::new() };
    if let Some(mut reading) = text(story) {
        reading.scroll_by(by);
        return Vec::new();
    }
    match story.tab {
        Tab::Concerns => return select_concern(model, by),
        Tab::Calls => {
            story.calls.select(by);
            return read_call(story);
        }
        Tab::Proof => story.select_row(by),
        Tab::Log => story.log.select(by),
        Tab::Runs => story.runs.select(by),
        Tab::Live | Tab::Article | Tab::Changes => {}
    }
    Vec::new()
}

pub(crate) fn page_by(model: &mut Model, by: isize) -> Vec<Effect> {
    let rows = isize::try_from(model.page_rows()).unwrap_or(10);
    let Some(story) = opened(model) else { return Vec::new() };
    match text(story) {
        Some(mut reading) => reading.page_by(by),
        None => return move_by(model, by * rows),
    }
    Vec::new()
}

pub(crate) fn to_end(model: &mut Model, last: bool) -> Vec<Effect> {
    let Some(story) = opened(model) else { return Vec::new() };
    match text(story) {
        Some(mut reading) => reading.to_end(last),
        None => return move_by(model, if last { 1 << 40 } else { -(1 << 40) }),
    }
    Vec::new()
}

/// Left and right: between panes; among the changes, the pair of drafts.
pub(crate) fn sideways(model: &mut Model, by: isize) -> Vec<Effect> {
    let Some(story) = opened(model) else { return Vec::new() };
    match story.tab {
        Tab::Calls => {
            story.in_call = by > 0;
            Vec::new()
        }
        Tab::Concerns | Tab::Proof => {
            next_pane(model, by);
            Vec::new()
        }
        Tab::Changes => {
            let Some((_, to)) = story.comparing else { return Vec::new() };
            let latest = story.latest_round();
            let to = to.saturating_add_signed(i32::try_from(by).unwrap_or(0)).clamp(2, latest.max(2));
            crate::tui::screens::changes::update::set_comparison(story, to - 1, to)
        }
        Tab::Live | Tab::Article | Tab::Log | Tab::Runs => Vec::new(),
    }
}

/// Shows the round before or after.
pub(crate) fn turn_round(model: &mut Model, by: isize) -> Vec<Effect> {
    let Some(story) = opened(model) else { return Vec::new() };
    let before = story.round;
    let round = if by < 0 { before.saturating_sub(1) } else { before.saturating_add(1) };
    story.show_round(round);
    let effects = needs(story);
    let (shown, latest) = (story.round, story.latest_round());
    if shown == before {
        model.say(format!(
            "round {shown} of {latest} is shown; there is no {}",
            if by < 0 { "earlier one" } else { "later one" }
        ));
    }
    effects
}

pub(crate) fn next_pane(model: &mut Model, by: isize) {
    let Some(story) = opened(model) else { return };
    match story.tab {
        Tab::Concerns => story.pane = story.pane.moved(by),
        Tab::Proof => story.proof.pane = story.proof.pane.moved(by),
        Tab::Calls => story.in_call = !story.in_call,
        _ => {}
    }
}

/// Enter: into what is selected.
pub(crate) fn open(model: &mut Model) -> Vec<Effect> {
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
            Some(key) => crate::tui::app::effects::ask_to_open(model, Request::Open(key)),
            None => Vec::new(),
        },
        Tab::Proof => crate::tui::screens::proof::ask::to_passage(model),
        Tab::Live => show(model, Tab::Concerns),
        Tab::Changes | Tab::Article | Tab::Log => Vec::new(),
    }
}

/// Esc: out of a search, out of a text, out of the story.
pub(crate) fn back(model: &mut Model) -> Vec<Effect> {
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
    if story.tab == Tab::Proof && story.proof.back() {
        return Vec::new();
    }
    leave(model);
    vec![Effect::Ask(Request::CloseStory)]
}

/// Back to the desk; nothing that was asked for before is opened any more.
pub(crate) fn leave(model: &mut Model) {
    model.story = None;
    model.screen = Screen::Desk;
    model.next.ticket = None;
    model.next.opens = Opens::Nothing;
    model.walk = None;
    model.continues_at = None;
}

pub(crate) fn read_call(story: &StoryView) -> Vec<Effect> {
    match story.calls.row() {
        Some(call) => vec![Effect::Ask(Request::ReadCall { run: call.run, step: call.step, attempt: call.attempt })],
        None => Vec::new(),
    }
}

pub(crate) fn toggle_raw(model: &mut Model) -> Vec<Effect> {
    let Some(story) = opened(model) else { return Vec::new() };
    story.raw = !story.raw;
    let (said, effects) =
        (if story.raw { "as it was sent and received" } else { "laid out to be read" }, lay_call(story));
    model.say(said);
    effects
}

/// The selected call as it is to be shown.
pub(crate) fn laid(story: &StoryView) -> Option<Laid> {
    let call = story.calls.row()?;
    Some(Laid { run: call.run, step: call.step, attempt: call.attempt, raw: story.raw })
}

/// Has the texts of the selected call laid out, elsewhere: a long one takes a while.
pub(crate) fn lay_call(story: &StoryView) -> Vec<Effect> {
    match (&story.call, laid(story)) {
        (Some(call), Some(laid)) => vec![Effect::Ask(Request::LayCall { laid, call: call.clone() })],
        _ => Vec::new(),
    }
}
