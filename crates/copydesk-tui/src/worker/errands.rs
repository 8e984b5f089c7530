//! Errands: work that takes longer than a moment, such as reading, writing, copying and deleting files. Each runs in a task of
//! its own. And the reply to a request, or why there is none.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use tokio::{sync::mpsc::UnboundedSender, task::JoinSet};

use crate::{
    app::{
        news::News,
        ticket::Ticket,
        trouble::Trouble,
        under_way::{UnderWay, WorkKind},
    },
    screens::forms::purpose::DecisionPoint,
    worker::context::{AddedFile, WorkerContext},
};
use copydesk_core::desk::{Assignment, DeskError};
use copydesk_core::editorial::replies::NotNoted;
use copydesk_core::ports::{RunKey, StoreError, WorkProgress};
use copydesk_newsroom::{DeadlineError, StoryKey};

/// Why the worker could not do what the screen asked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RequestError {
    #[error(transparent)]
    Desk(#[from] DeskError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("there is no story {0}")]
    NoStory(StoryKey),
    #[error("that run is no longer there; it was deleted with its story")]
    NoRun,
    #[error("{0} is paused; unpause it first")]
    Paused(StoryKey),
    #[error("another copydesk is working on {0}")]
    AtWorkElsewhere(StoryKey),
    #[error("this program is already working on {0}")]
    AtWork(StoryKey),
    #[error("this program is already working on {0}; stop it first, or give the new story another slug")]
    SlugAtWork(StoryKey),
    #[error("this program is not working on {0}")]
    NotAtWork(StoryKey),
    #[error(transparent)]
    NotNoted(#[from] NotNoted),
    #[error(transparent)]
    Deadline(#[from] DeadlineError),
}

pub(crate) type RequestResult<T = ()> = Result<T, RequestError>;

/// Answers a request.
pub(crate) struct Reply {
    news: UnboundedSender<News>,
    ticket: Option<Ticket>,
}

impl Reply {
    pub(crate) fn new(news: &UnboundedSender<News>, ticket: Option<Ticket>) -> Self {
        Self { news: news.clone(), ticket }
    }

    /// Tells the screen; does nothing if the screen has ended.
    pub(crate) fn say(&self, news: News) {
        let _ = self.news.send(news);
    }

    /// Tells the screen what was read, or why it cannot be.
    pub(crate) fn tell(self, read: Result<News, StoreError>) {
        let told = read.map(|news| self.say(news));
        self.end(told);
    }

    pub(crate) fn end(self, result: Result<(), impl Into<Trouble>>) {
        match (self.ticket, result.map_err(Into::into)) {
            (Some(ticket), result) => self.say(News::Answered { ticket, result }),
            (None, Err(trouble)) => self.say(News::Trouble(trouble)),
            (None, Ok(())) => {}
        }
    }
}

/// Least time between two reports of progress.
const APART: Duration = Duration::from_millis(250);

/// Work that the screen shows until this is dropped, if it takes long.
pub(crate) struct Working {
    news: UnboundedSender<News>,
    work: UnderWay,
}

impl Working {
    pub(crate) fn begin(context: &WorkerContext, kind: WorkKind) -> Self {
        let work = UnderWay { kind, since: context.tools.clock.now(), far: None };
        context.say(News::GoesOn(work));
        Self { news: context.news.clone(), work }
    }

    /// Tells the screen how far it is.
    pub(crate) fn progress(&self) -> WorkProgress {
        let (news, work, last) = (self.news.clone(), self.work, Mutex::new(None::<Instant>));
        WorkProgress::told(move |done, all| {
            let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
            if last.is_none_or(|last| last.elapsed() >= APART) {
                *last = Some(Instant::now());
                // If the screen has ended, the news is not needed.
                let _ = news.send(News::GoesOn(UnderWay { far: Some((done, all)), ..work }));
            }
        })
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        // If the screen has ended, the news is not needed.
        let _ = self.news.send(News::IsOver { kind: self.work.kind, since: self.work.since });
    }
}

/// A finished errand.
pub(crate) enum Errand {
    /// It has told its result itself.
    Done,
    /// The files or texts of stories were read.
    Read(Reply, Option<Ticket>, Result<Vec<Assignment>, Trouble>),
    /// The file of a source was read, for a decision at a gate: the source, and what a reader should know about it.
    Source(Box<DecisionPoint>, Reply, Result<AddedFile, Trouble>),
    /// The story of this run was deleted, or could not be.
    Deleted(RunKey),
}

/// The running errands.
#[derive(Default)]
pub(crate) struct Errands(JoinSet<Errand>);

impl Errands {
    pub(crate) fn run(&mut self, errand: impl Future<Output = Errand> + Send + 'static) {
        self.0.spawn(errand);
    }

    /// The next finished errand; `None` if none is running. The terminal's hook tells a panic.
    pub(crate) async fn next(&mut self) -> Option<Errand> {
        Some(self.0.join_next().await?.unwrap_or(Errand::Done))
    }
}
