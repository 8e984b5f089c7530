//! One consistent copy of the database, while others write.

use std::{
    fs::File,
    path::{Path, PathBuf},
};

use super::session::Session;
use crate::ports::StoreError;

impl Session {
    /// Writes the database to the new file `to`: under a temporary name for its owner alone, synced, then renamed.
    pub(super) fn backup(&self, to: &Path) -> Result<u64, StoreError> {
        let named = || to.display().to_string();
        let cannot = |detail: String| StoreError::Backup { file: named(), detail };
        if std::fs::symlink_metadata(to).is_ok() {
            return Err(StoreError::Exists { file: named() });
        }
        let folder = folder_of(to);
        let temporary = tempfile::Builder::new()
            .prefix(".copydesk-backup-")
            .tempfile_in(&folder)
            .map_err(|error| cannot(error.to_string()))?;
        let path = temporary.path().to_str().ok_or_else(|| cannot("its name is not UTF-8".into()))?;
        // An instant of the whole database, without its free space; readers and writers go on.
        self.connection.execute("VACUUM INTO ?1", [path]).map_err(|error| cannot(error.to_string()))?;
        let size = temporary
            .as_file()
            .sync_all()
            .and_then(|()| temporary.as_file().metadata())
            .map_err(|error| cannot(error.to_string()))?
            .len();
        temporary.persist_noclobber(to).map_err(|error| match error.error.kind() {
            std::io::ErrorKind::AlreadyExists => StoreError::Exists { file: named() },
            _ => cannot(error.error.to_string()),
        })?;
        sync_folder(&folder);
        Ok(size)
    }
}

/// The folder that a file is in.
pub(super) fn folder_of(file: &Path) -> PathBuf {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// Makes a rename durable, where the system lets a folder be synced.
pub(super) fn sync_folder(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}
