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
        if let Ok(line) = serde_json::to_string(record) {
            super::data(&line);
        }
    }

    fn heard(&self, _: &StoryKey, _: Step, _: &str) {}
}
