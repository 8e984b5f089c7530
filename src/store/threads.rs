//! The two threads that own a connection each.

use std::{sync::mpsc, thread};

use tokio::sync::oneshot;

use super::session::Session;
use crate::ports::StoreError;

/// Most jobs that one transaction takes.
const GROUP: usize = 64;

/// How a job's caller is told, once the transaction's fate is known.
type Tell = Box<dyn FnOnce(Result<(), StoreError>) + Send>;
/// A job does its work, or hears why it cannot; it leaves whether it succeeded and how to tell its caller.
type Job = Box<dyn FnOnce(Result<&Session, StoreError>) -> (bool, Tell) + Send>;

/// A thread with a connection, and the way to it.
pub(super) struct Lane {
    jobs: Option<mpsc::Sender<Job>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Lane {
    /// A lane whose jobs run in transactions; jobs that wait share one.
    pub(super) fn writing(session: Session) -> Result<Self, StoreError> {
        Self::start(session, "copydesk-writer", |session, jobs| {
            while let Ok(first) = jobs.recv() {
                let mut group = vec![first];
                while group.len() < GROUP
                    && let Ok(next) = jobs.try_recv()
                {
                    group.push(next);
                }
                transaction(session, group);
            }
        })
    }

    /// A lane whose jobs only read, each in a transaction of its own: all its statements see one state, and the file's locks are taken
    /// once.
    pub(super) fn reading(session: Session) -> Result<Self, StoreError> {
        Self::start(session, "copydesk-reader", |session, jobs| {
            while let Ok(job) = jobs.recv() {
                let began = run(session, "BEGIN");
                let (_, tell) = job(began.clone().map(|()| session));
                let ended = began.and_then(|()| run(session, "COMMIT"));
                tell(ended);
            }
        })
    }

    fn start(
        session: Session,
        name: &str,
        work: impl FnOnce(&Session, &mpsc::Receiver<Job>) + Send + 'static,
    ) -> Result<Self, StoreError> {
        let (jobs, waiting) = mpsc::channel();
        let thread = thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || work(&session, &waiting))
            .map_err(|error| StoreError::Failed { file: name.to_owned(), detail: error.to_string() })?;
        Ok(Self { jobs: Some(jobs), thread: Some(thread) })
    }

    /// Runs `work` on the lane's thread and waits without blocking. What a writing lane returns is committed.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Session) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let gone = || StoreError::Failed { file: "copydesk".into(), detail: "the database thread has ended".into() };
        let (tell, told) = oneshot::channel();
        let job: Job = Box::new(move |session| {
            let result = session.and_then(work);
            let succeeded = result.is_ok();
            let tell: Tell = Box::new(move |fate| {
                // The caller may have been dropped; what was committed stays committed.
                let _ = tell.send(result.and_then(|value| fate.map(|()| value)));
            });
            (succeeded, tell)
        });
        self.jobs.as_ref().ok_or_else(gone)?.send(job).map_err(|_| gone())?;
        told.await.map_err(|_| gone())?
    }
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
fn transaction(session: &Session, group: Vec<Job>) {
    // What is alone in its transaction is undone with it.
    let alone = group.len() == 1;
    let mut fate = run(session, "BEGIN IMMEDIATE");
    let began = fate.is_ok();
    let mut undone = false;
    let mut replies = Vec::with_capacity(group.len());
    for job in group {
        if fate.is_ok() && !alone {
            fate = run(session, "SAVEPOINT job");
        }
        let (succeeded, tell) = job(fate.clone().map(|()| session));
        if alone {
            undone = !succeeded;
        } else if fate.is_ok() {
            if !succeeded {
                fate = run(session, "ROLLBACK TO job");
            }
            fate = fate.and_then(|()| run(session, "RELEASE job"));
        }
        replies.push(tell);
    }
    if fate.is_ok() && !undone {
        fate = run(session, "COMMIT");
    }
    if began && (undone || fate.is_err()) {
        // After a full disk SQLite has rolled back by itself and says so here; either way nothing was kept.
        let _ = run(session, "ROLLBACK");
    }
    for tell in replies {
        tell(fate.clone());
    }
}

fn run(session: &Session, sql: &str) -> Result<(), StoreError> {
    session.sql(|connection| connection.prepare_cached(sql)?.execute([]).map(drop))
}
