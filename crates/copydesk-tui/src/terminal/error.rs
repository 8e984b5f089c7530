//! Why no screen could be opened.

use std::io;

/// Why no screen could be opened.
#[derive(Debug, thiserror::Error)]
pub enum ScreenError {
    /// Standard input or output goes elsewhere.
    #[error("This is not a terminal; use `copydesk run --auto` without one")]
    NoTerminal,
    /// Two screens would undo each other.
    #[error("a screen is open already")]
    Open,
    /// The terminal, or the thread that watches signals, failed.
    #[error("the terminal cannot be taken over: {0}")]
    Failed(#[from] io::Error),
}
