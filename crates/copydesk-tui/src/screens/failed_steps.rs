//! The failed steps: the list, the attempts of the selected one, trying again, dropping.

use std::collections::HashMap;

use jiff::Timestamp;
use ratatui::prelude::{Buffer, Rect, Style};

use crate::app::{Action, Effect, KeyContext, Model, News, Overlay, Question, Reaction, Request, Scene, Ways, listed};
use crate::screens::forms::{FieldName, Form};
use crate::widgets::{Column, Field, ListAndText, ListStage, Sheet, Table, TextRole, Theme, draw, words};
use copydesk_core::desk::{FailedStep, Happening};
use copydesk_core::editorial::event_words::event_in_words;
use copydesk_core::ports::{CallRow, RunKey};
use copydesk_newsroom::{Event, EventRecord};
use copydesk_text::sanitise;

pub struct FailedStepsPage {
    pub(crate) failed_steps: Vec<FailedStep>,
    pub list: ListAndText,
    /// Attempts that were read. They do not change any more.
    tried: HashMap<RunKey, Vec<Happening>>,
}

impl FailedStepsPage {
    pub fn new(failed_steps: Vec<FailedStep>) -> Self {
        let mut page = Self { failed_steps, list: ListAndText::default(), tried: HashMap::new() };
        page.open();
        page
    }

    fn failed(&self) -> Option<&FailedStep> {
        self.failed_steps.get(self.list.selected)
    }

    /// Asks for the attempts of the selected step, unless they are known.
    fn read(&self) -> Vec<Effect> {
        let unread = self.failed().filter(|failed| !self.tried.contains_key(&failed.run)).cloned();
        unread.map(|failed| Effect::Ask(Request::ReadFailedStep(Box::new(failed)))).into_iter().collect()
    }

    /// Takes the current list. The selection stays on its step; if that is gone, on the step in its place.
    fn set(&mut self, failed_steps: Vec<FailedStep>) {
        let before = self.failed().map(|failed| failed.run);
        self.failed_steps = failed_steps;
        let again = before.and_then(|run| self.failed_steps.iter().position(|failed| failed.run == run));
        self.list.selected = again.unwrap_or(self.list.selected).min(self.failed_steps.len().saturating_sub(1));
        if again.is_none() {
            self.list.stage = ListStage::List;
            self.open();
        }
    }

    fn know(&mut self, run: RunKey, tried: Vec<Happening>) {
        self.tried.insert(run, tried);
        if self.failed().is_some_and(|failed| failed.run == run) {
            self.open();
        }
    }

    fn open(&mut self) {
        let sheet = self.failed().map(|failed| laid(failed, self.tried.get(&failed.run).map(Vec::as_slice)));
        self.list.set_text(sheet.unwrap_or_default());
        self.list.page.home();
    }
}

impl Overlay for FailedStepsPage {
    fn keys(&self) -> (KeyContext, &'static [Action]) {
        (KeyContext::FailedSteps, listed![RetryFailedStep DropFailedStep Open NextPane PageDown Help Back])
    }

    fn why_not(&self, action: Action, _: &Model) -> Option<String> {
        let needs_one = matches!(action, Action::Open | Action::RetryFailedStep | Action::DropFailedStep);
        (needs_one && self.failed().is_none()).then(|| "no failed steps".into())
    }

    fn act(&mut self, action: Action, _: &Scene<'_>) -> Reaction {
        let Some(failed) = self.failed() else { return Reaction::Ignored };
        match action {
            Action::Open => Reaction::Then(open_selected),
            Action::RetryFailedStep => Reaction::open(ask_to_retry(failed)),
            Action::DropFailedStep => Reaction::open(ask_to_drop(failed.clone())),
            _ => Reaction::Ignored,
        }
    }

    fn list(&mut self) -> Option<(&mut ListAndText, usize)> {
        Some((&mut self.list, self.failed_steps.len()))
    }

    fn lay_selected(&mut self) -> Reaction {
        self.open();
        Reaction::Done(self.read())
    }

    /// The list is read again when another program has changed it, too.
    fn hear(&mut self, news: &News, _: &Scene<'_>) -> Reaction {
        match news {
            News::FailedSteps(failed_steps) => {
                self.set(failed_steps.clone());
                return Reaction::Done(self.read());
            }
            News::Attempts(run, tried) => self.know(*run, tried.clone()),
            _ => {}
        }
        Reaction::Ignored
    }

    fn view(&mut self, scene: &Scene<'_>, _: &Ways, area: Rect, buf: &mut Buffer) {
        let theme = &scene.theme;
        let inner = draw::cover(buf, area, Action::ShowFailedSteps.title(), theme);
        let all = self.failed_steps.len();
        if all == 0 {
            draw::said(buf, inner, "No failed steps: each was tried again or dropped.", theme);
            return;
        }
        let columns = [
            Column::text("Story", 18, 36, 0),
            Column::text("Step", 20, 36, 0),
            Column::number("Age", 6, 0),
            Column::number("Retries", 8, 1),
            Column::text("Why", 13, 200, 2),
        ];
        let Self { failed_steps, list, .. } = self;
        let cells = |place: usize, table: &Table<'_>| {
            let name = table.width(0).map_or(0, usize::from);
            failed_steps.get(place).map(|failed| cells(failed, name, scene.now, theme))
        };
        let title = format!("Failed step {} of {all}", list.selected + 1);
        list.view(&title, all, &columns, cells, (area, inner), buf, theme);
    }
}

pub(crate) fn show(model: &mut Model) {
    let page = FailedStepsPage::new(model.failed_steps.clone());
    model.effects.extend(page.read());
    model.lay_over(page);
}

fn open_selected(model: &mut Model) {
    let Some(run) = model.on_top::<FailedStepsPage>().and_then(FailedStepsPage::failed).map(|failed| failed.run) else {
        return;
    };
    model.overlays.pop();
    model.ask_to_open(Request::Open(run));
}

fn ask_to_retry(failed: &FailedStep) -> Question {
    let text = format!(
        "{}: {}. The story goes on from this step in a new run. No earlier answer is asked for again.",
        failed.story,
        failed.step.in_words()
    );
    let request = Request::RetryFailedStep(Box::new(failed.clone()));
    Question::new("Try it again?", text, "try it again", |model| model.ask(request))
}

fn ask_to_drop(failed: FailedStep) -> Form {
    let explanation = format!(
        "{}: {}. The step is not tried again. The story stays failed, and stays flagged until you accept its flags.",
        failed.story,
        failed.step.in_words()
    );
    let fields = vec![Field::text(FieldName::Reason, "why; kept in the log under your name", "")];
    Form::asking("Drop the failed step?", explanation, fields, move |form| {
        let reason = form.filled(FieldName::Reason, "say why the step is not tried again")?;
        Ok(Request::DropFailedStep { failed: Box::new(failed.clone()), reason })
    })
}

fn cells(failed: &FailedStep, name: usize, now: Timestamp, theme: &Theme) -> [(String, Style); 5] {
    [
        (words::fit_name(&failed.story.to_string(), name), theme.text),
        (failed.step.in_words(), theme.text),
        (words::age(&failed.since, now), theme.dim),
        (failed.redeliveries.to_string(), theme.dim),
        (sanitise::excerpt(&failed.error, 300), theme.bad),
    ]
}

/// The failed step and its error, then the attempts in order.
fn laid(failed: &FailedStep, tried: Option<&[Happening]>) -> Sheet {
    let mut sheet = Sheet::default();
    sheet.add(&failed.step.in_words(), TextRole::Heading);
    sheet.line(&format!("  {}", sanitise::one_line(&failed.story.to_string())), TextRole::Dim);
    sheet.line(&format!("Failed on {}, {}.", words::day_and_time(&failed.since), again(failed)), TextRole::Text);
    sheet.line(&sanitise::one_line(&failed.error), TextRole::Strong);
    let Some(tried) = tried else {
        sheet.section("Loading the attempts…");
        return sheet;
    };
    let mut day = String::new();
    for happening in tried {
        let at = match happening {
            Happening::Asked { call, .. } => &call.asked_at,
            Happening::Noted(record) => &record.at,
        };
        let today = words::day(at);
        if today != day {
            sheet.section(&format!("Attempts on {today}"));
            day = today;
        }
        sheet.add(&format!("{}  ", words::clock(at)), TextRole::Dim);
        match happening {
            Happening::Asked { call, .. } => attempt(&mut sheet, call),
            Happening::Noted(record) => sheet.line(&noted(record), TextRole::Emphasis),
        }
    }
    sheet
}

fn again(failed: &FailedStep) -> String {
    match failed.redeliveries {
        0 => "with no retry from the queue".to_owned(),
        1 => "after 1 retry from the queue".to_owned(),
        times => format!("after {times} retries from the queue"),
    }
}

/// An attempt: server, duration, error.
fn attempt(sheet: &mut Sheet, call: &CallRow) {
    sheet.add(&format!("Attempt {}", call.attempt), TextRole::Name);
    let server = sanitise::one_line(&format!("{} at {}", call.model, call.host));
    let took = call.ended_at.as_deref().and_then(|ended| words::took(&call.asked_at, ended)).unwrap_or_default();
    let repeated = if call.repeats > 0 { "repeated after an interruption" } else { "" };
    sheet.line(&format!("  {}", words::dotted([&*server, &took, repeated])), TextRole::Text);
    let error = call.error.as_deref().unwrap_or("It was still running when the run ended.");
    sheet.line(&sanitise::one_line(error), TextRole::Text);
}

/// The event between two attempts, in words.
fn noted(record: &EventRecord) -> String {
    match &record.event {
        Event::StepDead { .. } => "Gave up".to_owned(),
        Event::StepRedelivered { redelivery, of, again_in_seconds, .. } => {
            format!("Retry {redelivery} of {of} in {again_in_seconds:.0} s")
        }
        event => sanitise::one_line(&event_in_words(event)),
    }
}

#[cfg(test)]
mod tests;
