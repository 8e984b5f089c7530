//! The walk through the review queue: the current story, and its place in the queue.

use jiff::Timestamp;

use std::cmp::Reverse;

use crate::screens::desk::{DeskList, DeskRow};
use copydesk_newsroom::Priority;

/// A walk through the queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Walk {
    pub story: String,
    /// Its place when it was opened: a decided story leaves the queue.
    at: (Reverse<Priority>, String, String),
}

impl Walk {
    pub fn at(row: &DeskRow) -> Self {
        let (priority, since, story) = row.run.review_order();
        Self { story: story.to_owned(), at: (priority, since.to_owned(), story.to_owned()) }
    }

    /// The next or previous story in the queue, wrapping around; none if there is no other.
    pub fn next<'q>(&self, queue: &[&'q DeskRow], way: Direction) -> Option<&'q DeskRow> {
        let others = || queue.iter().filter(|row| row.run.story != self.story);
        let (priority, since, story) = (self.at.0, self.at.1.as_str(), self.at.2.as_str());
        let behind = |row: &&&DeskRow| row.run.review_order() > (priority, since, story);
        let found = match way {
            Direction::On => others().find(behind).or_else(|| others().next()),
            Direction::Back => others().rev().find(|row| !behind(row)).or_else(|| others().next_back()),
        };
        found.copied()
    }

    /// How far the walk is, such as `2 of 5 in review`.
    pub fn words(desk: &DeskList, story: &str, now: Timestamp) -> String {
        let queue = desk.in_review(now);
        let place = queue.iter().position(|row| row.run.story == story).map(|place| place + 1);
        place.map_or_else(
            || format!("{} in review", queue.len()),
            |place| format!("{place} of {} in review", queue.len()),
        )
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// To less urgent, or newer, stories.
    On,
    /// To more urgent, or older, stories.
    Back,
}
