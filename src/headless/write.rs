//! The only two ways to a person's screen or a pipe.

use std::io::Write;

/// Writes a line of data to standard output.
///
/// Ends the program with exit 0 where the reader has gone (`copydesk list | head`), as tools of the shell do.
pub fn data(line: &str) {
    let mut out = std::io::stdout().lock();
    if let Err(error) = writeln!(out, "{line}").and_then(|()| out.flush())
        && error.kind() == std::io::ErrorKind::BrokenPipe
    {
        std::process::exit(0);
    }
}

/// Writes a message for a person to standard error. Nobody may be reading; then there is nobody to tell.
pub fn message(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}
