//! Failed steps: the list, the selected one, and its attempts.

use std::collections::HashMap;

use crate::{
    screens::story::log::told,
    widgets::{
        list_and_text::{ListAndText, ListStage},
        mark::TextRole,
        said::{capital, step_words},
        sheet::Sheet,
        words,
    },
};
use copydesk_core::desk::{FailedStep, Happening};
use copydesk_core::ports::{CallRow, RunKey};
use copydesk_newsroom::{Event, EventRecord};
use copydesk_text::sanitise;

#[derive(Debug, Clone)]
pub struct FailedStepsPage {
    pub(super) failed_steps: Vec<FailedStep>,
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

    pub fn failed_steps(&self) -> &[FailedStep] {
        &self.failed_steps
    }

    pub fn failed(&self) -> Option<&FailedStep> {
        self.failed_steps.get(self.list.selected)
    }

    /// The selected step, if its attempts are still to be read.
    pub fn unread(&self) -> Option<&FailedStep> {
        self.failed().filter(|failed| !self.tried.contains_key(&failed.run))
    }

    /// Takes the current list. The selection stays on its step; if that is gone, on the step in its place.
    pub fn set(&mut self, failed_steps: Vec<FailedStep>) {
        let before = self.failed().map(|failed| failed.run);
        self.failed_steps = failed_steps;
        let again = before.and_then(|run| self.failed_steps.iter().position(|failed| failed.run == run));
        self.list.selected = again.unwrap_or(self.list.selected).min(self.failed_steps.len().saturating_sub(1));
        if again.is_none() {
            self.list.stage = ListStage::List;
            self.open();
        }
    }

    pub fn know(&mut self, run: RunKey, tried: Vec<Happening>) {
        self.tried.insert(run, tried);
        if self.failed().is_some_and(|failed| failed.run == run) {
            self.open();
        }
    }

    pub fn select(&mut self, by: isize) {
        if self.list.select(by, self.failed_steps.len()) {
            self.open();
        }
    }

    pub fn turn(&mut self) {
        self.list.turn(self.failed_steps.len());
    }

    fn open(&mut self) {
        let sheet = self.failed().map(|failed| laid(failed, self.tried.get(&failed.run).map(Vec::as_slice)));
        self.list.set_text(sheet.unwrap_or_default());
        self.list.page.home();
    }
}

/// The failed step and its error, then the attempts in order.
fn laid(failed: &FailedStep, tried: Option<&[Happening]>) -> Sheet {
    let mut sheet = Sheet::default();
    sheet.add(&capital(&step_words(failed.step)), TextRole::Heading);
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
        event => {
            let (what, detail) = told(event);
            format!("{what}: {detail}")
        }
    }
}
