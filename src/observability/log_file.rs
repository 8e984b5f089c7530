//! A file that gets a line of JSON for each event: names and numbers, and no text of a story, a source, a model or a person.
//!
//! The lines are written by a thread of their own. A disk that is full or slow loses lines, which is said once, and holds up no story.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, SyncSender, TrySendError, sync_channel},
    },
    thread::JoinHandle,
};

use serde_json::{Map, Value};

use crate::{
    newsroom::{Event, EventRecord, Step, StoryKey},
    ports::Watch,
};

/// Lines that may wait for the disk.
const WAITING: usize = 4_096;

/// Files that were set aside and are kept.
const KEPT: u32 = 3;

/// The fields of events that have no text of a story: names, numbers and words of this program.
const FIELDS: [&str; 24] = [
    "again_in_seconds",
    "agent",
    "attempt",
    "choice",
    "concern",
    "engine",
    "extract",
    "gate",
    "host",
    "max_rounds",
    "model",
    "of",
    "open_concerns",
    "paused",
    "priority",
    "redelivery",
    "rounds",
    "runs",
    "server",
    "status",
    "step",
    "steps_done",
    "success",
    "tool",
];

/// Says something to the person, once.
type Say = Box<dyn Fn(&str) + Send + Sync>;

/// Hands events on, and writes a line of each.
pub struct LogFile {
    inner: Arc<dyn Watch>,
    lines: Option<SyncSender<String>>,
    thread: Mutex<Option<JoinHandle<()>>>,
    trouble: Arc<Trouble>,
}

/// A fault of the log file. It is reported once.
struct Trouble {
    file: PathBuf,
    say: Say,
    said: Mutex<bool>,
}

impl Trouble {
    fn say(&self, why: &str) {
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        if !std::mem::replace(&mut *said, true) {
            (self.say)(&format!(
                "log: {} (observability.log) {why}. Stories go on; lines are missing from the log, and `copydesk log STORY` has every event",
                self.file.display()
            ));
        }
    }
}

impl LogFile {
    /// Writes what `inner` is told into `file`, up to `most` bytes before it is set aside. If it cannot be written, `say` says so once.
    pub fn new(file: &Path, most: u64, inner: Arc<dyn Watch>, say: Say) -> Self {
        let (lines, waiting) = sync_channel(WAITING);
        let trouble = Arc::new(Trouble { file: file.to_owned(), say, said: Mutex::new(false) });
        let mut disk = Disk { path: file.to_owned(), most, open: None };
        let heard = Arc::clone(&trouble);
        let write = move || work(&waiting, &mut disk, &heard);
        let thread = std::thread::Builder::new().name("log".into()).spawn(write);
        if let Err(error) = &thread {
            trouble.say(&format!("cannot be written ({error})"));
        }
        Self { inner, lines: Some(lines), thread: Mutex::new(thread.ok()), trouble }
    }
}

impl Watch for LogFile {
    fn happened(&self, record: &EventRecord) {
        if let (Some(lines), Some(line)) = (&self.lines, line(record)) {
            // If the thread could not be started, that was said.
            if let Err(TrySendError::Full(_)) = lines.try_send(line) {
                self.trouble.say("is on a disk that is too slow");
            }
        }
        self.inner.happened(record);
    }

    fn heard(&self, story: &StoryKey, step: Step, text: &str) {
        self.inner.heard(story, step, text);
    }
}

impl Drop for LogFile {
    fn drop(&mut self) {
        self.lines = None;
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        // It ends once it has written what waits. If it panicked, there is nothing left to be written.
        let _ended = thread.map(JoinHandle::join);
    }
}

fn work(waiting: &Receiver<String>, disk: &mut Disk, trouble: &Trouble) {
    while let Ok(line) = waiting.recv() {
        if let Err(error) = disk.write(&line) {
            trouble.say(&format!("cannot be written ({error})"));
        }
    }
}

/// The line of an event.
fn line(record: &EventRecord) -> Option<String> {
    let EventRecord { at, story, run, event } = record;
    let Ok(Value::Object(fields)) = serde_json::to_value(event) else { return None };
    let mut line = Map::new();
    let mut put = |name: &str, value: Value| drop(line.insert(name.to_owned(), value));
    put("at", at.as_str().into());
    put("level", level(event).into());
    put("story", story.as_str().into());
    put("run", run.as_str().into());
    put("event", fields.get("event").cloned().unwrap_or_default());
    if let Some(round) = event.step().map(Step::round).filter(|round| (1..u32::MAX).contains(round)) {
        put("round", round.into());
    }
    for name in FIELDS {
        if let Some(value) = fields.get(name).filter(|value| !value.is_null()) {
            put(name, value.clone());
        }
    }
    if let Event::RunClosed { flags, .. } = event {
        put("flags", flags.len().into());
    }
    Some(format!("{}\n", Value::Object(line)))
}

fn level(event: &Event) -> &'static str {
    match event {
        Event::StepDead { .. } | Event::RunClosed { error: Some(_), .. } => "error",
        Event::CallFailed { .. }
        | Event::CallRepeated { .. }
        | Event::StepRedelivered { .. }
        | Event::StepParked { .. }
        | Event::ServerDown { .. } => "warn",
        _ => "info",
    }
}

/// The file on the disk.
struct Disk {
    path: PathBuf,
    most: u64,
    open: Option<File>,
}

impl Disk {
    /// Writes a line whole, at the end. Several programs may write to the file, and each sets it aside once it is full.
    fn write(&mut self, line: &str) -> io::Result<()> {
        let written = self.try_write(line);
        if written.is_err() {
            self.open = None;
        }
        written
    }

    fn try_write(&mut self, line: &str) -> io::Result<()> {
        let length = line.len() as u64;
        if self.is_full(length)? {
            self.set_aside(length)?;
        }
        let file = match &mut self.open {
            Some(file) => file,
            None => self.open.insert(private(&self.path)?),
        };
        file.write_all(line.as_bytes())
    }

    /// Whether the file has no room for so many bytes. A file that was moved away is closed.
    fn is_full(&mut self, length: u64) -> io::Result<bool> {
        let found = match fs::metadata(&self.path) {
            Ok(found) => found,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.open = None;
                return Ok(false);
            }
            Err(error) => return Err(error),
        };
        if !found.is_file() {
            return Err(io::Error::other("it is no file"));
        }
        if let Some(open) = &self.open
            && !is_same(&open.metadata()?, &found)
        {
            self.open = None;
        }
        Ok(found.len() > 0 && found.len().saturating_add(length) > self.most)
    }

    /// Gives the file the ending `.1`, and earlier ones the next number. Another program may be at it, too: one after the other.
    fn set_aside(&mut self, length: u64) -> io::Result<()> {
        let lock = private(&self.numbered("lock"))?;
        lock.lock()?;
        if self.is_full(length)? {
            for number in (1..KEPT).rev() {
                moved(&self.numbered(&number.to_string()), &self.numbered(&(number + 1).to_string()))?;
            }
            moved(&self.path, &self.numbered("1"))?;
            self.open = None;
        }
        lock.unlock()
    }

    fn numbered(&self, ending: &str) -> PathBuf {
        self.path.with_added_extension(ending)
    }
}

/// Moves a file, if it is there.
fn moved(from: &Path, to: &Path) -> io::Result<()> {
    match fs::rename(from, to) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        moved => moved,
    }
}

/// Opens a file to write at its end; a new one is for its owner alone, and so is a new folder.
fn private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder)?;
            }
            options.open(path)
        }
        opened => opened,
    }
}

#[cfg(unix)]
fn is_same(a: &fs::Metadata, b: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

#[cfg(not(unix))]
fn is_same(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::newsroom::Status;

    struct Deaf;

    impl Watch for Deaf {
        fn happened(&self, _: &EventRecord) {}
        fn heard(&self, _: &StoryKey, _: Step, _: &str) {}
    }

    fn record(event: Event) -> EventRecord {
        EventRecord { at: "2026-10-06T12:00:00.000Z".into(), story: "desk/park".into(), run: "R1".into(), event }
    }

    fn verdict() -> EventRecord {
        let step = Step::Judge { round: 2, concern: 3 };
        record(Event::VerdictGiven { step, excerpt: "The SECRET park".into(), status: Status::Remove })
    }

    fn logged(file: &Path, most: u64, records: &[EventRecord], say: Say) {
        let log = LogFile::new(file, most, Arc::new(Deaf), say);
        for record in records {
            log.happened(record);
        }
    }

    #[test]
    fn a_line_has_names_and_numbers_and_no_text_of_a_story() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("logs/copydesk.log");
        let failed = Event::CallFailed {
            step: Step::Draft,
            attempt: 2,
            message: "the server said SECRET".into(),
            again_in_seconds: Some(2.0),
        };
        let closed = Event::RunClosed {
            success: false,
            rounds: 3,
            open_concerns: 1,
            flags: vec!["SECRET".into()],
            error: Some("SECRET".into()),
            extract: false,
        };
        logged(&file, 1 << 20, &[verdict(), record(failed), record(closed)], Box::new(|said| panic!("{said}")));
        let text = fs::read_to_string(&file).unwrap();
        assert_eq!(
            text,
            r#"{"at":"2026-10-06T12:00:00.000Z","level":"info","story":"desk/park","run":"R1","event":"verdict_given","round":2,"status":"REMOVE","step":"r2.c3.judge"}
{"at":"2026-10-06T12:00:00.000Z","level":"warn","story":"desk/park","run":"R1","event":"call_failed","again_in_seconds":2.0,"attempt":2,"step":"draft"}
{"at":"2026-10-06T12:00:00.000Z","level":"error","story":"desk/park","run":"R1","event":"run_closed","open_concerns":1,"rounds":3,"success":false,"flags":1}
"#
        );
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }

    #[test]
    fn a_full_file_is_set_aside_and_the_last_three_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("copydesk.log");
        let one = line(&verdict()).unwrap().len() as u64;
        // Two programs with one file.
        for _ in 0..10 {
            logged(&file, 2 * one, &[verdict()], Box::new(|said| panic!("{said}")));
            logged(&file, 2 * one, &[verdict()], Box::new(|said| panic!("{said}")));
        }
        let lines = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap().lines().count();
        assert_eq!(["copydesk.log", "copydesk.log.1", "copydesk.log.2", "copydesk.log.3"].map(lines), [2, 2, 2, 2]);
        assert!(!folder.path().join("copydesk.log.4").exists());
    }

    #[test]
    fn a_file_that_somebody_moved_away_is_begun_anew() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("copydesk.log");
        let mut disk = Disk { path: path.clone(), most: 1 << 20, open: None };
        disk.write("one\n").unwrap();
        fs::rename(&path, folder.path().join("mine")).unwrap();
        disk.write("two\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "two\n");
    }

    #[test]
    fn what_cannot_be_written_is_said_once() {
        let folder = tempfile::tempdir().unwrap();
        let said = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&said);
        let say = move |text: &str| {
            assert!(text.contains("(observability.log) cannot be written (it is no file)"), "{text}");
            count.fetch_add(1, Ordering::Relaxed);
        };
        logged(folder.path(), 1 << 20, &[verdict(), verdict()], Box::new(say));
        assert_eq!(said.load(Ordering::Relaxed), 1);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_said_once() {
        let said = Arc::new(Mutex::new(Vec::new()));
        let told = Arc::clone(&said);
        let mut disk = Disk {
            path: "/dev/full".into(),
            most: 1 << 20,
            open: Some(OpenOptions::new().append(true).open("/dev/full").unwrap()),
        };
        assert!(disk.open.as_mut().unwrap().write_all(b"x").is_err(), "the device is always full");
        let trouble = Trouble {
            file: "/dev/full".into(),
            say: Box::new(move |text| told.lock().unwrap().push(text.to_owned())),
            said: Mutex::new(false),
        };
        let (send, waiting) = sync_channel(2);
        send.send("a\n".to_owned()).unwrap();
        send.send("b\n".to_owned()).unwrap();
        drop(send);
        work(&waiting, &mut disk, &trouble);
        assert_eq!(said.lock().unwrap().len(), 1);
    }
}
