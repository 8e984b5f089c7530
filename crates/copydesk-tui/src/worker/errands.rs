//! Errands: work that takes longer than a moment, such as reading, writing, copying and deleting files. Each runs in a task of
//! its own. And the reply to a request, or why there is none.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use tokio::{
    sync::mpsc::UnboundedSender,
    task::{AbortHandle, JoinSet},
    time::Instant,
};

use crate::app::{News, Ticket, Trouble, UnderWay, WorkKind};
use crate::screens::forms::DecisionPoint;
use crate::worker::{AddedFile, StartingStories, WorkerContext};
use copydesk_core::ports::{Clock, RunKey, StoryChange, WorkProgress};
use copydesk_newsroom::StoryKey;

pub(crate) fn no_story(story: &StoryKey) -> Trouble {
    Trouble::new(format!("there is no story {story}"))
}

pub(crate) fn no_run() -> Trouble {
    Trouble::new("that run is no longer there; it was deleted with its story")
}

pub(crate) type RequestResult<T = ()> = Result<T, Trouble>;

/// Changes a property of a story, under the editor's name.
pub(crate) async fn change_story(context: &WorkerContext, story: &StoryKey, change: StoryChange) -> RequestResult {
    let desk = &context.tools.desk;
    let is_known = desk.stories.change(story, change, &desk.editor, &context.now()).await?;
    if is_known { Ok(()) } else { Err(no_story(story)) }
}

/// Answers a request.
pub(crate) struct Reply {
    context: WorkerContext,
    ticket: Option<Ticket>,
}

impl Reply {
    pub(crate) fn new(context: &WorkerContext, ticket: Option<Ticket>) -> Self {
        Self { context: context.clone(), ticket }
    }

    /// Ends when the work does. Nothing waits for it when the screen ends.
    pub(crate) fn end_with(self, work: impl Future<Output = RequestResult> + Send + 'static) {
        tokio::spawn(async move { self.end(work.await) });
    }

    pub(crate) fn end(self, result: Result<(), impl Into<Trouble>>) {
        match (self.ticket, result.map_err(Into::into)) {
            (Some(ticket), result) => self.context.say(News::Answered { ticket, result }),
            (None, Err(trouble)) => self.context.say(News::Trouble(trouble)),
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
    pub(crate) fn new(news: &UnboundedSender<News>, clock: &dyn Clock, kind: WorkKind) -> Self {
        let work = UnderWay { kind, since: clock.now(), far: None };
        // If the screen has ended, the news is not needed.
        let _ = news.send(News::GoesOn(work));
        Self { news: news.clone(), work }
    }

    pub(crate) fn begin(context: &WorkerContext, kind: WorkKind) -> Self {
        Self::new(&context.news, &*context.tools.desk.clock, kind)
    }

    /// Tells the screen how far it is.
    pub(crate) fn progress(&self) -> WorkProgress {
        let (news, work, last) = (self.news.clone(), self.work, Mutex::new(None::<Instant>));
        WorkProgress::reporting_to(move |done, all| {
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

/// A task whose latest run alone counts. Nothing waits for it at the end.
#[derive(Default)]
pub(crate) struct LatestTask(Option<AbortHandle>);

impl LatestTask {
    /// Starts a task, and cancels the one before.
    pub(crate) fn start(&mut self, task: impl Future<Output = ()> + Send + 'static) {
        self.stop();
        self.0 = Some(tokio::spawn(task).abort_handle());
    }

    pub(crate) fn stop(&mut self) {
        if let Some(running) = self.0.take() {
            running.abort();
        }
    }
}

/// A finished errand.
pub(crate) enum Errand {
    /// It has told its result itself.
    Done,
    /// The files or texts of stories were read.
    Read(Reply, Option<Ticket>, Result<StartingStories, Trouble>),
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

    /// Does what a request asks for, and ends the reply.
    pub(crate) fn answer(&mut self, reply: Reply, work: impl Future<Output = RequestResult> + Send + 'static) {
        self.run(async move {
            reply.end(work.await);
            Errand::Done
        });
    }

    /// The next finished errand; `None` if none is running. The terminal's hook tells a panic.
    pub(crate) async fn next(&mut self) -> Option<Errand> {
        Some(self.0.join_next().await?.unwrap_or(Errand::Done))
    }
}
