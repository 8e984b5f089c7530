//! The walk through the review queue: the story that is read now, and where it stood in the queue.

use std::cmp::Reverse;

use crate::newsroom::Priority;
use crate::tui::screens::desk::model::{DeskList, DeskRow};

/// A walk through the queue, as a mail reader goes through its letters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Walk {
    /// The story that is read.
    pub story: String,
    /// Where it stood when it was opened: what is decided takes it away from there.
    at: (Reverse<Priority>, String, String),
}

impl Walk {
    /// A walk that has come to a story of the queue.
    #[must_use]
    pub fn at(row: &DeskRow) -> Self {
        let (priority, since, story) = row.run.review_order();
        Self { story: story.to_owned(), at: (priority, since.to_owned(), story.to_owned()) }
    }

    /// The story after it in the queue, or before it; at an end, from the other one. None where there is no other.
    #[must_use]
    pub fn next<'q>(&self, queue: &[&'q DeskRow], way: Way) -> Option<&'q DeskRow> {
        let others = || queue.iter().filter(|row| row.run.story != self.story);
        let (priority, since, story) = (self.at.0, self.at.1.as_str(), self.at.2.as_str());
        let behind = |row: &&&DeskRow| row.run.review_order() > (priority, since, story);
        let found = match way {
            Way::On => others().find(behind).or_else(|| others().next()),
            Way::Back => others().rev().find(|row| !behind(row)).or_else(|| others().next_back()),
        };
        found.copied()
    }

    /// How far a walk has come that shows `story`, such as `2 of 5 in review`.
    #[must_use]
    pub fn words(desk: &DeskList, story: &str) -> String {
        let queue = desk.in_review();
        let place = queue.iter().position(|row| row.run.story == story).map(|place| place + 1);
        place.map_or_else(
            || format!("{} in review", queue.len()),
            |place| format!("{place} of {} in review", queue.len()),
        )
    }
}

/// Which way through the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// To what is less urgent, or newer.
    On,
    /// To what is more urgent, or older.
    Back,
}
