//! Waiting for what a program shows, and for its end; what does not come fails with the whole screen.

use std::time::{Duration, Instant};

use super::{DEADLINE, Ended, Terminal, shot::Shot};

/// How long nothing may happen before a condition is looked at again.
const AGAIN: Duration = Duration::from_millis(20);

impl Terminal {
    /// Waits for `text` on one row of the screen.
    #[track_caller]
    pub fn wait_for(&self, text: &str) -> Shot {
        self.wait_until(&format!("{text:?} to appear"), |shot| shot.contains(text))
    }

    /// Waits until no row shows `text`.
    #[track_caller]
    pub fn wait_gone(&self, text: &str) -> Shot {
        self.wait_until(&format!("{text:?} to go"), |shot| !shot.contains(text))
    }

    /// Waits for a screen; `what` is said where it does not come. What `is` looks at besides (the database, the server) is
    /// asked again at short intervals.
    #[track_caller]
    pub fn wait_until(&self, what: &str, mut is: impl FnMut(&Shot) -> bool) -> Shot {
        let began = Instant::now();
        loop {
            let state = self.state();
            let (shot, closed, seen) = (state.glass.shot(), state.closed, state.glass.raw.len());
            drop(state);
            if is(&shot) {
                return shot;
            }
            if closed || began.elapsed() > DEADLINE {
                let why = if closed { "the program closed its screen" } else { "the time is up" };
                self.fail(&format!("waited for {what}; {why}"));
            }
            let state = self.state();
            if state.glass.raw.len() == seen && !state.closed {
                drop(self.shared.changed.wait_timeout(state, AGAIN).expect("state"));
            }
        }
    }

    /// Types a key and waits for the first whole update after which the watched part of the screen is another. The time runs
    /// from before the key is sent until the end of that update was read. For measurements.
    #[track_caller]
    pub fn time_to_change(&self, key: &str) -> Duration {
        let state = self.state();
        let (before, seen) = (state.glass.digest().expect("a part is watched"), state.glass.marks.len());
        drop(state);
        let sent = Instant::now();
        self.keys(key);
        let mut state = self.state();
        loop {
            if let Some((at, _)) = state.glass.marks.iter().skip(seen).find(|(_, digest)| *digest != before) {
                return at.duration_since(sent);
            }
            if state.closed || sent.elapsed() > DEADLINE {
                drop(state);
                self.fail(&format!("{key} changed nothing in the watched part of the screen"));
            }
            state = self.shared.changed.wait_timeout(state, AGAIN).expect("state").0;
        }
    }

    /// Waits until the screen did not change for so long: for pictures, not for tests.
    pub fn settle(&self, quiet: Duration) -> Shot {
        let began = Instant::now();
        while began.elapsed() < DEADLINE {
            let last = self.state().glass.written.unwrap_or(self.started);
            match quiet.checked_sub(last.elapsed()) {
                Some(left) if !left.is_zero() && !self.state().closed => std::thread::sleep(left),
                _ => break,
            }
        }
        self.shot()
    }

    /// How the program ended; waits for that, and until all that it wrote is on the screen.
    #[track_caller]
    pub fn ended(&self) -> Ended {
        let began = Instant::now();
        let mut state = self.state();
        loop {
            // A child of the program's own may keep the terminal open for longer.
            if let Some(ended) = &state.ended
                && (state.closed || self.master.is_none() || began.elapsed() > DEADLINE / 2)
            {
                return ended.clone();
            }
            let left = DEADLINE.saturating_sub(began.elapsed());
            if left.is_zero() {
                drop(state);
                self.fail("waited for the program's end; the time is up");
            }
            state = self.shared.changed.wait_timeout(state, left.min(AGAIN)).expect("state").0;
        }
    }

    /// The exit code; waits for the program's end.
    #[track_caller]
    pub fn exit_code(&self) -> u32 {
        match self.ended() {
            Ended::Code(code) => code,
            Ended::Signal(name) => self.fail(&format!("it ended by a signal: {name}")),
        }
    }

    #[track_caller]
    pub(super) fn fail(&self, what: &str) -> ! {
        let state = self.state();
        let shot = state.glass.shot();
        let (rows, cols) = shot.size();
        let typed = state.typed.iter().rev().take(20).rev().cloned().collect::<Vec<_>>().join(" ");
        let ended = state.ended.as_ref().map_or("runs".to_owned(), |ended| format!("ended: {ended:?}"));
        let lines: Vec<String> = (0..rows).map(|row| format!("│{}", shot.row(row))).collect();
        let cursor = shot.cursor;
        drop(state);
        panic!(
            "{what}\nthe program {ended}; typed last: {typed}\n{rows} rows, {cols} columns, cursor {cursor:?}\n{}",
            lines.join("\n")
        )
    }
}
