//! The only ways to a person's screen or a pipe.

use std::io::Write;

use crate::text::sanitise;

/// Writes a line of data to standard output. Its quotations, also those from the database, are cleaned: only colours get through to the
/// terminal.
///
/// # Errors
/// If it cannot be written: the reader has gone, or the disk behind it is full.
pub fn data(line: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", sanitise::clean_but_colours(line))?;
    out.flush()
}

/// Empties the terminal's window for what is shown next. Lines that have scrolled out of it stay.
///
/// # Errors
/// If it cannot be written.
pub fn wipe() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    write!(out, "\u{1B}[2J\u{1B}[H")?;
    out.flush()
}

/// Writes a message for a person to standard error, cleaned: names of files and texts of servers may hold anything. If it cannot be
/// written, the error is ignored.
pub fn message(line: &str) {
    painted(&sanitise::clean(line));
}

/// Writes a message that carries colours of ours, and is cleaned otherwise.
pub fn painted(line: &str) {
    // In one piece: standard error keeps nothing back.
    let _ = std::io::stderr().lock().write_all(format!("{}\n", sanitise::clean_but_colours(line)).as_bytes());
}

/// Asks a person on standard error; the answer is typed on the same line.
///
/// # Errors
/// If it cannot be written: then there can be no answer.
pub fn question(text: &str) -> std::io::Result<()> {
    let mut out = std::io::stderr().lock();
    write!(out, "{}", sanitise::clean(text))?;
    out.flush()
}

/// A size in bytes as megabytes.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "a size that is shown to one decimal")]
pub fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1_000_000.0
}
