//! Counts the news that the screen has not read yet. If it reads nothing for long, events are left out and read from the
//! records afterwards.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

use tokio::sync::mpsc::{UnboundedReceiver, error::TryRecvError};

use crate::app::News;

/// Most events and list changes that wait for the screen.
const LONGEST: usize = 4_096;

/// Counts the waiting events and list changes.
#[derive(Debug, Clone, Default)]
pub struct Backlog {
    waiting: Arc<AtomicUsize>,
    missed: Arc<AtomicBool>,
}

impl Backlog {
    /// Whether nothing more should be told for now.
    pub fn is_long(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) >= LONGEST
    }

    pub fn put(&self) {
        self.waiting.fetch_add(1, Ordering::Relaxed);
    }

    pub fn miss(&self) {
        self.missed.store(true, Ordering::Relaxed);
    }

    /// Whether something was left out and the screen reads again. True only once.
    pub fn is_over(&self) -> bool {
        !self.is_long() && self.missed.swap(false, Ordering::Relaxed)
    }
}

/// The screen's end of the news.
pub struct Hearing {
    news: UnboundedReceiver<News>,
    backlog: Backlog,
}

impl Hearing {
    pub fn new(news: UnboundedReceiver<News>, backlog: Backlog) -> Self {
        Self { news, backlog }
    }

    /// The next news; `None` once all senders are gone. Cancel safe.
    pub async fn recv(&mut self) -> Option<News> {
        self.news.recv().await.inspect(|news| self.heard(news))
    }

    /// The next news that is there already.
    ///
    /// # Errors
    /// If there is none.
    pub fn try_recv(&mut self) -> Result<News, TryRecvError> {
        self.news.try_recv().inspect(|news| self.heard(news))
    }

    fn heard(&self, news: &News) {
        if matches!(news, News::Happened(_) | News::Runs { .. }) {
            self.backlog.waiting.fetch_sub(1, Ordering::Relaxed);
        }
    }
}
