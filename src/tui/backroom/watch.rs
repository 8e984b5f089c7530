//! Hears what the desk does and passes it on without waiting.

use std::sync::Arc;

use tokio::sync::{Notify, mpsc};

use crate::{
    newsroom::{EventRecord, Step, StoryKey},
    ports::Watch,
    tui::msg::News,
};

/// Tells the screen what happens, and rings for the back room to look at the records.
pub struct Listener {
    news: mpsc::UnboundedSender<News>,
    rung: Arc<Notify>,
}

impl Listener {
    /// A listener that tells `news`.
    #[must_use]
    pub fn new(news: mpsc::UnboundedSender<News>, rung: Arc<Notify>) -> Self {
        Self { news, rung }
    }
}

impl Watch for Listener {
    fn happened(&self, record: &EventRecord) {
        // Where the screen has gone there is nobody to tell.
        let _ = self.news.send(News::Happened(record.clone()));
        self.rung.notify_one();
    }

    fn heard(&self, story: &StoryKey, step: Step, text: &str) {
        let _ = self.news.send(News::Heard { story: story.to_string(), step, text: text.to_owned() });
    }
}
