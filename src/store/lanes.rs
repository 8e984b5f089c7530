//! An open database: one thread that writes, one that reads, each with a connection of its own.

use std::{
    any::Any,
    path::{Path, PathBuf},
    sync::{Arc, mpsc},
    thread,
};

use tokio::sync::oneshot;

use super::{
    database::{Database, DbFault},
    presence::Presence,
};
use crate::ports::StoreError;

/// Most jobs that one transaction takes.
const GROUP: usize = 64;

/// An open database.
#[derive(Clone)]
pub struct Store {
    writer: Arc<Lane>,
    reader: Arc<Lane>,
    file: PathBuf,
    /// Whether callers wait without giving their thread up.
    in_step: bool,
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
        let writer = Database::open(file)?;
        let reader = Database::open_for_reading(file)?;
        Ok(Self {
            writer: Arc::new(Lane::writing(writer)?),
            reader: Arc::new(Lane::reading(reader)?),
            file: file.to_owned(),
            in_step: false,
            presence: Arc::new(presence),
        })
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
        Ok(Self {
            writer: Arc::new(Lane::writing(writer)?),
            reader: Arc::new(Lane::reading(reader)?),
            file: file.to_owned(),
            in_step: false,
            presence: Arc::new(Presence::nobodys()),
        })
    }

    /// The same database for callers that wait without giving their thread up: in a simulation nothing else may happen meanwhile, so that
    /// it can be played again.
    #[must_use]
    pub fn in_step(self) -> Self {
        Self { in_step: true, ..self }
    }

    /// The database's file.
    pub(super) fn file(&self) -> &Path {
        &self.file
    }

    /// Runs `work` inside the writer's next transaction.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Database) -> Result<T, DbFault> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.writer.run(self.in_step, work).await
    }

    /// Runs `work` on the reader, in a transaction that only reads.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Database) -> Result<T, DbFault> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.reader.run(self.in_step, work).await
    }

    /// Runs `work` on a new connection, so that neither thread waits for it.
    pub(super) async fn upkeep<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Database) -> Result<T, DbFault> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (file, presence) = (self.file.clone(), Arc::clone(&self.presence));
        let work = move || {
            let db = if on_read_only(&file) {
                Database::open_on_read_only(&file)?
            } else {
                Database::open_for_upkeep(&file)?
            };
            let done = work(&db).map_err(|fault| db.explain(fault));
            db.keep_head();
            drop((db, presence));
            done
        };
        tokio::task::spawn_blocking(work)
            .await
            .map_err(|error| StoreError::Failed { file: self.file.display().to_string(), detail: error.to_string() })?
    }
}

/// Whether a file is on a disk that nobody can write to.
#[cfg(unix)]
fn on_read_only(file: &Path) -> bool {
    use rustix::{fs::Access, io::Errno};
    rustix::fs::access(file, Access::WRITE_OK) == Err(Errno::ROFS)
}

#[cfg(not(unix))]
fn on_read_only(_: &Path) -> bool {
    false
}

/// What a piece of work returns.
type Answer = Box<dyn Any + Send>;
/// A piece of work, whatever it returns.
type Work = Box<dyn FnOnce(&Database) -> Result<Answer, DbFault> + Send>;
/// How a job's caller is told, once the transaction's fate is known.
type Tell = Box<dyn FnOnce(Result<(), StoreError>) + Send>;
/// A job does its work, or hears why it cannot; it leaves whether it succeeded and how to tell its caller.
type Job = Box<dyn FnOnce(Result<&Database, StoreError>) -> (bool, Tell) + Send>;

/// A thread with a connection, and the way to it.
struct Lane {
    jobs: Option<mpsc::Sender<Job>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Lane {
    /// A lane whose jobs run in transactions; jobs that wait share one.
    fn writing(db: Database) -> Result<Self, StoreError> {
        Self::start(db, "copydesk-writer", |db, jobs| {
            while let Ok(first) = jobs.recv() {
                let mut group = vec![first];
                while group.len() < GROUP
                    && let Ok(next) = jobs.try_recv()
                {
                    group.push(next);
                }
                transaction(db, group);
            }
        })
    }

    /// A lane whose jobs only read, each in a transaction of its own: its statements all see one state, and it takes the file's locks
    /// once.
    fn reading(db: Database) -> Result<Self, StoreError> {
        Self::start(db, "copydesk-reader", |db, jobs| {
            while let Ok(job) = jobs.recv() {
                let began = run(db, "BEGIN");
                let (_, tell) = job(began.clone().map(|()| db));
                let ended = began.and_then(|()| run(db, "COMMIT"));
                tell(ended);
            }
        })
    }

    fn start(
        db: Database,
        name: &str,
        work: impl FnOnce(&Database, &mpsc::Receiver<Job>) + Send + 'static,
    ) -> Result<Self, StoreError> {
        let (jobs, waiting) = mpsc::channel();
        let thread = thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || work(&db, &waiting))
            .map_err(|error| StoreError::Failed { file: name.to_owned(), detail: error.to_string() })?;
        Ok(Self { jobs: Some(jobs), thread: Some(thread) })
    }

    /// Runs `work` on the lane's thread and waits without blocking. What a writing lane returns is committed.
    ///
    /// Everything but the two short steps here is built once, not for each of the kinds of work that there are.
    async fn run<T: Send + 'static>(
        &self,
        in_step: bool,
        work: impl FnOnce(&Database) -> Result<T, DbFault> + Send + 'static,
    ) -> Result<T, StoreError> {
        let work = Box::new(move |db: &Database| work(db).map(|value| Box::new(value) as Answer));
        let answer = self.answer(in_step, work).await?;
        answer.downcast().map(|value| *value).map_err(|_| ended())
    }

    async fn answer(&self, in_step: bool, work: Work) -> Result<Answer, StoreError> {
        let (tell, told) = oneshot::channel();
        let job: Job = Box::new(move |db| {
            let result = db.and_then(|db| work(db).map_err(|fault| db.explain(fault)));
            let succeeded = result.is_ok();
            let tell: Tell = Box::new(move |fate| {
                // The caller may have been dropped; what was committed stays committed.
                let _ = tell.send(result.and_then(|value| fate.map(|()| value)));
            });
            (succeeded, tell)
        });
        self.jobs.as_ref().ok_or_else(ended)?.send(job).map_err(|_| ended())?;
        while in_step && told.is_empty() && !told.is_terminated() {
            thread::yield_now();
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
        self.jobs.take();
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has been reported to its callers as "the database thread has ended".
            let _ = thread.join();
        }
    }
}

/// One transaction over `group`. A job that fails is undone alone; the others stay.
fn transaction(db: &Database, group: Vec<Job>) {
    // A single job needs no savepoint: to undo it is to undo the transaction.
    let alone = group.len() == 1;
    let mut fate = run(db, "BEGIN IMMEDIATE");
    let began = fate.is_ok();
    let mut undone = false;
    let mut replies = Vec::with_capacity(group.len());
    for job in group {
        if fate.is_ok() && !alone {
            fate = run(db, "SAVEPOINT job");
        }
        let (succeeded, tell) = job(fate.clone().map(|()| db));
        if alone {
            undone = !succeeded;
        } else if fate.is_ok() {
            if !succeeded {
                fate = run(db, "ROLLBACK TO job");
            }
            fate = fate.and_then(|()| run(db, "RELEASE job"));
        }
        replies.push(tell);
    }
    if fate.is_ok() && !undone {
        fate = run(db, "COMMIT");
    }
    if fate.is_ok() && !undone {
        db.keep_head();
    }
    if began && (undone || fate.is_err()) {
        // After a full disk SQLite has rolled back by itself and says so here; either way nothing was kept.
        let _ = run(db, "ROLLBACK");
    }
    for tell in replies {
        tell(fate.clone());
    }
}

fn run(db: &Database, sql: &str) -> Result<(), StoreError> {
    db.write(sql, []).map_err(|fault| db.explain(fault))
}
