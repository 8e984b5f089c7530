//! The files beside a database, and how they are made durable and private.

use std::{
    fs::{File, OpenOptions},
    io,
    path::{Path, PathBuf},
};

use copydesk_core::desk::private;

/// The folder that a file is in.
pub(super) fn folder_of(file: &Path) -> PathBuf {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// `path` with `ending` added to its name.
pub(super) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// Makes a rename durable, if the system lets a folder be synced.
pub(super) fn sync_folder(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

/// Creates the file for its owner alone if it does not exist, because sources can be confidential. SQLite gives the files
/// beside it the same rights.
pub(super) fn create_private(file: &Path) -> io::Result<()> {
    match private(OpenOptions::new().write(true).create_new(true)).open(file) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}
