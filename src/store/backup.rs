//! One consistent copy of the database, while others write.

use std::path::Path;

use super::{
    database::{Database, DbFault},
    files::{folder_of, sync_folder},
};
use crate::ports::StoreError;

/// Writes the database to the new file `to`: under a temporary name for its owner alone, synced, then renamed. Returns its size.
pub(super) fn backup(db: &Database, to: &Path) -> Result<u64, DbFault> {
    let named = || to.display().to_string();
    let exists = || StoreError::Exists { file: named() };
    let cannot = |error: &dyn ToString| StoreError::Backup { file: named(), detail: error.to_string() };
    if std::fs::symlink_metadata(to).is_ok() {
        return Err(exists().into());
    }
    let folder = folder_of(to);
    let temporary =
        tempfile::Builder::new().prefix(".copydesk-backup-").tempfile_in(&folder).map_err(|error| cannot(&error))?;
    let path = temporary.path().to_str().ok_or_else(|| cannot(&"its name is not UTF-8"))?;
    // The whole database at one instant, without its free space; readers and writers go on.
    db.connection.execute("VACUUM INTO ?1", [path]).map_err(|error| cannot(&error))?;
    let file = temporary.as_file();
    let size = file.sync_all().and_then(|()| file.metadata()).map_err(|error| cannot(&error))?.len();
    temporary.persist_noclobber(to).map_err(|error| match error.error.kind() {
        std::io::ErrorKind::AlreadyExists => exists(),
        _ => cannot(&error.error),
    })?;
    sync_folder(&folder);
    Ok(size)
}
