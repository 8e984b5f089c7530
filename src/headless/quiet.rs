//! Nobody is told: what a command did, it says itself.

use crate::{
    newsroom::{EventRecord, Step, StoryKey},
    ports::Watch,
};

/// Tells nobody.
#[derive(Debug, Default)]
pub struct Quiet;

impl Watch for Quiet {
    fn happened(&self, _: &EventRecord) {}

    fn heard(&self, _: &StoryKey, _: Step, _: &str) {}
}
