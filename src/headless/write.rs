//! The only ways to a person's screen or a pipe.

use std::io::{BufRead as _, IsTerminal as _, Write};

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

/// Like [`data`], for lines without colours: those that a text of the database brings are taken out, too.
///
/// # Errors
/// As [`data`].
pub fn plain_data(line: &str) -> std::io::Result<()> {
    data(&sanitise::clean(line))
}

/// Writes a value as JSON for a program that reads it.
///
/// # Errors
/// As [`data`].
pub fn json(value: &impl serde::Serialize) -> std::io::Result<()> {
    data(&serde_json::to_string_pretty(value)?)
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

/// Writes messages for a person, a line each.
pub fn messages(lines: impl IntoIterator<Item = impl AsRef<str>>) {
    lines.into_iter().for_each(|line| message(line.as_ref()));
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

/// Asks a person at the terminal below a message; none if there is no terminal to ask at, and then nothing is written.
///
/// # Errors
/// If the question cannot be written, or the answer not read.
pub fn asked(about: &str, text: &str) -> std::io::Result<Option<String>> {
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        return Ok(None);
    }
    message(about);
    question(text)?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer)?;
    Ok(Some(answer.trim().to_lowercase()))
}

/// A size in bytes as megabytes.
#[expect(clippy::cast_precision_loss, reason = "a size that is shown to one decimal")]
pub fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1_000_000.0
}
