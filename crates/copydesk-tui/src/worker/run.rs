//! The worker does what the screen asks, on a thread and runtime of its own, and tells what happened. It reads only
//! through ports, works only through the desk, and knows nothing of how anything looks.

use std::{sync::Arc, time::Duration};

use tokio::sync::{Notify, mpsc, oneshot};

use crate::app::{Backlog, News, Request, Ticket, Trouble};
use crate::screens::calls;
use crate::screens::concerns::panes;
use crate::worker::read::BearingPassages;
use crate::worker::search::Searching;
use crate::worker::stories::StoryWork;
use crate::worker::{
    LatestTask, Reply, Tools, WorkerContext, day, files, folder, indexing, listen, memory, prove, publish, read,
    record, settings,
};
use copydesk_core::desk::Assignment;
use copydesk_core::editorial::{changes, extract::Extract};
use copydesk_newsroom::{ExaminedObject, Gates};

/// How often the worker looks in the records for the work of other programs.
const LOOK: Duration = Duration::from_millis(200);

/// How often it looks who else is working, and whether the database is still there.
const LOOK_AROUND: Duration = Duration::from_secs(1);

/// Said of a run that was forked or reopened.
const NEW_RUN: &str = "a new run is open; the earlier one is under Runs";

/// How long the end waits until the stories at work are noted.
const LEAVING: Duration = Duration::from_secs(2);

pub struct Worker {
    requests: mpsc::UnboundedReceiver<(Option<Ticket>, Request)>,
    /// Rung when this program has committed something.
    rung: Arc<Notify>,
    stories: StoryWork,
    searching: Searching,
    /// The question to a story's sources that is being answered.
    asking: LatestTask,
    bearing: BearingPassages,
    typed: prove::TypedProofs,
    /// The model that is being asked.
    measuring: LatestTask,
}

impl Worker {
    /// `rung` is the one of the [`Listener`](super::watch::Listener).
    pub fn new(
        tools: Tools,
        requests: mpsc::UnboundedReceiver<(Option<Ticket>, Request)>,
        news: mpsc::UnboundedSender<News>,
        rung: Arc<Notify>,
        backlog: Backlog,
    ) -> Self {
        let stories = StoryWork::new(WorkerContext::new(tools, news), backlog);
        Self {
            requests,
            rung,
            stories,
            searching: Searching::default(),
            asking: LatestTask::default(),
            bearing: BearingPassages::default(),
            typed: prove::TypedProofs::default(),
            measuring: LatestTask::default(),
        }
    }

    /// Begins these stories once [`Self::run`] serves the screen.
    pub fn begin_with(&mut self, assignments: Vec<Assignment>) {
        self.stories.handed_in.extend(assignments);
    }

    /// Works until the screen ends. Stories at work then stop where they are; their commits are safe. It finishes the
    /// file that it is writing, and saves the text that was typed last.
    pub async fn run(mut self) {
        let mut look = tokio::time::interval(LOOK);
        look.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut around = tokio::time::interval(LOOK_AROUND);
        around.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let (read, mut is_read) = oneshot::channel();
        let librarian = Arc::clone(&self.stories.context.tools.librarian);
        let bells = self.stories.index.clone();
        let lines = (self.stories.context.news.clone(), Arc::clone(&self.stories.context.tools.desk.clock));
        let indexing = tokio::spawn(indexing::keep(librarian, lines, bells, read));
        loop {
            tokio::select! {
                asked = self.requests.recv() => match asked {
                    Some((ticket, request)) => self.handle(ticket, request).await,
                    None => break,
                },
                Some(errand) = self.stories.errands.next() => self.stories.finish_errand(errand).await,
                () = self.stories.keeping.due() => self.stories.keeping.keep_now(&self.stories.context).await,
                () = self.searching.due() => self.searching.search_now(&self.stories.context),
                // Even if it failed: stories can run without a knowledge base.
                _ = &mut is_read, if self.stories.roster.is_held() => self.stories.roster.start(),
                // One at a time: the screen is served between two of them.
                () = std::future::ready(()), if !self.stories.handed_in.is_empty() => self.stories.begin_next().await,
                Some(told) = self.stories.roster.next_news() => self.stories.tell_worked(told).await,
                () = self.rung.notified() => self.stories.catch_up().await,
                _ = look.tick() => self.stories.look_again().await,
                _ = around.tick() => self.stories.roster.look_around().await,
            }
        }
        // The next start continues it.
        indexing.abort();
        // If the database does not answer in time, other programs find the stories free all the same.
        let _ = tokio::time::timeout(LEAVING, self.stories.roster.end()).await;
        self.stories.keeping.keep_now(&self.stories.context).await;
        while self.stories.errands.next().await.is_some() {}
    }

    #[expect(clippy::too_many_lines, reason = "one arm a request")]
    async fn handle(&mut self, ticket: Option<Ticket>, request: Request) {
        let Self { stories, searching, bearing, .. } = self;
        let reply = Reply::new(&stories.context, ticket);
        if let Some(trouble) = stories.context.missing().filter(|_| changes_database(&request)) {
            return reply.end(Err(trouble));
        }
        let (context, errands) = (&stories.context, &mut stories.errands);
        let tools = &context.tools;
        // For work that goes on beside the next requests.
        let own = context.clone();
        let result = match request {
            Request::ReadDesk => stories.read_desk().await,
            Request::Open(key) => stories.followed.open(context, key, ticket).await,
            Request::Watch { run, seq } => stories.followed.watch(context, run, seq).await,
            Request::CloseStory => return stories.followed.close(),
            Request::ReadLog(run) => {
                context.tell(tools.desk.archive.events(run).await.map(|events| News::Log(run, events)))
            }
            Request::ReadRuns(story) => {
                let runs = tools.desk.archive.runs_of(&story.to_string()).await;
                context.tell(runs.map(|runs| News::StoryRuns(story, runs)))
            }
            Request::ReadCalls(run) => {
                context.tell(tools.desk.archive.call_log(run).await.map(|calls| News::Calls(run, calls)))
            }
            Request::ReadCall { run, step, attempt } => {
                let text = tools.desk.archive.call_text(run, step, attempt).await;
                context.tell(text.map(|text| News::Call { run, step, attempt, text: text.map(Box::new) }))
            }
            Request::ReadMemory => context.tell(tools.desk.memory.book("").await.map(News::Memory)),
            Request::ReadRecord(hash) => memory::read_record(context, hash).await,
            Request::StrikeRecord { cache_key_hash, reason } => memory::strike(context, cache_key_hash, reason).await,
            Request::RestoreRecord(hash) => memory::restore(context, hash).await,
            Request::ReadFailedStep(failed) => {
                context.tell(failed.attempts(&*tools.desk.archive).await.map(|tried| News::Attempts(failed.run, tried)))
            }
            Request::RetryFailedStep(failed) => stories.retry_failed_step(&failed).await,
            Request::DropFailedStep { failed, reason } => stories.drop_failed_step(&failed, &reason).await,
            Request::Search(inquiry) => return searching.want(inquiry),
            Request::ReadAround(wanted) => return searching.read_around(context, wanted),
            Request::AskSources { ticket, journal, question } => {
                return self.asking.start(async move {
                    let answer = own.tools.desk.answer(&journal, &question).await;
                    own.say(News::SourcesAnswered { ticket, answer: answer.map(Box::new).map_err(Trouble::from) });
                });
            }
            Request::StopAsking => return self.asking.stop(),
            Request::ReadStock => {
                stories.index.files.notify_one();
                context.tell(tools.index.stock().await.map(News::Stock))
            }
            Request::Resume(story) => stories.roster.resume(&story).await,
            Request::Fork { run, story, at, known } => {
                let forked = tools.desk.fork(run, &story, at, Gates::Editor, known).await;
                stories.open_forked(story, forked, ticket, NEW_RUN).await
            }
            Request::Reopen { run, story } => {
                let forked = tools.desk.reopen(run, &story).await;
                stories.open_forked(story, forked, ticket, NEW_RUN).await
            }
            Request::Correct { run, story, note } => {
                let forked = record::correct(context, run, &story, &note).await;
                stories.open_forked(story, forked, ticket, "correction opened: edit it, then sign it").await
            }
            Request::AcceptFlags { run, story, reason } => stories.accept_flags(run, &story, &reason).await,
            Request::NoteExamined { run, gate, what } => stories.note_examined(run, gate, what).await,
            Request::Pause { story, paused } => stories.pause(&story, paused).await,
            Request::Stop(story) => stories.stop(&story).await,
            Request::Priority { story, priority } => stories.set_priority(&story, priority).await,
            Request::SetDue { story, typed } => stories.set_due(&story, &typed).await,
            Request::Assign { story, editor } => stories.assign(&story, editor).await,
            Request::Keep { run, what, text } => return stories.keeping.keep(context, run, what, text).await,
            Request::Forget { run, what } => stories.keeping.forget(context, run, &what).await,
            Request::ReadKept { run, what } => stories.keeping.read_kept(context, run, what).await,
            Request::LayCall { laid, call } => {
                return context.compute(move || {
                    let page = Box::new(calls::model::page(&call, laid.step, laid.raw));
                    News::CallLaid { laid, page }
                });
            }
            Request::Compare { key, journal, pair } => {
                return context.compute(move || {
                    let comparison = changes::between(&journal, pair.0, pair.1).map(Arc::new);
                    News::Compared { key, pair, comparison }
                });
            }
            // A disk may be slow.
            Request::ListFolder(folder) => return context.compute(move || News::Folder(folder::list(folder))),
            Request::CompareRuns { key, journal, other } => read::compare_runs(context, key, journal, other).await,
            Request::FindExcerpts { key, journal, round } => {
                return context.compute(move || News::Excerpts { key, round, places: panes::places(&journal, round) });
            }
            Request::FollowUp { key, journal, round } => {
                return context.compute(move || {
                    let (left, extract) = (changes::left(&journal, round), Extract::of(&journal, round));
                    News::FollowedUp { key, entries: journal.entries().len(), left, extract }
                });
            }
            Request::FindPassage { key, journal, round, concern } => {
                return bearing.find(context, key, journal, (round, concern));
            }
            Request::Prove { key, journal, round } => return prove::prove(context, key, journal, round),
            Request::ProveTyped { run, journal, round, article } => {
                return self.typed.prove(context, prove::Typed { run, journal, round, article });
            }
            Request::ReadDay { ticket, date, live } => return reply.end_with(day::read(own, ticket, date, live)),
            // These end later.
            Request::SetEmbargo { run, story, typed } => {
                return errands.answer(reply, publish::set_embargo(own, run, story, typed));
            }
            Request::ReadStoryRecord { run, story } => return errands.answer(reply, record::read(own, run, story)),
            Request::AskForReply { run, story, name, about, due } => {
                return errands.answer(reply, record::ask_for_reply(own, (run, story), name, about, due));
            }
            Request::NoteReply { run, story, name, text } => {
                return errands.answer(reply, record::note_reply(own, (run, story), name, text));
            }
            Request::Withdraw { run, story, reason } => {
                return errands.answer(reply, record::withdraw(own, run, story, reason));
            }
            Request::ReadPublishing { run, story } => return errands.answer(reply, publish::read(own, run, story)),
            Request::Publish { run, story, targets } => {
                return errands.answer(reply, publish::send(own, run, story, targets));
            }
            Request::OpenPreview { run, story } => {
                return errands.answer(reply, publish::open_preview(own, run, story));
            }
            Request::Decide { at, choice } => return stories.decide(at, choice, reply).await,
            Request::AddSource { at, path, name } => return stories.read_source(at, path, name, reply),
            Request::BeginVersion(signed) => return reply.end(stories.begin_version(signed, ticket).await),
            Request::Begin(beginning) => return stories.begin(beginning, ticket, reply),
            Request::Write { path, bytes } => return errands.answer(reply, files::write(own, path, bytes)),
            Request::Delete(story) => return stories.delete(story, reply).await,
            Request::Listen { run, gate, source, file, seconds } => {
                let heard = ExaminedObject::Heard { source, seconds };
                return errands.answer(reply, listen::play(own, (run, gate), heard, file, seconds));
            }
            Request::AddWord { word, key, journal } => {
                return errands.answer(reply, prove::add_word(own, word, key, journal));
            }
            Request::ListModels(named) => return reply.end_with(settings::list(own, named)),
            Request::TryModels { style } => return reply.end_with(settings::try_models(own, style)),
            Request::MeasureModel(asked) => return self.measuring.start(settings::measure(own, asked)),
            Request::StopMeasuring => return self.measuring.stop(),
            Request::SaveSettings(new) => return reply.end_with(settings::save(own, new)),
            Request::BackUp(path) => return errands.answer(reply, files::back_up(own, path)),
        };
        reply.end(result);
    }
}

/// Whether a request writes to the database. A text that is kept while it is typed does not count: the worker tries that again.
fn changes_database(request: &Request) -> bool {
    matches!(
        request,
        Request::Begin(_)
            | Request::BeginVersion(_)
            | Request::Resume(_)
            | Request::Decide { .. }
            | Request::AddSource { .. }
            | Request::Fork { .. }
            | Request::Reopen { .. }
            | Request::AcceptFlags { .. }
            | Request::NoteExamined { .. }
            | Request::Pause { .. }
            | Request::Priority { .. }
            | Request::SetDue { .. }
            | Request::SetEmbargo { .. }
            | Request::Publish { .. }
            | Request::AskForReply { .. }
            | Request::NoteReply { .. }
            | Request::Correct { .. }
            | Request::Withdraw { .. }
            | Request::Assign { .. }
            | Request::Forget { .. }
            | Request::StrikeRecord { .. }
            | Request::RestoreRecord(_)
            | Request::RetryFailedStep(_)
            | Request::DropFailedStep { .. }
            | Request::Delete(_)
    )
}
