//! The only two ways to a person's screen or a pipe.

use std::io::Write;

use crate::text::sanitise;

/// Writes a line of data to standard output.
///
/// # Errors
/// Where it cannot be written: the reader has gone, or the disk behind it is full.
pub fn data(line: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}

/// Writes a message for a person to standard error, cleaned: names of files and texts of servers may hold anything. Nobody may
/// be reading; then there is nobody to tell.
pub fn message(line: &str) {
    painted(&sanitise::clean(line));
}

/// Writes a message that carries colours of ours and is clean otherwise.
pub fn painted(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}
