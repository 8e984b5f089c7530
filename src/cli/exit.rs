//! How a command ends: its exit code, the error that the person at the keyboard can mend, and what the screen says of one.

use crate::{headless, tui::app::trouble::Trouble};

/// How a command ended and the exit code that says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// All succeeded.
    Fine,
    /// A topic failed, or something is to be done.
    Failed,
    /// Wrong use or configuration.
    Wrong,
    /// Interrupted; resumable.
    Interrupted,
}

impl Exit {
    /// The process's exit code.
    pub fn code(self) -> u8 {
        match self {
            Self::Fine => 0,
            Self::Failed => 1,
            Self::Wrong => 2,
            Self::Interrupted => 130,
        }
    }
}

/// How writing data ended: a reader that has gone is no error, a full disk behind the pipe is.
pub(crate) fn written(result: std::io::Result<()>) -> Exit {
    match result {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            headless::message(&format!("standard output cannot be written: {error}"));
            Exit::Failed
        }
        _ => Exit::Fine,
    }
}

/// An error that the person at the keyboard can mend: exit code 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct WrongUse(pub String);

/// The same as any error.
pub fn wrong_use(why: impl Into<String>) -> anyhow::Error {
    WrongUse(why.into()).into()
}

/// An error for the screen, with its causes.
pub(crate) fn on_screen(error: &anyhow::Error) -> Trouble {
    Trouble::new(format!("{error:#}"))
}
