//! Opens the desk: the screen on this thread, the worker on a thread and runtime of its own, so that work on a story never
//! delays a frame.

use std::{io, sync::Arc, thread};

use tokio::sync::{Notify, mpsc};

use crate::app::run::Left;
use crate::app::{Backlog, Hearing, Model, News, Request, Ticket, Trouble, run};
use crate::terminal::{HeldScreen, ScreenError};
use crate::worker::Tools;
use crate::worker::run::Worker;
use crate::worker::watch::Listener;
use copydesk_core::desk::Assignment;
use copydesk_core::ports::Watch;

/// Why the desk could not be shown.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error(transparent)]
    Screen(#[from] ScreenError),
    /// The worker's thread or runtime.
    #[error("the worker could not start: {0}")]
    Worker(#[from] io::Error),
}

/// The channels between the screen and the worker.
pub struct Lines {
    ask: mpsc::UnboundedSender<(Option<Ticket>, Request)>,
    requests: mpsc::UnboundedReceiver<(Option<Ticket>, Request)>,
    tell: mpsc::UnboundedSender<News>,
    news: Hearing,
    rung: Arc<Notify>,
    backlog: Backlog,
}

impl Default for Lines {
    fn default() -> Self {
        let (ask, requests) = mpsc::unbounded_channel();
        let (tell, news) = mpsc::unbounded_channel();
        let backlog = Backlog::default();
        Self { ask, requests, tell, news: Hearing::new(news, backlog.clone()), rung: Arc::default(), backlog }
    }
}

impl Lines {
    /// Asks the worker before the screen is there.
    pub fn ask(&self, request: Request) {
        // The other end is in this struct still.
        let _ = self.ask.send((None, request));
    }

    /// Tells the person something that went wrong beside the stories.
    pub fn say(&self) -> Box<dyn Fn(&str) + Send + Sync> {
        let tell = self.tell.clone();
        // A screen that is closed shows nothing more.
        Box::new(move |text| drop(tell.send(News::Trouble(Trouble::new(text)))))
    }

    /// Passes the desk's events on to the screen.
    pub fn watch(&self) -> Arc<dyn Watch> {
        Arc::new(Listener::new(self.tell.clone(), Arc::clone(&self.rung), self.backlog.clone()))
    }
}

/// Shows the desk until the person leaves, and begins the stories `begins`. Committed work is safe, however it ends. If the screen is to open
/// again, it stays in `held`; dropping that closes it.
///
/// # Errors
/// [`OpenError`].
pub async fn open(
    lines: Lines,
    model: &mut Model,
    tools: Tools,
    begins: Vec<Assignment>,
    held: &mut Option<HeldScreen>,
) -> Result<Left, OpenError> {
    let Lines { ask, requests, tell, mut news, rung, backlog } = lines;
    let clock = Arc::clone(&tools.desk.clock);
    let mut worker = Worker::new(tools, requests, tell, rung, backlog);
    let work = thread::Builder::new().name("desk".into()).spawn(move || -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            worker.begin_with(begins);
            worker.run().await;
        });
        runtime.shutdown_background();
        Ok(())
    })?;
    let left = run::run(model, &ask, &mut news, &*clock, held).await;
    drop(ask);
    // The screen has told a panic of that thread.
    let ended = work.join();
    let left = left?;
    ended.unwrap_or(Ok(()))?;
    Ok(left)
}
