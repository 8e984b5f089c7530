//! Tells a screen or a log what the desk does.

use copydesk_newsroom::{EventRecord, Step, StoryKey};

/// Receives the desk's events. It must not block, because it is called between steps.
pub trait Watch: Send + Sync {
    /// An event was committed.
    fn happened(&self, record: &EventRecord);

    /// A piece of an answer arrived; nothing is committed yet.
    fn heard(&self, story: &StoryKey, step: Step, text: &str);
}
