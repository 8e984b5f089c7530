//! The findings of `doctor`, line by line.

use std::fmt::Display;

use crate::{headless, text::sanitise};

/// The findings, as lines for standard output.
pub(super) struct Chart {
    pub(super) fine: usize,
    pub(super) to_do: usize,
    pub(super) written: std::io::Result<()>,
}

impl Default for Chart {
    fn default() -> Self {
        Self { fine: 0, to_do: 0, written: Ok(()) }
    }
}

impl Chart {
    pub(super) fn fine(&mut self, part: &str, what: &str) {
        self.fine += 1;
        self.line("fine ", part, what);
    }

    pub(super) fn open(&mut self, part: &str, what: &str) {
        self.to_do += 1;
        self.line("TO DO", part, what);
    }

    /// What was found, or the problem.
    pub(super) fn state(&mut self, part: &str, found: Result<String, impl Display>) {
        match found {
            Ok(what) => self.fine(part, &what),
            Err(error) => self.open(part, &error.to_string()),
        }
    }

    fn line(&mut self, how: &str, part: &str, what: &str) {
        let line = sanitise::one_line(&format!("{part}: {what}"));
        self.written =
            std::mem::replace(&mut self.written, Ok(())).and_then(|()| headless::data(&format!("{how}  {line}")));
    }
}
