//! Passes the desk's events on to the screen without waiting.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::{Notify, mpsc};

use crate::app::{Backlog, News, UnreadText};
use copydesk_core::ports::Watch;
use copydesk_newsroom::{Event, EventRecord, Step, StoryKey};

/// Tells the screen each event, and rings for the worker to look at the records.
pub struct Listener {
    news: mpsc::UnboundedSender<News>,
    rung: Arc<Notify>,
    backlog: Backlog,
    /// The text of each running step that the screen has not taken yet, by story.
    unread: Mutex<HashMap<String, HashMap<Step, UnreadText>>>,
}

impl Listener {
    /// A listener that tells `news`.
    pub fn new(news: mpsc::UnboundedSender<News>, rung: Arc<Notify>, backlog: Backlog) -> Self {
        Self { news, rung, backlog, unread: Mutex::default() }
    }

    /// Drops the unread text of a finished step, so that its next text starts afresh.
    fn forget(&self, record: &EventRecord) {
        let mut stories = self.unread.lock().unwrap_or_else(PoisonError::into_inner);
        match &record.event {
            Event::StepDone { step, .. } | Event::CallFailed { step, .. } => {
                let unread = stories.get_mut(&record.story).and_then(|steps| steps.remove(step));
                drop(unread.map(|unread| unread.take()));
            }
            Event::RunClosed { .. } | Event::GateWaits { .. } => drop(stories.remove(&record.story)),
            _ => {}
        }
    }
}

impl Watch for Listener {
    fn happened(&self, record: &EventRecord) {
        self.forget(record);
        if self.backlog.is_long() {
            self.backlog.miss();
        } else {
            self.backlog.put();
            // If the screen has ended, the news is not needed.
            let _ = self.news.send(News::Happened(record.clone()));
        }
        self.rung.notify_one();
    }

    fn heard(&self, story: &StoryKey, step: Step, text: &str) {
        let story = story.to_string();
        let mut stories = self.unread.lock().unwrap_or_else(PoisonError::into_inner);
        let unread = stories.entry(story.clone()).or_default().entry(step).or_default();
        if unread.add(text) {
            let _ = self.news.send(News::Heard { story, step, unread: unread.clone() });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::{backlog::Hearing, unread::UnreadPieces};
    use copydesk_newsroom::PathName;

    fn record(event: Event) -> EventRecord {
        EventRecord { at: "t".into(), story: "desk/park".into(), run: "r".into(), event }
    }

    fn park() -> StoryKey {
        StoryKey::new(PathName::new("desk").unwrap(), PathName::new("park").unwrap())
    }

    #[test]
    fn a_screen_that_reads_nothing_has_one_text_to_read_however_many_pieces_came() {
        let (tell, mut news) = mpsc::unbounded_channel();
        let listener = Listener::new(tell, Arc::default(), Backlog::default());
        let story = park();
        for _ in 0..10_000 {
            listener.heard(&story, Step::Draft, "ab");
        }
        listener.heard(&story, Step::Review { round: 1 }, "c");
        assert_eq!(news.len(), 2);
        let Some(News::Heard { unread, .. }) = news.blocking_recv() else { panic!("a text") };
        let pieces = unread.take();
        assert_eq!((pieces.text.len(), pieces.count), (20_000, 10_000));
        // After the first text was read, the next piece is told of again.
        listener.heard(&story, Step::Draft, "ab");
        assert_eq!(news.len(), 2);
    }

    #[test]
    fn events_that_nobody_reads_are_told_of_so_far_and_then_that_there_were_more() {
        let (tell, news) = mpsc::unbounded_channel();
        let backlog = Backlog::default();
        let (listener, mut hearing) =
            (Listener::new(tell, Arc::default(), backlog.clone()), Hearing::new(news, backlog.clone()));
        let event = || Event::StepDone { step: Step::Draft, summary: "a draft".into() };
        for _ in 0..100_000 {
            listener.happened(&record(event()));
        }
        assert!(backlog.is_long() && !backlog.is_over());
        let heard = std::iter::from_fn(|| hearing.try_recv().ok()).count();
        assert!((1_000..10_000).contains(&heard), "{heard}");
        assert!(backlog.is_over() && !backlog.is_over(), "it is told once");
        listener.happened(&record(event()));
        assert!(hearing.try_recv().is_ok());
    }

    #[test]
    fn what_is_over_is_not_read_and_does_not_run_into_what_comes_after() {
        let (tell, mut news) = mpsc::unbounded_channel();
        let listener = Listener::new(tell, Arc::default(), Backlog::default());
        let story = park();
        listener.heard(&story, Step::Draft, "half of an ans");
        let (message, again) = ("the stream broke off".to_owned(), Some(0.0));
        listener.happened(&record(Event::CallFailed {
            step: Step::Draft,
            attempt: 1,
            message,
            again_in_seconds: again,
        }));
        listener.heard(&story, Step::Draft, "an answer");
        let mut texts = Vec::new();
        while let Ok(heard) = news.try_recv() {
            if let News::Heard { unread, .. } = heard {
                texts.push(unread.take());
            }
        }
        assert_eq!(texts, [UnreadPieces::default(), UnreadPieces { text: "an answer".into(), count: 1 }]);
        listener.heard(&story, Step::Draft, "more");
        listener.happened(&record(Event::StepDone { step: Step::Draft, summary: "a draft".into() }));
        assert!(listener.unread.lock().unwrap()["desk/park"].is_empty());
    }
}
