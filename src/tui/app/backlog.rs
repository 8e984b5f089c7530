//! How much the screen has not taken in yet: where the terminal takes nothing, as much is told as it needs to know afterwards, and no more.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

use tokio::sync::mpsc::{UnboundedReceiver, error::TryRecvError};

use crate::tui::app::news::News;

/// Most events and changes of the list that wait for the screen.
const LONGEST: usize = 4_096;

/// What waits for the screen of what comes without end: events, and changes of the list.
#[derive(Debug, Clone, Default)]
pub struct Backlog {
    waiting: Arc<AtomicUsize>,
    missed: Arc<AtomicBool>,
}

impl Backlog {
    /// Whether nothing more should be told for now: it is read from the records afterwards.
    #[must_use]
    pub fn is_long(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) >= LONGEST
    }

    /// One more is told.
    pub fn put(&self) {
        self.waiting.fetch_add(1, Ordering::Relaxed);
    }

    /// Something was not told.
    pub fn miss(&self) {
        self.missed.store(true, Ordering::Relaxed);
    }

    /// Whether something was not told, and the screen reads again: it is to be told that once.
    #[must_use]
    pub fn is_over(&self) -> bool {
        !self.is_long() && self.missed.swap(false, Ordering::Relaxed)
    }
}

/// Where the screen hears news.
#[derive(Debug)]
pub struct Hearing {
    news: UnboundedReceiver<News>,
    backlog: Backlog,
}

impl Hearing {
    /// The other end of what `backlog` counts.
    #[must_use]
    pub fn new(news: UnboundedReceiver<News>, backlog: Backlog) -> Self {
        Self { news, backlog }
    }

    /// The next news; none where nobody tells any more. May be given up at any time.
    pub async fn recv(&mut self) -> Option<News> {
        self.news.recv().await.inspect(|news| self.heard(news))
    }

    /// The next news that is there already.
    ///
    /// # Errors
    /// Where there is none.
    pub fn try_recv(&mut self) -> Result<News, TryRecvError> {
        self.news.try_recv().inspect(|news| self.heard(news))
    }

    fn heard(&self, news: &News) {
        if matches!(news, News::Happened(_) | News::Runs { .. }) {
            self.backlog.waiting.fetch_sub(1, Ordering::Relaxed);
        }
    }
}
