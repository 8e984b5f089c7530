//! How far work is that takes longer than a moment: counted if its size is known, else for how long it has been going on.

use std::{
    io::IsTerminal as _,
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{megabytes, message};
use crate::{
    ports::WorkProgress,
    text::{thousands, to_go},
};

/// Least time between two lines where there is no terminal: whoever reads a log wants the end of it, and a sign of life until then.
const APART: Duration = Duration::from_secs(10);

/// How often the time on a bar is brought up to date.
const TICK: Duration = Duration::from_millis(500);

/// Work that is over sooner shows nothing.
const LATE: Duration = Duration::from_secs(1);

/// A bar on standard error where that is a terminal, else a line now and then.
pub struct Bar {
    shown: Arc<Shown>,
    /// Ends the thread that shows a bar late, or says that work goes on.
    over: Option<mpsc::Sender<()>>,
}

enum Shown {
    Bar(ProgressBar),
    Lines(Mutex<Lines>),
}

/// The unit that is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    Things(&'static str),
    Bytes,
    /// The total is not known.
    Nothing,
}

impl Bar {
    /// A bar for `work` on `things`: "reading", "files".
    #[must_use]
    pub fn new(work: &'static str, things: &'static str) -> Self {
        Self::of(work, Unit::Things(things))
    }

    /// A bar for work on a file, in bytes.
    #[must_use]
    pub fn of_bytes(work: &'static str) -> Self {
        Self::of(work, Unit::Bytes)
    }

    /// For work of unknown size: how long it has taken so far.
    #[must_use]
    pub fn of_time(work: &'static str) -> Self {
        Self::of(work, Unit::Nothing)
    }

    fn of(work: &'static str, unit: Unit) -> Self {
        let shown = if std::io::stderr().is_terminal() {
            Shown::Bar(hidden(work, unit))
        } else {
            let now = Instant::now();
            Shown::Lines(Mutex::new(Lines { work, unit, began: now, told: now, done: 0 }))
        };
        let shown = Arc::new(shown);
        let (over, is_over) = mpsc::channel();
        let here = Arc::clone(&shown);
        // Without this thread there is a line only when the work tells how far it is.
        let waits = thread::Builder::new().name("bar".into()).spawn(move || wait(&here, unit, &is_over));
        Self { shown, over: waits.ok().map(|_| over) }
    }

    /// So far, of so many.
    pub fn at(&self, done: usize, all: usize) {
        self.shown.at(done as u64, all as u64);
    }

    /// Tells the bar, from any thread.
    pub fn progress(&self) -> WorkProgress {
        let shown = Arc::clone(&self.shown);
        WorkProgress::reporting_to(move |done, all| shown.at(done, all))
    }

    /// Counts one more; the total is unknown.
    pub fn more(&self) {
        match &*self.shown {
            Shown::Bar(bar) => bar.inc(1),
            Shown::Lines(lines) => say(lines, |lines| {
                lines.done += 1;
                lines.line(Instant::now(), None)
            }),
        }
    }

    /// Takes the bar away.
    pub fn end(&self) {
        if let Shown::Bar(bar) = &*self.shown {
            bar.finish_and_clear();
        }
    }
}

impl Drop for Bar {
    /// Work that is broken off leaves no bar behind.
    fn drop(&mut self) {
        self.end();
        drop(self.over.take());
    }
}

impl Shown {
    fn at(&self, done: u64, all: u64) {
        match self {
            Self::Bar(bar) => {
                bar.set_length(all);
                bar.set_position(done);
            }
            Self::Lines(lines) => say(lines, |lines| {
                lines.done = done;
                lines.line(Instant::now(), Some(all))
            }),
        }
    }
}

/// A bar that is drawn once it gets a target.
fn hidden(work: &'static str, unit: Unit) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
    let template = match unit {
        Unit::Things(_) => "{prefix} {wide_bar} {human_pos} of {human_len} {msg} [{elapsed}, {eta} to go]",
        Unit::Bytes => {
            "{prefix} {wide_bar} {decimal_bytes} of {decimal_total_bytes} [{elapsed}, {decimal_bytes_per_sec}, {eta} to go]"
        }
        Unit::Nothing => "{spinner} {prefix} [{elapsed}]",
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.set_prefix(work);
    if let Unit::Things(things) = unit {
        bar.set_message(things);
    }
    bar
}

/// Shows the bar once the work has taken a while. Without a terminal it says now and then that uncounted work goes on.
fn wait(shown: &Shown, unit: Unit, over: &mpsc::Receiver<()>) {
    let goes_on = |time| over.recv_timeout(time) == Err(mpsc::RecvTimeoutError::Timeout);
    match shown {
        Shown::Bar(bar) => {
            if goes_on(LATE) && !bar.is_finished() {
                bar.set_draw_target(ProgressDrawTarget::stderr());
                // The time goes on where the work does not.
                bar.enable_steady_tick(TICK);
            }
        }
        Shown::Lines(lines) => {
            while unit == Unit::Nothing && goes_on(APART) {
                say(lines, |lines| lines.line(Instant::now(), None));
            }
        }
    }
}

fn say(lines: &Mutex<Lines>, line: impl FnOnce(&mut Lines) -> Option<String>) {
    if let Some(line) = line(&mut lines.lock().unwrap_or_else(PoisonError::into_inner)) {
        message(&line);
    }
}

/// Lines in place of a bar.
struct Lines {
    work: &'static str,
    unit: Unit,
    began: Instant,
    /// When the last one was written, at first when the work began.
    told: Instant,
    done: u64,
}

impl Lines {
    /// The line that is due now, if one is.
    fn line(&mut self, now: Instant, all: Option<u64>) -> Option<String> {
        if now.duration_since(self.told) < APART {
            return None;
        }
        self.told = now;
        let elapsed = now.duration_since(self.began);
        let to_go = all.and_then(|all| to_go(self.done, all, elapsed));
        let to_go = to_go.map_or_else(String::new, |to_go| format!(", {to_go}"));
        let of = |number: fn(u64) -> String| {
            let done = number(self.done);
            all.map_or_else(|| done.clone(), |all| format!("{done} of {}", number(all)))
        };
        let far = match self.unit {
            Unit::Things(things) => format!("{} {things}", of(thousands)),
            Unit::Bytes => format!("{} MB", of(|bytes| format!("{:.1}", megabytes(bytes)))),
            Unit::Nothing => format!("{} s so far", elapsed.as_secs()),
        };
        Some(format!("{}: {far}{to_go}", self.work))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(unit: Unit, began: Instant) -> Lines {
        Lines { work: "embedding", unit, began, told: began, done: 0 }
    }

    #[test]
    fn without_a_terminal_a_line_comes_every_ten_seconds() {
        let began = Instant::now();
        let mut lines = lines(Unit::Things("passages"), began);
        let mut at = |seconds, done, all| {
            lines.done = done;
            lines.line(began + Duration::from_secs(seconds), all)
        };
        assert_eq!(at(9, 64, Some(1_143)), None);
        let first = at(11, 128, Some(1_143));
        assert_eq!(first.as_deref(), Some("embedding: 128 of 1,143 passages, about 87 s to go"));
        assert_eq!(at(20, 1_000, None), None);
        assert_eq!(at(21, 1_024, None).as_deref(), Some("embedding: 1,024 passages"));
    }

    #[test]
    fn bytes_are_told_in_megabytes_and_uncounted_work_by_its_time() {
        let began = Instant::now();
        let mut bytes = lines(Unit::Bytes, began);
        bytes.done = 2_500_000;
        let said = bytes.line(began + Duration::from_secs(10), Some(10_000_000));
        assert_eq!(said.as_deref(), Some("embedding: 2.5 of 10.0 MB, about 30 s to go"));
        let said = lines(Unit::Nothing, began).line(began + Duration::from_secs(75), None);
        assert_eq!(said.as_deref(), Some("embedding: 75 s so far"));
    }

    #[test]
    fn what_is_told_from_elsewhere_reaches_the_bar_and_short_work_shows_none() {
        let bar = hidden("copying", Unit::Bytes);
        let shown = Arc::new(Shown::Bar(bar.clone()));
        shown.at(3, 8);
        assert_eq!((bar.position(), bar.length()), (3, Some(8)));
        let (over, is_over) = mpsc::channel();
        drop(over);
        wait(&shown, Unit::Bytes, &is_over);
        assert!(bar.is_hidden(), "it was over at once");
    }
}
