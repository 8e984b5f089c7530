//! Tells no events: the command reports its own result.

use crate::{
    newsroom::{EventRecord, Step, StoryKey},
    ports::Watch,
};

/// Drops all events.
#[derive(Debug, Default)]
pub struct Quiet;

impl Watch for Quiet {
    fn happened(&self, _: &EventRecord) {}

    fn heard(&self, _: &StoryKey, _: Step, _: &str) {}
}
