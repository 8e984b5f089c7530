//! The day in numbers as a page: its keys, and when it is read: a day that is over once, today as it goes on.

use jiff::{Span, Timestamp};
use ratatui::prelude::{Buffer, Rect};

use crate::app::{
    Action, CallLayout, Effect, KeyContext, Model, News, Overlay, Reaction, Request, Scene, Ticket, Trouble, Ways,
    listed,
};
use crate::screens::day::{DayNumbers, DayPage, DayStage, OpenCall, view};
use crate::widgets::{Page, ScrolledText as _, words};
use copydesk_core::ports::RunKey;
use copydesk_newsroom::Step;

/// Milliseconds between two readings of today, at least: when something has happened, and when nothing was heard of.
const APART: i64 = 1_000;
const QUIET: i64 = 5_000;

/// Between two readings there is this many times as long as one takes.
const REST: i64 = 10;

impl DayPage {
    /// Whether the open call is this one.
    fn is_open(&self, run: RunKey, step: Step, attempt: u32) -> bool {
        let open = self.open.as_ref().map(|open| &open.call);
        open.is_some_and(|call| (call.run, call.step, call.attempt) == (run, step, attempt))
    }

    /// Another day: `by` days on from the one that is shown.
    fn go(&mut self, by: i64, now: Timestamp) {
        let day = self.date(now).checked_add(Span::new().days(by)).ok();
        // The day goes on from today, so that it is live again.
        let before = self.day;
        self.day = day.filter(|day| *day < words::date(now));
        if self.day != before {
            (self.top, self.selected, self.stage, self.read) = (0, 0, DayStage::Numbers, None);
            self.trouble = None;
        }
    }

    /// Between the numbers and the slowest calls.
    fn turn(&mut self, now: Timestamp) {
        self.follows = self.stage == DayStage::Numbers && !self.slowest(now).is_empty();
        self.stage = if self.follows { DayStage::Calls } else { DayStage::Numbers };
    }

    /// Goes to the slowest calls; there, opens the selected one.
    fn open_selected(&mut self, now: Timestamp) -> Reaction {
        if self.stage == DayStage::Numbers {
            self.turn(now);
            return Reaction::CHANGED;
        }
        let Some(call) = self.slowest(now).get(self.selected).cloned() else { return Reaction::CHANGED };
        let request = Request::ReadCall { run: call.run, step: call.step, attempt: call.attempt };
        self.open = Some(OpenCall { call, page: Page::default() });
        Reaction::Done(vec![Effect::Ask(request)])
    }

    /// The numbers of a day were read.
    fn know(&mut self, ticket: Ticket, took: i64, numbers: &Result<Box<DayNumbers>, Trouble>, now: Timestamp) {
        let Some((_, date)) = self.reading.take_if(|(asked, _)| *asked == ticket) else { return };
        // If another day is wanted by now, it is asked for at once.
        self.read = Some((date, now, took));
        match numbers {
            Ok(numbers) => {
                let before = self.slowest(now).get(self.selected).cloned();
                self.numbers = Some((**numbers).clone());
                self.trouble = None;
                let again = self.slowest(now).iter().position(|call| Some(call) == before.as_ref());
                self.selected = again.unwrap_or(self.selected).min(self.slowest(now).len().saturating_sub(1));
                if self.slowest(now).is_empty() && self.stage == DayStage::Calls {
                    self.stage = DayStage::Numbers;
                }
            }
            Err(trouble) if date == self.date(now) => self.trouble = Some(trouble.to_string()),
            Err(_) => {}
        }
    }
}

impl Overlay for DayPage {
    fn keys(&self) -> (KeyContext, &'static [Action]) {
        (KeyContext::Day, listed![PreviousDay NextDay NextPane Open PageDown Help Back])
    }

    fn why_not(&self, action: Action, model: &Model) -> Option<String> {
        let moves = matches!(action, Action::PreviousDay | Action::NextDay);
        let why = match action {
            _ if self.open.is_some() && (moves || action == Action::Open) => "close the call first",
            Action::NextDay if self.day.is_none() => "this is today",
            Action::Open if self.slowest(model.now).is_empty() => "there is no call",
            _ => return None,
        };
        Some(why.into())
    }

    fn act(&mut self, action: Action, scene: &Scene<'_>) -> Reaction {
        match action {
            Action::PreviousDay => self.go(-1, scene.now),
            Action::NextDay => self.go(1, scene.now),
            // Left and right, as a calendar goes.
            Action::MoveLeft if self.open.is_none() => self.go(-1, scene.now),
            Action::MoveRight if self.open.is_none() && self.day.is_some() => self.go(1, scene.now),
            Action::NextPane | Action::PreviousPane if self.open.is_none() => self.turn(scene.now),
            Action::Open => return self.open_selected(scene.now),
            Action::Back if self.open.is_some() => self.open = None,
            Action::Back if self.stage == DayStage::Calls => self.stage = DayStage::Numbers,
            _ => return Reaction::Ignored,
        }
        Reaction::CHANGED
    }

    fn move_by(&mut self, by: isize, scene: &Scene<'_>) -> Reaction {
        if let Some(open) = &mut self.open {
            open.page.scroll_by(by);
        } else if self.stage == DayStage::Numbers {
            self.top = self.top.saturating_add_signed(by);
        } else {
            let last = self.slowest(scene.now).len().saturating_sub(1);
            self.selected = self.selected.saturating_add_signed(by).min(last);
            self.follows = true;
        }
        Reaction::CHANGED
    }

    fn hear(&mut self, news: &News, scene: &Scene<'_>) -> Reaction {
        match news {
            News::Happened(_)
            | News::Missed
            | News::Runs { .. }
            | News::StoryHolder(_)
            | News::ServersDown(_)
            | News::FailedSteps(_)
            | News::Deleted(_) => self.is_stale = true,
            News::Day { ticket, took, numbers } => self.know(*ticket, *took, numbers, scene.now),
            News::Call { run, step, attempt, text } if self.is_open(*run, *step, *attempt) => {
                let laid = CallLayout { run: *run, step: *step, attempt: *attempt, raw: false };
                if let Some(call) = text.clone() {
                    return Reaction::Done(vec![Effect::Ask(Request::LayCall { laid, call })]);
                }
                self.open = None;
                return Reaction::Then(|model| {
                    model.warn("That call is no longer there; its story was deleted");
                });
            }
            News::CallLaid { laid, page } if self.is_open(laid.run, laid.step, laid.attempt) && !laid.raw => {
                if let Some(open) = &mut self.open {
                    open.page = (**page).clone();
                }
            }
            _ => {}
        }
        Reaction::Ignored
    }

    fn view(&mut self, scene: &Scene<'_>, _: &Ways, area: Rect, buf: &mut Buffer) {
        view::page(self, scene.now, area, buf, &scene.theme);
    }
}

/// Whether the page of today is on the screen.
pub(crate) fn is_live(model: &Model) -> bool {
    model.overlays.iter().any(|overlay| overlay.page::<DayPage>().is_some_and(|page| page.day.is_none()))
}

pub(crate) fn show(model: &mut Model) {
    // `look` asks for its numbers.
    model.lay_over(DayPage::default());
}

/// Asks for the numbers if the page needs them and none are on their way.
pub(crate) fn ask_if_needed(model: &mut Model) {
    let now = model.now;
    let Some(page) = model.laid_mut::<DayPage>() else { return };
    if page.reading.is_some() || !needs(page, now) {
        return;
    }
    let date = page.date(now);
    let ticket = model.ticket();
    if let Some(page) = model.laid_mut::<DayPage>() {
        page.reading = Some((ticket, date));
        page.is_stale = false;
    }
    model.ask(Request::ReadDay { ticket, date, live: date == words::date(now) });
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
