//! Variables of the environment.

/// A variable of the environment that is a convention of terminals, and configures nothing of the desk.
#[expect(
    clippy::disallowed_methods,
    reason = "NO_COLOR, TERM, TMUX, VISUAL and EDITOR say what the terminal is and what its owner edits with"
)]
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}
