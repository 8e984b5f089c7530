//! The back room: does what the screen asks, on a thread and runtime of its own, and tells what happened. Reads only through
//! ports, works only through the desk. Knows nothing of how anything looks.

use std::{
    collections::{HashSet, VecDeque},
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
    time::Duration,
};

use tokio::sync::{Notify, mpsc, oneshot};

use crate::tui::worker::shelving::Librarian;

use crate::desk::{Assignment, DeadLetter, Desk};
use crate::newsroom::{Gates, StoryKey};
use crate::ports::{Archive, Clock, Index, MemoryBook, Passages, Records, RunKey, Scratch, ServerDown, Stories, Texts};
use crate::proof::Witnesses;
use crate::tui::{
    app::{
        backlog::Backlog,
        messages::{Beginning, Order, Request},
        news::News,
    },
    worker::{
        around,
        decide::Decision,
        errands::{Errands, Reply},
        keeping::Keeping,
        search::Searching,
        shelving,
        work::Work,
    },
};

/// How often the records are looked at for what other programs have done.
const LOOK: Duration = Duration::from_millis(200);

/// How long whoever leaves waits for what is noted of the stories at work.
const LEAVING: Duration = Duration::from_secs(2);

/// How often it is looked who else is at work, and whether the database is still there.
const LOOK_AROUND: Duration = Duration::from_secs(1);

/// Reads what a story begins with. Blocks, and is called where that does no harm.
pub trait Intake: Send + Sync {
    /// The stories of a file: a topic, a folder of topics, a plain source.
    ///
    /// # Errors
    /// What is wrong with it and what to do.
    fn file(&self, path: &Path) -> Result<Vec<Assignment>, String>;

    /// A story from what was typed or pasted.
    ///
    /// # Errors
    /// What is wrong with it and what to do.
    fn text(&self, beginning: &Beginning) -> Result<Assignment, String>;

    /// The story that comes with the program.
    ///
    /// # Errors
    /// Where the configuration does not fit it.
    fn sample(&self) -> Result<Assignment, String>;
}

/// What the back room works with.
pub struct Tools {
    /// Works on stories.
    pub desk: Arc<Desk>,
    /// Reads them back.
    pub archive: Arc<dyn Archive>,
    /// Runs and their journals.
    pub records: Arc<dyn Records>,
    /// Stories as a whole.
    pub stories: Arc<dyn Stories>,
    /// The institutional memory.
    pub memory: Arc<dyn MemoryBook>,
    /// The search.
    pub passages: Arc<dyn Passages>,
    /// The search by words alone, which waits for no embedder.
    pub words: Arc<dyn Passages>,
    /// What is indexed.
    pub index: Arc<dyn Index>,
    /// The texts that passages are of.
    pub texts: Arc<dyn Texts>,
    /// Keeps the index.
    pub librarian: Arc<dyn Librarian>,
    /// Texts that are being typed.
    pub scratch: Arc<dyn Scratch>,
    /// Tells the time.
    pub clock: Arc<dyn Clock>,
    /// Reads what a story begins with.
    pub intake: Arc<dyn Intake>,
    /// The name that decisions carry.
    pub editor: String,
    /// How many stories are worked on at once.
    pub stories_at_once: usize,
    /// The file that all is kept in.
    pub database: PathBuf,
}

/// The back room at work.
pub struct Backroom {
    pub(crate) tools: Arc<Tools>,
    pub(crate) news: mpsc::UnboundedSender<News>,
    pub(crate) requests: mpsc::UnboundedReceiver<Order>,
    /// Rung when this program has committed something.
    pub(crate) rung: Arc<Notify>,
    pub(crate) backlog: Backlog,
    pub(crate) work: Work,
    /// What takes longer than a moment and needs nobody here until it is over.
    pub(crate) errands: Errands,
    /// The text that is being typed.
    pub(crate) keeping: Keeping,
    /// What is searched for.
    pub(crate) searching: Searching,
    /// Rung when there is something to be indexed.
    pub(crate) to_shelve: Arc<Notify>,
    /// The last event that was told of.
    pub(crate) last: Option<i64>,
    /// The dead letters that were told of.
    pub(crate) letters: Vec<DeadLetter>,
    /// The run that the screen shows, with the number of the last entry that was told of.
    pub(crate) open: Option<(RunKey, i64)>,
    /// The sources of the run whose concerns are looked at, read once.
    pub(crate) witnesses: Option<(RunKey, Arc<OnceLock<Witnesses>>)>,
    /// Stories that other programs work on.
    pub(crate) elsewhere: HashSet<StoryKey>,
    /// Stories that wait in the queue.
    pub(crate) queued: HashSet<StoryKey>,
    /// The servers that are left alone, as the screen knows.
    pub(crate) down: Vec<ServerDown>,
    /// Decisions on stories that are just being put down at their gate.
    pub(crate) later: Vec<Decision>,
    /// What was handed in with the command and has not begun yet.
    pub(crate) handed_in: VecDeque<Assignment>,
    /// Runs of stories that this program is deleting.
    pub(crate) deleting: HashSet<RunKey>,
    /// Which file the database is, on this system.
    pub(crate) file: Option<around::FileId>,
}

impl Backroom {
    /// A back room. `rung` is the [`Listener`]'s.
    #[must_use]
    pub fn new(
        tools: Tools,
        requests: mpsc::UnboundedReceiver<Order>,
        news: mpsc::UnboundedSender<News>,
        rung: Arc<Notify>,
        backlog: Backlog,
    ) -> Self {
        let work = Work::new(Arc::clone(&tools.desk), tools.stories_at_once);
        let file = around::file_id(&tools.database);
        Self {
            tools: Arc::new(tools),
            news,
            requests,
            rung,
            backlog,
            work,
            errands: Errands::default(),
            keeping: Keeping::default(),
            searching: Searching::default(),
            to_shelve: Arc::default(),
            last: None,
            letters: Vec::new(),
            open: None,
            witnesses: None,
            elsewhere: HashSet::new(),
            queued: HashSet::new(),
            down: Vec::new(),
            later: Vec::new(),
            handed_in: VecDeque::new(),
            deleting: HashSet::new(),
            file,
        }
    }

    /// Works until the screen has gone. Stories that are at work then stop where they are; what is committed is safe. A file that
    /// is being written is finished, and what was typed last is kept.
    pub async fn run(mut self) {
        let mut look = tokio::time::interval(LOOK);
        look.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut around = tokio::time::interval(LOOK_AROUND);
        around.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let (read, mut is_read) = oneshot::channel();
        let (librarian, again) = (Arc::clone(&self.tools.librarian), Arc::clone(&self.to_shelve));
        let shelving = tokio::spawn(shelving::keep(librarian, self.news.clone(), again, read));
        loop {
            tokio::select! {
                order = self.requests.recv() => match order {
                    Some(order) => self.handle(order).await,
                    None => break,
                },
                Some(errand) = self.errands.next() => self.come_back(errand).await,
                () = self.keeping.due() => self.keep_now().await,
                () = self.searching.due() => self.search_now(),
                // Whatever came of it: without a knowledge base stories go on, too.
                _ = &mut is_read, if self.work.is_held() => {
                    self.work.let_go();
                    self.tell_hands();
                }
                // One at a time: the screen is served between two of them.
                () = std::future::ready(()), if !self.handed_in.is_empty() => self.begin_next().await,
                Some(told) = self.work.told() => self.tell_worked(told).await,
                () = self.rung.notified() => self.look().await,
                _ = look.tick() => self.look().await,
                _ = around.tick() => self.look_around().await,
            }
        }
        // It goes on the next time.
        shelving.abort();
        // Where the database does not take it in time, other programs find the stories free all the same.
        let _ = tokio::time::timeout(LEAVING, self.work.end()).await;
        self.keep_now().await;
        while self.errands.next().await.is_some() {}
    }

    async fn handle(&mut self, Order { ticket, request }: Order) {
        let reply = Reply::new(&self.news, ticket);
        if let Some(message) = self.missing().filter(|_| changes(&request)) {
            return reply.end(Err(message));
        }
        let result = match request {
            Request::ReadDesk => self.read_desk().await,
            Request::Open(key) => self.open(key, ticket).await,
            Request::Watch { run, seq } => self.watch(run, seq).await,
            Request::CloseStory => {
                self.open = None;
                Ok(())
            }
            Request::ReadLog(run) => self.read_log(run).await,
            Request::ReadRuns(story) => self.read_runs(story).await,
            Request::ReadCalls(run) => self.read_calls(run).await,
            Request::ReadCall { run, step, attempt } => self.read_call(run, step, attempt).await,
            Request::ReadMemory => self.read_memory().await,
            Request::ReadRecord(hash) => self.read_record(hash).await,
            Request::StrikeRecord { cache_key_hash, reason } => self.strike_record(cache_key_hash, reason).await,
            Request::RestoreRecord(hash) => self.restore_record(hash).await,
            Request::ReadLetter(letter) => self.read_letter(&letter).await,
            Request::RetryLetter(letter) => self.retry_letter(&letter).await,
            Request::DropLetter { letter, reason } => self.drop_letter(&letter, &reason).await,
            Request::Search(inquiry) => {
                self.searching.want(inquiry);
                Ok(())
            }
            Request::ReadAround(wanted) => {
                self.read_around(wanted);
                Ok(())
            }
            Request::ReadStock => self.read_stock().await,
            Request::GoOn(story) => self.go_on(&story).await,
            Request::Fork { run, story, at, known } => {
                let forked = self.tools.desk.fork(run, &story, at, Gates::Editor, known).await;
                self.take_up(story, forked, ticket).await
            }
            Request::Reopen { run, story } => {
                let forked = self.tools.desk.reopen(run, &story).await;
                self.take_up(story, forked, ticket).await
            }
            Request::LetStand { run, story, reason } => self.let_stand(run, &story, &reason).await,
            Request::Pause { story, paused } => self.pause(&story, paused).await,
            Request::Stop(story) => self.stop(&story).await,
            Request::Priority { story, priority } => self.set_priority(&story, priority).await,
            Request::Keep { run, what, text } => {
                self.keep(run, what, text).await;
                Ok(())
            }
            Request::Forget { run, what } => self.forget(run, &what).await,
            Request::ReadKept { run, what } => self.read_kept(run, what).await,
            Request::LayCall { laid, call } => {
                self.lay_call(laid, call);
                Ok(())
            }
            Request::Compare { key, journal, pair } => {
                self.compare(key, journal, pair);
                Ok(())
            }
            Request::FindExcerpts { key, journal, round } => {
                self.find_excerpts(key, journal, round);
                Ok(())
            }
            Request::FindPassage { key, journal, round, concern } => {
                self.find_passage(key, journal, round, concern);
                Ok(())
            }
            Request::Prove { key, journal, round } => {
                self.prove(key, journal, round);
                Ok(())
            }
            // These end later, and tell of it themselves.
            Request::Decide { run, story, choice, seen, forget } => {
                return self.decide(Decision { run, story, choice, seen, forget, reply }).await;
            }
            Request::Begin(beginning) => return self.begin(beginning, ticket, reply),
            Request::Write { path, text } => return self.write(path, text, reply),
            Request::Delete(story) => return self.delete(story, reply).await,
            Request::BackUp(path) => return self.back_up(path, reply),
        };
        reply.end(result);
    }

    /// Tells the screen. Where it has gone there is nobody to tell.
    pub(crate) fn say(&self, news: News) {
        let _ = self.news.send(news);
    }

    pub(crate) fn now(&self) -> String {
        format!("{:.3}", self.tools.clock.now())
    }
}

/// Whether a request leaves something behind that is to be found again.
fn changes(request: &Request) -> bool {
    match request {
        Request::Begin(_)
        | Request::GoOn(_)
        | Request::Decide { .. }
        | Request::Fork { .. }
        | Request::Reopen { .. }
        | Request::LetStand { .. }
        | Request::Pause { .. }
        | Request::Priority { .. }
        | Request::Forget { .. }
        | Request::StrikeRecord { .. }
        | Request::RestoreRecord(_)
        | Request::RetryLetter(_)
        | Request::DropLetter { .. }
        | Request::Delete(_) => true,
        Request::ReadDesk
        | Request::Open(_)
        | Request::Watch { .. }
        // Is tried again until the database is there.
        | Request::Keep { .. }
        | Request::CloseStory
        | Request::ReadLog(_)
        | Request::ReadRuns(_)
        | Request::ReadCalls(_)
        | Request::ReadCall { .. }
        | Request::ReadMemory
        | Request::ReadRecord(_)
        | Request::ReadLetter(_)
        | Request::Search(_)
        | Request::ReadAround(_)
        | Request::ReadStock
        | Request::Stop(_)
        | Request::ReadKept { .. }
        | Request::Write { .. }
        | Request::BackUp(_)
        | Request::LayCall { .. }
        | Request::Compare { .. }
        | Request::FindExcerpts { .. }
        | Request::FindPassage { .. }
        | Request::Prove { .. } => false,
    }
}
