//! The passphrase of an encrypted database (SQLCipher): one for the life of the program, and for every database that it opens.

use std::{io::Read as _, path::Path, sync::OnceLock};

use rusqlite::Connection;

static PASSPHRASE: OnceLock<String> = OnceLock::new();

/// How a database that is not encrypted begins (<https://www.sqlite.org/fileformat.html>).
const PLAIN: &[u8] = b"SQLite format 3\0";

/// Sets the passphrase of all databases that are opened from now on. The first word counts.
pub fn unlock(passphrase: String) {
    PASSPHRASE.get_or_init(|| passphrase);
}

/// Whether a passphrase is set and the file holds a database that anybody can read.
pub(super) fn lies_open(file: &Path) -> bool {
    PASSPHRASE.get().is_some() && is_plain(file)
}

/// Gives the passphrase to a connection that nothing was read from. A database that is not encrypted, such as a backup that is to be
/// restored, is read as it is.
pub(super) fn apply(connection: &Connection, file: &Path) -> rusqlite::Result<()> {
    match PASSPHRASE.get() {
        Some(passphrase) if !is_plain(file) => connection.pragma_update(None, "key", passphrase),
        _ => Ok(()),
    }
}

/// Why a file may be no database that can be read.
pub(super) fn unreadable() -> &'static str {
    if PASSPHRASE.get().is_some() {
        "its passphrase is another one than that of privacy.passphrase_file, or it is no SQLite database"
    } else {
        "it is not a SQLite database, or it is encrypted: then privacy.passphrase_file has to name its passphrase"
    }
}

fn is_plain(file: &Path) -> bool {
    let mut head = [0; PLAIN.len()];
    let read = std::fs::File::open(file).and_then(|mut file| file.read_exact(&mut head));
    read.is_ok() && head == PLAIN
}
