//! Keys of the day in numbers, and when it is read: a day that is over once, today as it goes on.

use jiff::{Span, Timestamp};

use crate::{
    app::{
        actions::Action,
        effects::Effect,
        messages::{CallLayout, Request},
        model::{Model, Overlay},
        news::News,
        ticket::Ticket,
        trouble::Trouble,
    },
    screens::day::{
        model::{DayPage, DayStage, OpenCall},
        numbers::DayNumbers,
    },
    widgets::{page::Page, words},
};
use copydesk_core::ports::{CallText, RunKey};
use copydesk_newsroom::Step;

/// Milliseconds between two readings of today, at least: when something has happened, and when nothing was heard of.
const APART: i64 = 1_000;
const QUIET: i64 = 5_000;

/// Between two readings there is this many times as long as one takes.
const REST: i64 = 10;

/// Whether the page of today is on the screen.
pub(crate) fn is_live(model: &Model) -> bool {
    model.overlays.iter().any(|overlay| matches!(overlay, Overlay::Day(page) if page.day.is_none()))
}

/// Why an action of the page cannot be used now, if it cannot.
pub(crate) fn why_not(model: &Model, action: Action) -> Option<&'static str> {
    let Some(page) = model.on_top::<DayPage>() else { return Some("open the day in numbers first") };
    match action {
        _ if page.stage == DayStage::Text => Some("close the call first"),
        Action::NextDay | Action::Today if page.day.is_none() => Some("this is today"),
        Action::Open if page.slowest(model.now).is_empty() => Some("there is no call"),
        _ => None,
    }
}

pub(crate) fn show(model: &mut Model) -> Vec<Effect> {
    model.lay_over(Overlay::Day(Box::default()));
    // `look` asks for its numbers.
    Vec::new()
}

/// Another day: `by` days on from the one that is shown; none for today.
pub(crate) fn go(model: &mut Model, by: Option<i64>) -> Vec<Effect> {
    let now = model.now;
    let Some(page) = model.on_top_mut::<DayPage>() else { return Vec::new() };
    let day = by.and_then(|by| page.date(now).checked_add(Span::new().days(by)).ok());
    // The day goes on from today, so that it is live again.
    let before = page.day;
    page.day = day.filter(|day| *day < words::date(now));
    if page.day != before {
        (page.top, page.selected, page.stage, page.read) = (0, 0, DayStage::Numbers, None);
        page.trouble = None;
    }
    Vec::new()
}

/// Asks for the numbers if the page needs them and none are on their way.
pub(crate) fn look(model: &mut Model) -> Vec<Effect> {
    let now = model.now;
    let Some(page) = model.laid_mut::<DayPage>() else { return Vec::new() };
    if page.reading.is_some() || !needs(page, now) {
        return Vec::new();
    }
    let date = page.date(now);
    let ticket = model.ticket();
    if let Some(page) = model.laid_mut::<DayPage>() {
        page.reading = Some((ticket, date));
        page.is_stale = false;
    }
    vec![Effect::Ask(Request::ReadDay { ticket, date, live: date == words::date(now) })]
}

fn needs(page: &DayPage, now: Timestamp) -> bool {
    // After midnight the last reading was of yesterday.
    let Some((_, at, took)) = page.read.filter(|(date, ..)| *date == page.date(now)) else { return true };
    if page.day.is_some() {
        return false;
    }
    let rests = if page.is_stale { APART } else { QUIET };
    now.duration_since(at).as_millis() >= i128::from(rests.max(REST.saturating_mul(took)))
}

/// Something has happened that may change the numbers of today.
pub(crate) fn heard(model: &mut Model, news: &News) {
    let changes = matches!(
        news,
        News::Happened(_)
            | News::Missed
            | News::Runs { .. }
            | News::StoryHolder(_)
            | News::ServersDown(_)
            | News::FailedSteps(_)
            | News::Deleted(_)
    );
    if let Some(page) = model.laid_mut::<DayPage>().filter(|_| changes) {
        page.is_stale = true;
    }
}

/// The numbers of a day were read.
pub(crate) fn known(
    model: &mut Model,
    ticket: Ticket,
    took: i64,
    numbers: Result<Box<DayNumbers>, Trouble>,
) -> Vec<Effect> {
    let now = model.now;
    let Some(page) = model.laid_mut::<DayPage>() else { return Vec::new() };
    let Some((_, date)) = page.reading.take_if(|(asked, _)| *asked == ticket) else { return Vec::new() };
    // If another day is wanted by now, it is asked for at once.
    page.read = Some((date, now, took));
    match numbers {
        Ok(numbers) => {
            let before = page.slowest(now).get(page.selected).cloned();
            page.numbers = Some(*numbers);
            page.trouble = None;
            let again = page.slowest(now).iter().position(|call| Some(call) == before.as_ref());
            page.selected = again.unwrap_or(page.selected).min(page.slowest(now).len().saturating_sub(1));
            if page.slowest(now).is_empty() && page.stage == DayStage::Calls {
                page.stage = DayStage::Numbers;
            }
        }
        Err(trouble) if date == page.date(now) => page.trouble = Some(trouble.into()),
        Err(_) => {}
    }
    Vec::new()
}

/// The texts of a call were read.
pub(crate) fn call(model: &mut Model, run: RunKey, step: Step, attempt: u32, text: Option<&CallText>) -> Vec<Effect> {
    let laid = CallLayout { run, step, attempt, raw: false };
    let Some(page) = model.laid_mut::<DayPage>().filter(|page| page.is_open(run, laid)) else { return Vec::new() };
    if let Some(text) = text {
        return vec![Effect::Ask(Request::LayCall { laid, call: Box::new(text.clone()) })];
    }
    (page.open, page.stage) = (None, DayStage::Calls);
    model.warn("That call is no longer there; its story was deleted");
    Vec::new()
}

pub(crate) fn laid(model: &mut Model, laid: CallLayout, text: &Page) {
    if let Some(page) = model.laid_mut::<DayPage>().filter(|page| page.is_open(laid.run, laid) && !laid.raw)
        && let Some(open) = &mut page.open
    {
        open.page = text.clone();
    }
}

pub(crate) fn move_by(page: &mut DayPage, by: isize, now: Timestamp) {
    match page.stage {
        DayStage::Numbers => page.top = page.top.saturating_add_signed(by),
        DayStage::Calls => {
            let last = page.slowest(now).len().saturating_sub(1);
            page.selected = page.selected.saturating_add_signed(by).min(last);
            page.follows = true;
        }
        DayStage::Text => {
            let by = i32::try_from(by).unwrap_or(if by < 0 { i32::MIN } else { i32::MAX });
            if let Some(open) = &mut page.open {
                open.page.scroll_by(by);
            }
        }
    }
}

/// Between the numbers and the slowest calls.
pub(crate) fn turn(page: &mut DayPage, now: Timestamp) {
    page.stage = match page.stage {
        DayStage::Numbers if !page.slowest(now).is_empty() => DayStage::Calls,
        DayStage::Text => DayStage::Text,
        DayStage::Numbers | DayStage::Calls => DayStage::Numbers,
    };
    page.follows = page.stage == DayStage::Calls;
}

/// Goes to the slowest calls; there, opens the selected one.
pub(crate) fn open_selected(model: &mut Model) -> Vec<Effect> {
    let now = model.now;
    let Some(page) = model.on_top_mut::<DayPage>() else { return Vec::new() };
    match page.stage {
        DayStage::Numbers => turn(page, now),
        DayStage::Text => {}
        DayStage::Calls => {
            let Some(call) = page.slowest(now).get(page.selected).cloned() else { return Vec::new() };
            let request = Request::ReadCall { run: call.run, step: call.step, attempt: call.attempt };
            (page.open, page.stage) = (Some(OpenCall { call, page: Page::default() }), DayStage::Text);
            return vec![Effect::Ask(request)];
        }
    }
    Vec::new()
}

pub(crate) fn back(model: &mut Model) -> Vec<Effect> {
    match model.on_top_mut::<DayPage>() {
        Some(page) if page.stage == DayStage::Text => (page.open, page.stage) = (None, DayStage::Calls),
        Some(page) if page.stage == DayStage::Calls => page.stage = DayStage::Numbers,
        _ => {
            model.overlays.pop();
        }
    }
    Vec::new()
}
