//! Opens the desk: the screen on this thread, the back room on a thread and runtime of its own, so that no work on a story
//! ever delays a frame.

use std::{io, sync::Arc, thread};

use tokio::sync::{Notify, mpsc};

use crate::desk::Assignment;
use crate::ports::Watch;
use crate::tui::{
    app::{
        backlog::{Backlog, Hearing},
        messages::Order,
        model::Model,
        news::News,
        run::{self, Left},
    },
    terminal::error::ScreenError,
    worker::{
        room::{Backroom, Tools},
        watch::Listener,
    },
};

/// Why the desk could not be shown.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The terminal.
    #[error(transparent)]
    Screen(#[from] ScreenError),
    /// The back room's thread or runtime.
    #[error("the desk could not work: {0}")]
    Backroom(#[from] io::Error),
}

/// What the screen and the back room hear each other by.
pub struct Lines {
    ask: mpsc::UnboundedSender<Order>,
    requests: mpsc::UnboundedReceiver<Order>,
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
    /// Passes on what the desk does.
    #[must_use]
    pub fn watch(&self) -> Arc<dyn Watch> {
        Arc::new(Listener::new(self.tell.clone(), Arc::clone(&self.rung), self.backlog.clone()))
    }
}

/// Shows the desk until it is left, and begins with `begins`. What is committed is safe, however it ends.
///
/// # Errors
/// [`OpenError`].
pub async fn open(lines: Lines, model: &mut Model, tools: Tools, begins: Vec<Assignment>) -> Result<Left, OpenError> {
    let Lines { ask, requests, tell, mut news, rung, backlog } = lines;
    let clock = Arc::clone(&tools.clock);
    let mut backroom = Backroom::new(tools, requests, tell, rung, backlog);
    let work = thread::Builder::new().name("desk".into()).spawn(move || -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            backroom.begin_with(begins);
            backroom.run().await;
        });
        runtime.shutdown_background();
        Ok(())
    })?;
    let left = run::run(model, &ask, &mut news, &clock).await;
    drop(ask);
    // A panic there has been told on the screen.
    let worked = work.join();
    let left = left?;
    worked.unwrap_or(Ok(()))?;
    Ok(left)
}
