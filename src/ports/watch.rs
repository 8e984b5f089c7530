//! Watching the desk at work.

use crate::newsroom::{EventRecord, Step, StoryKey};

/// Is told what happens. Must not block: it is called between steps.
pub trait Watch: Send + Sync {
    /// Something happened and is committed.
    fn happened(&self, record: &EventRecord);

    /// A piece of an answer arrived; nothing is committed yet.
    fn heard(&self, story: &StoryKey, step: Step, text: &str);
}
