//! An open database: one thread that writes, one that reads, each with a connection of its own.

use std::{
    any::Any,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
    time::{Duration, Instant},
};

use tokio::sync::oneshot;

use super::{
    database::Database, fault::DbFault, head::HeadFile, pending_requests::PendingRequests, presence::Presence,
    request_rows,
};
#[cfg(feature = "postgres")]
use super::{
    engine::{address::ServerAddress, aside::wait_aside, making},
    shared_desk::{ServerDesk, ServerFacts, facts},
};
use copydesk_core::ports::{InStep, SharedDesk, StoreError, aside};

/// Most jobs that one transaction takes.
const GROUP: usize = 64;

/// How long work that only reads is begun anew while a server goes away again and again.
const AWAY: Duration = Duration::from_secs(30);

/// An open database.
#[derive(Clone)]
pub struct Store {
    writer: Arc<Lane>,
    reader: Arc<Lane>,
    place: Place,
    /// The calls that the writer's next commit adds to the ledger.
    pub(super) requests: Arc<PendingRequests>,
    // Dropped last: the connections are closed before others may replace the file.
    presence: Arc<Presence>,
}

impl Store {
    /// Opens the database `file` and brings its schema up to date. Creates the file and its folder if they do not exist. Blocks
    /// until that is done.
    ///
    /// # Errors
    /// [`StoreError`] if the file cannot be opened, is no database of ours, or is of a newer version.
    pub fn open(file: &Path) -> Result<Self, StoreError> {
        let presence = Presence::shared(file)?;
        Self::over(presence, Database::open(file)?, Database::open_for_reading(file)?, Place::File(file.to_owned()))
    }

    /// Opens the desk at `url`, `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, and makes its tables if there are none. Blocks until that
    /// is done.
    ///
    /// # Errors
    /// [`StoreError`] if the server cannot be reached, refuses the user, or lacks an extension.
    #[cfg(feature = "postgres")]
    pub fn connect(url: &str) -> Result<Self, StoreError> {
        let address = Arc::new(ServerAddress::parse(url)?);
        // The caller may be a runtime's thread.
        let opened = wait_aside(|| Ok::<_, StoreError>((making::open(&address)?, making::open(&address)?)));
        let (writer, reader) = opened?;
        let shared = Arc::new(ServerDesk::new(Arc::clone(&address)));
        Self::over(Presence::nobodys(), writer, reader, Place::Server { address, shared })
    }

    /// Opens a database to look into it. On a disk that cannot be written to, such as a DVD, nothing can be changed then.
    ///
    /// # Errors
    /// As [`Store::open`]; [`StoreError::ReadOnly`] if such a disk has a database that must first be changed.
    pub fn open_to_look(file: &Path) -> Result<Self, StoreError> {
        if !on_read_only(file) {
            return Self::open(file);
        }
        let (writer, reader) = (Database::open_on_read_only(file)?, Database::open_on_read_only(file)?);
        Self::over(Presence::nobodys(), writer, reader, Place::File(file.to_owned()))
    }

    fn over(presence: Presence, writer: Database, reader: Database, place: Place) -> Result<Self, StoreError> {
        Ok(Self {
            requests: Arc::clone(&writer.requests),
            writer: Arc::new(Lane::writing(writer)?),
            reader: Arc::new(Lane::reading(reader)?),
            place,
            presence: Arc::new(presence),
        })
    }

    /// The file that holds the end of the audit log. A server has none: its rights keep the log.
    #[cfg_attr(not(feature = "postgres"), expect(clippy::unnecessary_wraps, reason = "a desk on a server has none"))]
    pub(super) fn head(&self) -> Option<HeadFile> {
        match &self.place {
            Place::File(file) => Some(HeadFile::of(file)),
            #[cfg(feature = "postgres")]
            Place::Server { .. } => None,
        }
    }

    /// The desk as programs of other machines share it; none if it is in a file.
    pub fn shared(&self) -> Option<Arc<dyn SharedDesk>> {
        match &self.place {
            Place::File(_) => None,
            #[cfg(feature = "postgres")]
            Place::Server { shared, .. } => Some(Arc::clone(shared) as Arc<dyn SharedDesk>),
        }
    }

    /// Facts about the desk's server for an administrator; none if the desk is in a file.
    ///
    /// # Errors
    /// As the server.
    #[cfg(feature = "postgres")]
    pub async fn server(&self) -> Result<Option<ServerFacts>, StoreError> {
        match &self.place {
            Place::File(_) => Ok(None),
            Place::Server { .. } => self.read(facts).await.map(Some),
        }
    }

    /// Runs `work` inside the writer's next transaction: in another one, if its server goes away before it has kept the first.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Database) -> Result<T, DbFault> + Clone + Send + 'static,
    ) -> Result<T, StoreError> {
        let began = Instant::now();
        let on_server = !matches!(self.place, Place::File(_));
        let mut next = Some(work);
        loop {
            let mut work = next.take();
            next = if on_server { work.clone() } else { None };
            match self.writer.run(Again::Never, move |db| work.take().ok_or_else(ended)?(db)).await {
                Err(StoreError::Away { .. }) if next.is_some() && began.elapsed() < AWAY => {}
                result => return result,
            }
        }
    }

    /// Runs `work` on the reader, in a transaction that only reads: in another one, if its server goes away meanwhile.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        work: impl FnMut(&Database) -> Result<T, DbFault> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.reader.run(Again::IfAway, work).await
    }

    /// Runs `work` on a new connection, so that neither thread waits for it.
    pub(super) async fn upkeep<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Database) -> Result<T, DbFault> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (place, presence) = (self.place.clone(), Arc::clone(&self.presence));
        let work = move || {
            let db = match &place {
                Place::File(file) if on_read_only(file) => Database::open_on_read_only(file)?,
                Place::File(file) => Database::open_for_upkeep(file)?,
                #[cfg(feature = "postgres")]
                Place::Server { address, .. } => making::open(address)?,
            };
            let done = work(&db).map_err(|fault| db.explain(fault));
            db.keep_head();
            drop((db, presence));
            done
        };
        aside(work).await.map_err(|error| StoreError::Failed { file: "copydesk".into(), detail: error.to_string() })?
    }
}

/// Where the desk is kept.
#[derive(Clone)]
enum Place {
    File(PathBuf),
    #[cfg(feature = "postgres")]
    Server {
        address: Arc<ServerAddress>,
        shared: Arc<ServerDesk>,
    },
}

/// Whether a file is on a disk that is mounted read-only.
#[cfg(unix)]
fn on_read_only(file: &Path) -> bool {
    use rustix::{fs::Access, io::Errno};
    rustix::fs::access(file, Access::WRITE_OK) == Err(Errno::ROFS)
}

#[cfg(not(unix))]
fn on_read_only(_: &Path) -> bool {
    false
}

/// The result of a piece of work.
type Answer = Box<dyn Any + Send>;
/// A piece of work, whatever it returns.
type Work = Box<dyn FnMut(&Database) -> Result<Answer, DbFault> + Send>;
/// How a job's caller is told, once the transaction's fate is known.
type Tell = Box<dyn FnOnce(Result<(), StoreError>) + Send>;
/// A job does its work, or hears why it cannot; it leaves whether it succeeded and how to tell its caller.
type Job = Box<dyn FnOnce(Result<&Database, StoreError>) -> (bool, Tell) + Send>;

/// Whether work begins anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Again {
    Never,
    /// If the server went away: of work that only reads.
    IfAway,
}

/// Runs the jobs that wait together.
type Doing = fn(&Database, Vec<Job>);

/// A connection, and the way to it.
enum Lane {
    /// On a thread of its own.
    Thread { jobs: Option<mpsc::Sender<Job>>, thread: Option<thread::JoinHandle<()>> },
    /// On the thread of whoever has a job.
    InStep { db: Box<Mutex<Database>>, doing: Doing },
}

impl Lane {
    /// A lane whose jobs run in transactions; jobs that wait share one.
    fn writing(db: Database) -> Result<Self, StoreError> {
        Self::start(db, "copydesk-writer", transaction)
    }

    /// A lane whose jobs only read, each in a transaction of its own: its statements all see one state, and it takes the file's locks
    /// once.
    fn reading(db: Database) -> Result<Self, StoreError> {
        Self::start(db, "copydesk-reader", |db, jobs| {
            for job in jobs {
                let began = db.begin_to_read();
                let (_, tell) = job(began.clone().map(|()| db));
                tell(match began.and_then(|()| db.transact("COMMIT")) {
                    // It has read everything by then.
                    Err(StoreError::Away { .. }) => Ok(()),
                    ended => ended,
                });
            }
        })
    }

    fn start(db: Database, name: &str, doing: Doing) -> Result<Self, StoreError> {
        if InStep::holds() {
            return Ok(Self::InStep { db: Box::new(Mutex::new(db)), doing });
        }
        let (jobs, waiting) = mpsc::channel::<Job>();
        let work = move || {
            while let Ok(first) = waiting.recv() {
                let mut group = vec![first];
                while group.len() < GROUP
                    && let Ok(next) = waiting.try_recv()
                {
                    group.push(next);
                }
                doing(&db, group);
            }
            // Commits the requests that were noted since the last commit.
            if db.requests.waits() {
                doing(&db, Vec::new());
            }
        };
        let thread = thread::Builder::new()
            .name(name.to_owned())
            .spawn(work)
            .map_err(|error| StoreError::Failed { file: name.to_owned(), detail: error.to_string() })?;
        Ok(Self::Thread { jobs: Some(jobs), thread: Some(thread) })
    }

    /// Runs `work` on the lane's thread and waits without blocking. A writing lane commits before it returns the result.
    ///
    /// Everything but the two short steps here is compiled once, not once for each kind of work.
    async fn run<T: Send + 'static>(
        &self,
        again: Again,
        mut work: impl FnMut(&Database) -> Result<T, DbFault> + Send + 'static,
    ) -> Result<T, StoreError> {
        let work = Box::new(move |db: &Database| work(db).map(|value| Box::new(value) as Answer));
        let answer = self.answer(again, work).await?;
        answer.downcast().map(|value| *value).map_err(|_| ended())
    }

    async fn answer(&self, again: Again, mut work: Work) -> Result<Answer, StoreError> {
        let (tell, told) = oneshot::channel();
        let job: Job = Box::new(move |db| {
            let began = Instant::now();
            let result = db.and_then(|db| {
                loop {
                    match work(db).map_err(|fault| db.explain(fault)) {
                        Err(StoreError::Away { .. }) if again == Again::IfAway && began.elapsed() < AWAY => {
                            db.begin_to_read()?;
                        }
                        result => return result,
                    }
                }
            });
            let succeeded = result.is_ok();
            let tell: Tell = Box::new(move |fate| {
                // The caller may have been dropped; the commit stays.
                let _ = tell.send(result.and_then(|value| fate.map(|()| value)));
            });
            (succeeded, tell)
        });
        match self {
            Self::Thread { jobs, .. } => jobs.as_ref().ok_or_else(ended)?.send(job).map_err(|_| ended())?,
            Self::InStep { db, doing } => doing(&db.lock().unwrap_or_else(PoisonError::into_inner), vec![job]),
        }
        told.await.map_err(|_| ended())?
    }
}

fn ended() -> StoreError {
    StoreError::Failed { file: "copydesk".into(), detail: "the database thread has ended".into() }
}

impl Drop for Lane {
    /// Ends the thread after its last job, so that nothing accepted is lost.
    fn drop(&mut self) {
        let (jobs, thread) = match self {
            Self::Thread { jobs, thread } => (jobs, thread),
            Self::InStep { db, doing } => {
                let db = db.get_mut().unwrap_or_else(PoisonError::into_inner);
                if db.requests.waits() {
                    doing(db, Vec::new());
                }
                return;
            }
        };
        jobs.take();
        if let Some(thread) = thread.take() {
            // A panic of the thread has been reported to its callers as "the database thread has ended".
            let _ = thread.join();
        }
    }
}

/// One transaction over `group`. A job that fails is undone alone; the others stay.
fn transaction(db: &Database, group: Vec<Job>) {
    // A single job needs no savepoint: to undo it is to undo the transaction.
    let alone = group.len() == 1;
    let mut fate = db.begin_to_write();
    let began = fate.is_ok();
    // Of several jobs, none begins before the desk is theirs. A single one hears of it with its first answer.
    if !alone {
        fate = fate.and_then(|()| db.settle());
    }
    if fate.is_ok() && db.requests.waits() {
        db.rehearse(|db| _ = db.with_ends(|_| ()));
    }
    let mut undone = false;
    let mut replies = Vec::with_capacity(group.len());
    for job in group {
        if fate.is_ok() && !alone {
            fate = db.transact("SAVEPOINT job");
        }
        let (succeeded, tell) = job(fate.clone().map(|()| db));
        let mut written = Ok(());
        if alone {
            undone = !succeeded;
        } else if fate.is_ok() {
            written = if succeeded { db.settle() } else { Ok(()) };
            if !succeeded || written.is_err() {
                fate = db.transact("ROLLBACK TO job");
            }
            fate = fate.and_then(|()| db.transact("RELEASE job"));
        }
        replies.push((tell, written));
    }
    let mut noted = Vec::new();
    if fate.is_ok() && !undone {
        match request_rows::write_over(db) {
            Ok(written) => noted = written,
            Err(fault) => fate = Err(db.explain(fault)),
        }
        if !alone || !noted.is_empty() {
            db.unsynced.set(false);
        }
        if !alone {
            db.unheard.set(false);
        }
        fate = fate.and_then(|()| db.commit());
    }
    if fate.is_ok() && !undone {
        db.keep_head();
        db.requests.forget(&noted);
    }
    if began && (undone || fate.is_err()) {
        // After a full disk SQLite has rolled back by itself and says so here; either way nothing was kept.
        let _ = db.transact("ROLLBACK");
    }
    for (tell, written) in replies {
        tell(written.and(fate.clone()));
    }
}
