//! The dead letters on the screen: which there are, which one is selected, and what was tried for that one, laid out for reading.

use std::{collections::HashMap, sync::Arc};

use crate::desk::{DeadLetter, Happening};
use crate::newsroom::{Event, EventRecord};
use crate::ports::{CallRow, RunKey};
use crate::text::sanitise;
use crate::tui::{
    screens::story::log::told,
    widgets::{
        mark::Role,
        page::Page,
        said::{capital, step_words},
        sheet::Sheet,
        words,
    },
};

/// Where the keys go.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Stage {
    /// Into the list.
    #[default]
    List,
    /// Into the story of the selected letter.
    Text,
}

/// The dead letters.
#[derive(Debug, Clone)]
pub struct DeadPage {
    letters: Vec<DeadLetter>,
    /// The selected one.
    pub selected: usize,
    /// The first one in sight.
    pub top: usize,
    /// Where the keys go.
    pub stage: Stage,
    /// What was tried for the selected one.
    pub page: Page,
    /// What is known of attempts; what was given up changes no more.
    tried: HashMap<RunKey, Vec<Happening>>,
}

impl DeadPage {
    /// The letters, the first one selected.
    #[must_use]
    pub fn new(letters: Vec<DeadLetter>) -> Self {
        let mut page = Self {
            letters,
            selected: 0,
            top: 0,
            stage: Stage::List,
            page: Page::new(Arc::from("")),
            tried: HashMap::new(),
        };
        page.open();
        page
    }

    /// The letters.
    #[must_use]
    pub fn letters(&self) -> &[DeadLetter] {
        &self.letters
    }

    /// The selected letter.
    #[must_use]
    pub fn letter(&self) -> Option<&DeadLetter> {
        self.letters.get(self.selected)
    }

    /// The selected letter, where it is still to be read what was tried for it.
    #[must_use]
    pub fn unread(&self) -> Option<&DeadLetter> {
        self.letter().filter(|letter| !self.tried.contains_key(&letter.run))
    }

    /// Takes in which letters there are by now. The selection stays on its letter; where that has gone, on the one in its place.
    pub fn set(&mut self, letters: Vec<DeadLetter>) {
        let before = self.letter().map(|letter| letter.run);
        self.letters = letters;
        let again = before.and_then(|run| self.letters.iter().position(|letter| letter.run == run));
        self.selected = again.unwrap_or(self.selected).min(self.letters.len().saturating_sub(1));
        if again.is_none() {
            self.stage = Stage::List;
            self.open();
        }
    }

    /// Takes in what was tried for the letter of a run.
    pub fn know(&mut self, run: RunKey, tried: Vec<Happening>) {
        self.tried.insert(run, tried);
        if self.letter().is_some_and(|letter| letter.run == run) {
            self.open();
        }
    }

    /// Selects the letter `by` places on.
    pub fn select(&mut self, by: isize) {
        let before = self.selected;
        self.selected = before.saturating_add_signed(by).min(self.letters.len().saturating_sub(1));
        if self.selected != before {
            self.open();
        }
    }

    /// Between the list and the text; without a letter there is none.
    pub fn turn(&mut self) {
        self.stage = match self.stage {
            Stage::List if !self.letters.is_empty() => Stage::Text,
            Stage::List | Stage::Text => Stage::List,
        };
    }

    /// The selected letter from its beginning.
    fn open(&mut self) {
        let sheet = self.letter().map(|letter| laid(letter, self.tried.get(&letter.run).map(Vec::as_slice)));
        let (text, marks) = sheet.unwrap_or_default().into_parts();
        self.page.replace_text(text.into());
        self.page.mark(marks);
        self.page.home();
    }
}

/// Lays a letter out: what failed and why, then what was tried, in order.
fn laid(letter: &DeadLetter, tried: Option<&[Happening]>) -> Sheet {
    let mut sheet = Sheet::default();
    sheet.add(&capital(&step_words(letter.step)), Role::Heading);
    sheet.line(&format!("  {}", sanitise::one_line(&letter.story.to_string())), Role::Dim);
    sheet.line(&format!("Given up {} UTC, {}.", words::day_and_time(&letter.since), again(letter)), Role::Text);
    sheet.line(&sanitise::one_line(&letter.error), Role::Strong);
    let Some(tried) = tried else {
        sheet.section("Reading what was tried…");
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
            sheet.section(&format!("What was tried on {today} (UTC)"));
            day = today;
        }
        sheet.add(&format!("{}  ", words::clock(at)), Role::Dim);
        match happening {
            Happening::Asked { call, .. } => attempt(&mut sheet, call),
            Happening::Noted(record) => sheet.line(&noted(record), Role::Emphasis),
        }
    }
    sheet
}

/// How often it was put in again.
fn again(letter: &DeadLetter) -> String {
    match letter.redeliveries {
        0 => "at once".to_owned(),
        1 => "after it was back in the queue once".to_owned(),
        times => format!("after it was back in the queue {times} times"),
    }
}

/// An attempt: who was asked, how long it took, what came of it.
fn attempt(sheet: &mut Sheet, call: &CallRow) {
    sheet.add(&format!("Attempt {}", call.attempt), Role::Name);
    let server = sanitise::one_line(&format!("{} at {}", call.model, call.host));
    let took = call.ended_at.as_deref().and_then(|ended| words::took(&call.asked_at, ended)).unwrap_or_default();
    let repeated = if call.repeats > 0 { "made again after an interruption" } else { "" };
    sheet.line(&format!("  {}", words::dotted([&*server, &took, repeated])), Role::Text);
    let error = call.error.as_deref().unwrap_or("It was not over when the run ended.");
    sheet.line(&sanitise::one_line(error), Role::Text);
}

/// What happened between two attempts; of which step is known.
fn noted(record: &EventRecord) -> String {
    match &record.event {
        Event::StepDead { .. } => "Given up".to_owned(),
        Event::StepRedelivered { redelivery, of, again_in_seconds, .. } => {
            format!("Back in the queue, {redelivery} of {of} times; again in {again_in_seconds:.0} s")
        }
        event => {
            let (what, detail) = told(event);
            format!("{what}: {detail}")
        }
    }
}
