//! What takes longer than a moment: files that are read, written, copied, deleted. Each runs beside the rest; nothing waits for it but
//! whoever asked.

use tokio::{sync::mpsc::UnboundedSender, task::JoinSet};

use crate::desk::Assignment;
use crate::ports::RunKey;
use crate::tui::{
    app::{news::News, ticket::Ticket},
    worker::room::Backroom,
};

/// Who is told how a request has ended.
pub(crate) struct Reply {
    news: UnboundedSender<News>,
    ticket: Option<Ticket>,
}

impl Reply {
    pub(crate) fn new(news: &UnboundedSender<News>, ticket: Option<Ticket>) -> Self {
        Self { news: news.clone(), ticket }
    }

    /// Tells the screen. Where it has gone there is nobody to tell.
    pub(crate) fn say(&self, news: News) {
        let _ = self.news.send(news);
    }

    /// The request has ended.
    pub(crate) fn end(self, result: Result<(), String>) {
        match (self.ticket, result) {
            (Some(ticket), result) => self.say(News::Answered { ticket, result }),
            (None, Err(message)) => self.say(News::Trouble(message)),
            (None, Ok(())) => {}
        }
    }
}

/// An errand that is over.
pub(crate) enum Errand {
    /// Told of already.
    Done,
    /// The beginnings of stories were read.
    Read(Reply, Option<Ticket>, Result<Vec<Assignment>, String>),
    /// The story of this run was deleted, or could not be.
    Deleted(RunKey),
}

/// The errands that are being run.
#[derive(Default)]
pub(crate) struct Errands(JoinSet<Errand>);

impl Errands {
    /// Runs one.
    pub(crate) fn run(&mut self, errand: impl Future<Output = Errand> + Send + 'static) {
        self.0.spawn(errand);
    }

    /// The next that is over; none where there is none. One that panicked has been told of by the terminal's hook.
    pub(crate) async fn next(&mut self) -> Option<Errand> {
        Some(self.0.join_next().await?.unwrap_or(Errand::Done))
    }
}

impl Backroom {
    /// Goes on with what an errand has brought.
    pub(crate) async fn come_back(&mut self, errand: Errand) {
        match errand {
            Errand::Done => {}
            Errand::Read(reply, ticket, Ok(assignments)) => {
                let begun = self.begin_all(assignments, ticket).await;
                reply.end(begun);
            }
            Errand::Read(reply, _, Err(message)) => reply.end(Err(message)),
            Errand::Deleted(run) => {
                // What was committed before is told of before; from now on the run is like any other that is gone.
                self.look().await;
                self.deleting.remove(&run);
            }
        }
    }
}
