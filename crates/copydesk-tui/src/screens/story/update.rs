//! Moving in an open story: its pages, panes and lists.

use std::sync::Arc;

use strum::VariantArray as _;

use crate::app::{Effect, Model, Opens, Request, Screen};
use crate::screens::article::page::{decided_at, shown_article};
use crate::screens::article::signing;
use crate::screens::changes;
use crate::screens::story::{Pane, StoryView, Tab};
use crate::widgets::{ListStage, ScrolledText, ring};

/// Shows a page of the story, and requests what it needs.
pub(crate) fn show(model: &mut Model, tab: Tab) {
    if let Some(story) = model.story.as_deref_mut() {
        story.tab = tab;
        model.effects.extend(needs(story));
    }
}

/// Requests what the open story still needs.
pub(crate) fn ask_needs(model: &mut Model) {
    if let Some(story) = model.story.as_deref_mut() {
        model.effects.extend(needs(story));
    }
}

/// What the page that is shown still needs, and which to-dos are left.
pub(crate) fn needs(story: &mut StoryView) -> Vec<Effect> {
    let mut effects = Vec::new();
    match story.tab {
        Tab::Live => effects.extend(find_excerpts(story)),
        Tab::Sources => story.lay_sources(),
        Tab::Article => {
            let pairs = signing::pairs(&story.journal);
            effects = changes::update::compared(story, pairs);
            effects.extend(note(story));
        }
        Tab::Concerns => {
            effects.extend(find_excerpts(story).into_iter().chain(find_passage(story)));
            let pair = story.compared_drafts();
            effects.extend(changes::update::compared(story, pair));
        }
        Tab::Changes => {
            let latest = story.latest_round();
            if story.changes.compared.is_none() && story.changes.wanted.is_none() && latest >= 2 {
                effects = changes::update::set_comparison(story, latest - 1, latest);
            }
        }
        Tab::Proof => effects.extend(prove(story)),
        Tab::Calls => effects.push(Effect::Ask(Request::ReadCalls(story.key))),
        Tab::Log => effects.push(Effect::Ask(Request::ReadLog(story.key))),
        Tab::Runs => {
            // They are compared anew.
            story.two_runs = changes::model::TwoRuns::default();
            effects.push(Effect::Ask(Request::ReadRuns(story.journal.opening.topic.story())));
        }
    }
    effects.extend(follow_up(story));
    effects
}

/// Requests the proof of the round that is shown, unless it was requested.
fn prove(story: &mut StoryView) -> Option<Effect> {
    let round = story.round;
    if story.journal.draft(round).is_none() || !story.proof.ask(round) {
        return None;
    }
    Some(Effect::Ask(Request::Prove { key: story.key, journal: Arc::clone(&story.journal), round }))
}

/// Requests the notes on the draft that waits, unless they were requested since the journal grew.
fn note(story: &mut StoryView) -> Option<Effect> {
    let round = story.round;
    decided_at(&story.journal, round)?;
    let article = Box::new(shown_article(&story.journal, round)?.clone());
    if !story.article.noted.ask(story.journal.entries().len()) {
        return None;
    }
    Some(Effect::Ask(Request::ProveTyped { run: story.key, journal: Arc::clone(&story.journal), round, article }))
}

/// Selects the next note on the draft that waits, or the one before.
pub(crate) fn go_to_note(model: &mut Model, on: bool) {
    let Some(story) = model.story.as_deref_mut() else { return };
    let Some(article) = shown_article(&story.journal, story.round).cloned() else { return };
    let is_there = story.article.noted.go(story.round, &article, on);
    story.article.lay(&story.journal, story.round);
    if !is_there {
        model.say("no notes are left on this draft: all their words have changed");
    }
}

/// Requests which to-dos the draft leaves that waits or stands, unless they were requested since the journal grew.
fn follow_up(story: &mut StoryView) -> Option<Effect> {
    let (round, entries) = (story.gate.left_in, story.journal.entries().len());
    let rests = story.waits().is_some() || story.journal.publication().is_some();
    let says = round >= 2 || round == 1 && story.journal.opening.extract;
    if !says || !rests || story.gate.followed_up == entries {
        return None;
    }
    story.gate.followed_up = entries;
    Some(Effect::Ask(Request::FollowUp { key: story.key, journal: Arc::clone(&story.journal), round }))
}

/// Requests the comparison with the run that is to stand beside the open one, unless it was requested.
pub(crate) fn compare_runs(story: &mut StoryView) -> Option<Effect> {
    let other = story.other_run();
    if other == story.two_runs.wanted {
        return None;
    }
    story.two_runs.wanted = other;
    Some(Effect::Ask(Request::CompareRuns { key: story.key, journal: Arc::clone(&story.journal), other: other? }))
}

/// Requests the places of the excerpts in the draft, if they are not known.
fn find_excerpts(story: &StoryView) -> Option<Effect> {
    let is_wanted = !story.concerns.rows.is_empty() && story.concerns.places().is_none();
    let (key, journal, round) = (story.key, Arc::clone(&story.journal), story.round);
    is_wanted.then_some(Effect::Ask(Request::FindExcerpts { key, journal, round }))
}

/// Requests the passage that bears on the selected concern, if it is not known.
pub(crate) fn find_passage(story: &StoryView) -> Option<Effect> {
    let concern = story.selected_concern().filter(|_| story.concerns.known_bearing().is_none())?.id;
    let journal = Arc::clone(&story.journal);
    Some(Effect::Ask(Request::FindPassage { key: story.key, journal, round: story.round, concern }))
}

pub(crate) fn turn(model: &mut Model, by: isize) {
    let Some(story) = model.story.as_deref_mut() else { return };
    let tab = ring::neighbour(Tab::VARIANTS, story.tab, by);
    show(model, tab);
}

pub(crate) fn select_concern(model: &mut Model, by: isize) {
    let Some(story) = model.story.as_deref_mut() else { return };
    let before = story.concerns.selected;
    story.concerns.select(by);
    if story.concerns.selected == before {
        return model.say(format!("This is the {} concern", if by < 0 { "first" } else { "last" }));
    }
    story.lay_panes();
    model.effects.extend(find_passage(story));
}

/// The text that has the focus, if any.
fn text(story: &mut StoryView) -> Option<&mut dyn ScrolledText> {
    let is_in_list = match story.tab {
        Tab::Concerns | Tab::Proof => story.shown_pane() == Pane::List,
        Tab::Calls => !story.calls.in_text,
        Tab::Sources => story.sources_page.list.stage == ListStage::List,
        _ => false,
    };
    if is_in_list { None } else { searched(story) }
}

/// The text that is turned by pages: on the page of runs that of two runs, whose list is moved in line by line.
fn paged(story: &mut StoryView) -> Option<&mut dyn ScrolledText> {
    if story.tab == Tab::Runs { story.two_runs.text() } else { text(story) }
}

/// The text that a search goes through: the one with the focus, else the page's main text.
pub(crate) fn searched(story: &mut StoryView) -> Option<&mut dyn ScrolledText> {
    match (story.tab, story.shown_pane()) {
        (Tab::Concerns, Pane::List | Pane::Draft) => Some(&mut story.concerns.draft),
        (Tab::Concerns, Pane::Verdict) => Some(&mut story.concerns.verdict),
        (Tab::Concerns, Pane::Source) => Some(&mut story.concerns.source),
        (Tab::Proof, Pane::List | Pane::Draft) => Some(&mut story.proof.draft),
        (Tab::Proof, Pane::Verdict) => Some(&mut story.proof.told),
        (Tab::Proof, Pane::Source) => Some(&mut story.proof.source_page),
        (Tab::Article, _) => Some(&mut story.article.printed),
        (Tab::Calls, _) => Some(&mut story.calls.page),
        (Tab::Live, _) if story.waits().is_some() => Some(&mut story.concerns.draft),
        (Tab::Live, _) => Some(&mut story.live.text),
        (Tab::Sources, _) => Some(&mut story.sources_page.list.page),
        (Tab::Changes, _) => story.changes.compared.as_mut().map(|compared| compared as _),
        (Tab::Log | Tab::Runs, _) => None,
    }
}

pub(crate) fn move_by(model: &mut Model, by: isize) {
    let Some(story) = model.story.as_deref_mut() else { return };
    if let Some(reading) = text(story) {
        return reading.scroll_by(by);
    }
    match story.tab {
        Tab::Concerns => select_concern(model, by),
        Tab::Calls => {
            story.calls.list.select(by);
            model.effects.extend(read_call(story));
        }
        Tab::Proof => story.select_row(by),
        Tab::Log => story.log.select(by),
        Tab::Runs => {
            story.runs.select(by);
            model.effects.extend(compare_runs(story));
        }
        Tab::Sources => story.sources_page.select(by, &story.journal),
        Tab::Live | Tab::Article | Tab::Changes => {}
    }
}

pub(crate) fn page_by(model: &mut Model, by: isize) {
    let rows = model.page_rows();
    let Some(story) = model.story.as_deref_mut() else { return };
    match paged(story) {
        Some(reading) => reading.page_by(by),
        None => move_by(model, by * rows),
    }
}

pub(crate) fn to_end(model: &mut Model, last: bool) {
    let Some(story) = model.story.as_deref_mut() else { return };
    match paged(story) {
        Some(reading) => reading.go_to_end(last),
        None => move_by(model, if last { 1 << 40 } else { -(1 << 40) }),
    }
}

/// Left and right: to another pane; on the Changes page to another pair of drafts.
pub(crate) fn sideways(model: &mut Model, by: isize) {
    let Some(story) = model.story.as_deref_mut() else { return };
    match story.tab {
        Tab::Calls => story.calls.in_text = by > 0,
        Tab::Sources => story.sources_page.sideways(by),
        Tab::Concerns | Tab::Proof => next_pane(model, by),
        Tab::Changes => {
            let Some((_, to)) = story.changes.wanted else { return };
            let latest = story.latest_round();
            let to = to.saturating_add_signed(i32::try_from(by).unwrap_or(0)).clamp(2, latest.max(2));
            model.effects.extend(changes::update::set_comparison(story, to - 1, to));
        }
        Tab::Live | Tab::Article | Tab::Log | Tab::Runs => {}
    }
}

pub(crate) fn turn_round(model: &mut Model, by: isize) {
    let Some(story) = model.story.as_deref_mut() else { return };
    let before = story.round;
    let round = if by < 0 { before.saturating_sub(1) } else { before.saturating_add(1) };
    story.show_round(round);
    model.effects.extend(needs(story));
    if story.round == before {
        model.say(if by < 0 { "This is the first draft" } else { "This is the latest draft" });
    }
}

pub(crate) fn next_pane(model: &mut Model, by: isize) {
    let Some(story) = model.story.as_deref_mut() else { return };
    match story.tab {
        Tab::Concerns => story.concerns.pane = story.concerns.pane.moved(by),
        Tab::Proof => story.proof.pane = story.proof.pane.moved(by),
        Tab::Calls => story.calls.in_text = !story.calls.in_text,
        Tab::Sources => story.sources_page.turn(),
        Tab::Article => go_to_note(model, by > 0),
        _ => {}
    }
}

pub(crate) fn open(model: &mut Model) {
    let Some(story) = model.story.as_deref_mut() else { return };
    match story.tab {
        Tab::Concerns => story.concerns.pane = Pane::Verdict,
        Tab::Calls => {
            story.calls.in_text = true;
            model.effects.extend(read_call(story));
        }
        Tab::Runs => {
            if let Some((key, _)) = story.runs.row() {
                let key = *key;
                model.ask_to_open(Request::Open(key));
            }
        }
        Tab::Sources => story.sources_page.sideways(1),
        Tab::Proof if story.proof.count() == 0 => {}
        Tab::Proof if story.proof.has_passage() => story.proof.show_passage(),
        Tab::Proof => model.warn("no matching passage for this row; the Source pane has the whole source"),
        Tab::Live => show(model, Tab::Concerns),
        Tab::Changes | Tab::Article | Tab::Log => {}
    }
}

/// Esc: leaves the search, then the text, then the story.
pub(crate) fn back(model: &mut Model) {
    let Some(story) = model.story.as_deref_mut() else { return };
    if let Some(reading) = searched(story).filter(|reading| reading.hit().is_some()) {
        return reading.end_search();
    }
    if story.tab == Tab::Calls && story.calls.in_text {
        story.calls.in_text = false;
        return;
    }
    if story.tab == Tab::Sources && story.sources_page.list.stage == ListStage::Text {
        return story.sources_page.turn();
    }
    if story.tab == Tab::Concerns && story.concerns.pane != Pane::List {
        story.concerns.pane = Pane::List;
        return;
    }
    if story.tab == Tab::Proof && story.proof.back() {
        return;
    }
    leave(model);
    model.ask(Request::CloseStory);
}

/// Back to the desk. No earlier request opens a story any more.
pub(crate) fn leave(model: &mut Model) {
    model.story = None;
    model.screen = Screen::Desk;
    model.next.ticket = None;
    model.next.opens = Opens::Nothing;
    model.walk = None;
    model.continues_at = None;
}

pub(crate) fn read_call(story: &StoryView) -> Option<Effect> {
    let call = story.calls.list.row()?;
    Some(Effect::Ask(Request::ReadCall { run: call.run, step: call.step, attempt: call.attempt }))
}

pub(crate) fn toggle_raw(model: &mut Model) {
    let Some(story) = model.story.as_deref_mut() else { return };
    story.calls.raw = !story.calls.raw;
    model.effects.extend(lay_call(story));
    let said = if story.calls.raw { "Raw: as sent and received" } else { "Formatted for reading" };
    model.say(said);
}

/// Requests the layout of the selected call from the worker, because a long one takes a while.
pub(crate) fn lay_call(story: &StoryView) -> Option<Effect> {
    let (call, laid) = (story.calls.texts.clone()?, story.calls.laid()?);
    Some(Effect::Ask(Request::LayCall { laid, call }))
}
