//! Who hears the events of a program without a screen.

use std::sync::Arc;

use super::{ProgressLines, data, event_line};
use crate::{newsroom::EventRecord, ports::Watch};

/// Who hears the events of a command: JSON lines, or progress lines, which can also show how far a batch is.
pub fn listener(json: bool) -> (Arc<dyn Watch>, Option<Arc<ProgressLines>>) {
    if json {
        return (Arc::new(JsonLines), None);
    }
    let progress = Arc::new(ProgressLines::default());
    (Arc::clone(&progress) as Arc<dyn Watch>, Some(progress))
}

/// Prints each event to standard output once it is committed, a JSON object each.
#[derive(Debug, Default)]
struct JsonLines;

impl Watch for JsonLines {
    fn happened(&self, record: &EventRecord) {
        // A reader that has gone is no reason to stop a story: it is in the database.
        let _ = serde_json::to_string(record).map(|line| data(&line));
    }
}

/// Prints each event to standard output once it is committed, a line each.
#[derive(Debug, Default)]
pub struct PlainLines;

impl Watch for PlainLines {
    fn happened(&self, record: &EventRecord) {
        // Likewise.
        let _ = data(&event_line(record));
    }
}

/// Drops all events: the command reports its own result.
#[derive(Debug, Default)]
pub struct Quiet;

impl Watch for Quiet {
    fn happened(&self, _: &EventRecord) {}
}
