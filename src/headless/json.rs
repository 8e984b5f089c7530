//! One JSON event a line.

use crate::{
    newsroom::{EventRecord, Step, StoryKey},
    ports::Watch,
};

/// Prints each event to standard output once it is committed.
#[derive(Debug, Default)]
pub struct JsonLines;

impl Watch for JsonLines {
    fn happened(&self, record: &EventRecord) {
        // A reader that has gone is no reason to stop a story: it is in the database.
        let _ = serde_json::to_string(record).map(|line| super::data(&line));
    }

    fn heard(&self, _: &StoryKey, _: Step, _: &str) {}
}
