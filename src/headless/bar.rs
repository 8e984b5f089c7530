//! A bar for work that is counted: files, passages.

use std::io::IsTerminal as _;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar on standard error where that is a terminal, else nothing: whoever reads a log wants the end of it.
pub struct Bar(Option<ProgressBar>);

impl Bar {
    /// A bar for `what`.
    #[must_use]
    pub fn new(what: &str) -> Self {
        Self(std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template("{prefix} {wide_bar} {pos}/{len} [{elapsed}, {eta} to go]")
            {
                bar.set_style(style);
            }
            bar.set_prefix(what.to_owned());
            bar
        }))
    }

    /// So far, of so many.
    pub fn at(&self, done: usize, all: usize) {
        if let Some(bar) = &self.0 {
            bar.set_length(all as u64);
            bar.set_position(done as u64);
        }
    }

    /// One more, of nobody knows how many.
    pub fn more(&self) {
        if let Some(bar) = &self.0 {
            bar.inc(1);
        }
    }

    /// Takes the bar away.
    pub fn end(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
