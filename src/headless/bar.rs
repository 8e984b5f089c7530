//! How far work is that is counted: files, passages.

use std::{
    io::IsTerminal as _,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::message;
use crate::text::thousands;

/// Least time between two lines where there is no terminal: whoever reads a log wants the end of it, and a sign of life until then.
const APART: Duration = Duration::from_secs(10);

/// How often the time on a bar is brought up to date.
const TICK: Duration = Duration::from_millis(500);

/// A bar on standard error where that is a terminal, else a line now and then.
pub struct Bar(Shown);

enum Shown {
    Bar(ProgressBar),
    Lines(Mutex<Lines>),
}

impl Bar {
    /// A bar for `work` on `things`: "reading", "files".
    #[must_use]
    pub fn new(work: &'static str, things: &'static str) -> Self {
        if !std::io::stderr().is_terminal() {
            return Self(Shown::Lines(Mutex::new(Lines { work, things, told: Instant::now(), done: 0 })));
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template(
            "{prefix} {wide_bar} {human_pos} of {human_len} {msg} [{elapsed}, {eta} to go]",
        ) {
            bar.set_style(style);
        }
        bar.set_prefix(work);
        bar.set_message(things);
        // The time goes on where the work does not.
        bar.enable_steady_tick(TICK);
        Self(Shown::Bar(bar))
    }

    /// So far, of so many.
    pub fn at(&self, done: usize, all: usize) {
        match &self.0 {
            Shown::Bar(bar) => {
                bar.set_length(all as u64);
                bar.set_position(done as u64);
            }
            Shown::Lines(lines) => say(lines, |lines| {
                lines.done = done;
                lines.line(Instant::now(), Some(all))
            }),
        }
    }

    /// One more, of nobody knows how many.
    pub fn more(&self) {
        match &self.0 {
            Shown::Bar(bar) => bar.inc(1),
            Shown::Lines(lines) => say(lines, |lines| {
                lines.done += 1;
                lines.line(Instant::now(), None)
            }),
        }
    }

    /// Takes the bar away.
    pub fn end(&self) {
        if let Shown::Bar(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

impl Drop for Bar {
    /// Work that is broken off leaves no bar behind.
    fn drop(&mut self) {
        self.end();
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
    things: &'static str,
    /// When the last one was written, at first when the work began.
    told: Instant,
    done: usize,
}

impl Lines {
    /// The line that is due now, if one is.
    fn line(&mut self, now: Instant, all: Option<usize>) -> Option<String> {
        if now.duration_since(self.told) < APART {
            return None;
        }
        self.told = now;
        let of = all.map_or_else(String::new, |all| format!(" of {}", thousands(all as u64)));
        Some(format!("{}: {}{of} {}", self.work, thousands(self.done as u64), self.things))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_terminal_a_line_comes_every_ten_seconds() {
        let begun = Instant::now();
        let mut lines = Lines { work: "embedding", things: "passages", told: begun, done: 0 };
        let mut at = |seconds, done, all| {
            lines.done = done;
            lines.line(begun + Duration::from_secs(seconds), all)
        };
        assert_eq!(at(9, 64, Some(1_143)), None);
        assert_eq!(at(11, 128, Some(1_143)).as_deref(), Some("embedding: 128 of 1,143 passages"));
        assert_eq!(at(20, 1_000, None), None);
        assert_eq!(at(21, 1_024, None).as_deref(), Some("embedding: 1,024 passages"));
    }
}
