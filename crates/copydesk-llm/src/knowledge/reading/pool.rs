//! The processes that read for this one. A few are started when the first file needs one, and each serves many files.
//!
//! One may die: then its file is told, and the next file gets another. This process never reads in its stead.

use std::{
    io,
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc},
    thread,
    time::Duration,
};

use super::{
    job::{Confinement, Done, Job, ReaderFault},
    wire,
};
use copydesk_documents::Unreadable;

/// How long a document may take. The largest that is accepted takes some seconds.
const PATIENCE: Duration = Duration::from_mins(1);

/// Most bytes of a reader's first message.
const MOST_GREETING: usize = 64 << 10;

/// The most readers at once.
const MOST: usize = 4;

/// How long a reader may take to start.
const START: Duration = Duration::from_secs(20);

/// Whether the configuration allows a reader that the system cannot confine.
pub type Exception = fn() -> bool;

/// Reads in processes of their own.
pub struct ReaderPool {
    program: fn() -> Command,
    exception: Exception,
    idle: Mutex<Vec<Reader>>,
    /// How many more may be at work.
    room: Mutex<usize>,
    freed: Condvar,
}

impl ReaderPool {
    /// Readers that `program` starts. `exception` says whether one that is not confined may read all the same.
    pub fn new(program: fn() -> Command, exception: Exception) -> Self {
        let most = thread::available_parallelism().map_or(1, std::num::NonZero::get).min(MOST);
        Self { program, exception, idle: Mutex::default(), room: Mutex::new(most), freed: Condvar::new() }
    }

    /// Has a job done. Blocks, for a minute at most once a reader is free.
    pub(super) fn done(&self, job: &Job, bytes: &[u8]) -> Result<Done, ReaderFault> {
        let _place = Place::taken(self);
        if let Some(mut used) = self.idle() {
            match used.done(job, bytes) {
                // An earlier file may have left the reader little room, so a fresh reader tries again.
                Err(ReaderFault::Died | ReaderFault::Ended) => {}
                done => {
                    used.rest(self);
                    return done;
                }
            }
        }
        let mut fresh = self.started()?;
        let done = fresh.done(job, bytes);
        fresh.rest(self);
        done
    }

    fn idle(&self) -> Option<Reader> {
        locked(&self.idle).pop()
    }

    fn started(&self) -> Result<Reader, ReaderFault> {
        let refused = |error: io::Error| {
            ReaderFault::NoReader(format!(
                "the process that reads files cannot start ({error}), so it was not read. `copydesk doctor` says more"
            ))
        };
        let reader = Reader::start((self.program)()).map_err(refused)?;
        if reader.confinement.whole || (self.exception)() {
            return Ok(reader);
        }
        Err(ReaderFault::NoReader(format!(
            "the process that reads files cannot be confined on this system ({} missing), so it was not read. \
             `reading.without_sandbox: true` in the configuration allows it",
            reader.confinement.missing.join(", ")
        )))
    }

    /// The confinement of the readers.
    pub(super) fn confinement(&self) -> Result<Confinement, ReaderFault> {
        let _place = Place::taken(self);
        let reader = self.idle().map_or_else(|| self.started(), Ok)?;
        let confinement = reader.confinement.clone();
        reader.rest(self);
        Ok(confinement)
    }
}

/// The right to have one reader at work.
struct Place<'a>(&'a ReaderPool);

impl<'a> Place<'a> {
    fn taken(pool: &'a ReaderPool) -> Self {
        let mut room =
            pool.freed.wait_while(locked(&pool.room), |room| *room == 0).unwrap_or_else(PoisonError::into_inner);
        *room -= 1;
        Self(pool)
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        *locked(&self.0.room) += 1;
        self.0.freed.notify_one();
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

type Answer = io::Result<Option<Result<Done, Unreadable>>>;

/// A process that reads.
struct Reader {
    child: Child,
    asked: ChildStdin,
    answers: mpsc::Receiver<Answer>,
    confinement: Confinement,
    /// Whether it can be given another file.
    sound: bool,
}

impl Reader {
    fn start(mut program: Command) -> io::Result<Self> {
        // It gets nothing of what this process knows. One arena keeps the C library's allocator within the limit of memory.
        program.env_clear().env("MALLOC_ARENA_MAX", "1").current_dir("/");
        program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // Ctrl-C is for this process, which then ends its readers by closing their pipes.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut program, 0);
        let mut child = program.spawn()?;
        let (Some(asked), Some(mut said)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let (hello, hear_hello) = mpsc::channel();
        let (tell, answers) = mpsc::channel();
        thread::Builder::new().name("readers' answers".into()).spawn(move || {
            // A receiver that has gone wants no more answers.
            let greeted = wire::take(&mut said, MOST_GREETING);
            if hello.send(greeted).is_err() {
                return;
            }
            loop {
                let answer = wire::take_answer(&mut said);
                let more = matches!(answer, Ok(Some(_)));
                if tell.send(answer).is_err() || !more {
                    return;
                }
            }
        })?;
        let greeted = hear_hello.recv_timeout(START);
        let mut reader = Self { child, asked, answers, confinement: Confinement::default(), sound: true };
        match greeted {
            Ok(Ok(Some((confinement, _)))) => {
                reader.confinement = confinement;
                Ok(reader)
            }
            Ok(Ok(None)) => Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(Err(error)) => Err(error),
            Err(_) => Err(io::ErrorKind::TimedOut.into()),
        }
    }

    fn done(&mut self, job: &Job, bytes: &[u8]) -> Result<Done, ReaderFault> {
        // If it has died, there is no answer either.
        let _ = wire::put(&mut self.asked, job, bytes);
        match self.answers.recv_timeout(PATIENCE) {
            Ok(Ok(Some(done))) => Ok(done?),
            Err(mpsc::RecvTimeoutError::Timeout) => {
                self.sound = false;
                Err(ReaderFault::Slow)
            }
            Ok(Err(error)) if error.kind() != io::ErrorKind::UnexpectedEof => {
                // It says what no reader of ours says.
                self.sound = false;
                Err(ReaderFault::Died)
            }
            Ok(_) | Err(mpsc::RecvTimeoutError::Disconnected) => {
                self.sound = false;
                // It has closed its pipe, so that it ends, if it has not already.
                let _ = self.child.kill();
                Err(self.child.wait().map_or(ReaderFault::Ended, why))
            }
        }
    }

    /// Goes back to the others, or ends.
    fn rest(self, pool: &ReaderPool) {
        if self.sound {
            locked(&pool.idle).push(self);
        }
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether a reader was ended by its file, and how.
#[cfg(unix)]
fn why(status: ExitStatus) -> ReaderFault {
    use rustix::process::Signal;
    use std::os::unix::process::ExitStatusExt as _;
    match status.signal() {
        Some(signal) if signal == Signal::XCPU.as_raw() => ReaderFault::Slow,
        Some(signal)
            if [Signal::KILL, Signal::TERM, Signal::INT, Signal::HUP].map(Signal::as_raw).contains(&signal) =>
        {
            ReaderFault::Ended
        }
        _ => ReaderFault::Died,
    }
}

#[cfg(not(unix))]
fn why(_: ExitStatus) -> ReaderFault {
    ReaderFault::Died
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use copydesk_documents::ReadingPurpose;

    fn shell(line: &str) -> Command {
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", line]);
        shell
    }

    fn fault(program: fn() -> Command, exception: Exception) -> ReaderFault {
        let job = Job::Read { name: "a.csv".into(), purpose: ReadingPurpose::Source };
        ReaderPool::new(program, exception).done(&job, b"a,b\n1,2\n").unwrap_err()
    }

    /// A frame with the head `{"stands":[],"missing":["a b"],"whole":false}`, 45 bytes.
    const HELLO: &str = r#"printf '\055\0\0\0\0\0\0\0\0\0\0\0{"stands":[],"missing":["a b"],"whole":false}'; "#;

    #[test]
    fn what_a_reader_can_die_of_is_told() {
        let none = fault(|| Command::new("/nowhere/copydesk"), || true);
        assert!(none.to_string().starts_with("the process that reads files cannot start (No such file"), "{none}");
        assert!(fault(|| shell("exit 3"), || true).to_string().contains("cannot start"));
        let unconfined = fault(|| shell(&format!("{HELLO} cat >/dev/null")), || false);
        assert!(unconfined.to_string().contains("cannot be confined on this system (a b missing)"), "{unconfined}");
        let died = fault(|| shell(&format!("{HELLO} kill -ABRT $$")), || true);
        assert!(matches!(died, ReaderFault::Died) && died.is_hostile());
        let slow = fault(|| shell(&format!("{HELLO} kill -XCPU $$")), || true);
        assert!(matches!(slow, ReaderFault::Slow) && slow.is_hostile());
        let ended = fault(|| shell(&format!("{HELLO} kill -TERM $$")), || true);
        assert!(matches!(ended, ReaderFault::Ended) && !ended.is_hostile());
    }
}
