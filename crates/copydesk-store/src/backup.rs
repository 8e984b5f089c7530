//! One consistent copy of the database, while others write.

use std::{path::Path, sync::mpsc, thread, time::Duration};

use super::files::{folder_of, sync_folder};
use crate::prelude::*;
use copydesk_core::ports::WorkProgress;

/// Writes the database to the new file `to`: under a temporary name for its owner alone, synced, then renamed. Returns its size.
pub(super) fn backup(db: &Database, to: &Path, progress: &WorkProgress) -> Result<u64, DbFault> {
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
    let connection = db.sqlite()?;
    // The whole database at one instant, without its free space; readers and writers go on.
    let pages: i64 = db.value("SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size", [])?;
    let copied = watched(Path::new(path), natural(pages), progress, || connection.execute("VACUUM INTO ?1", [path]));
    copied.map_err(|error| cannot(&error))?;
    let file = temporary.as_file();
    let size = file.sync_all().and_then(|()| file.metadata()).map_err(|error| cannot(&error))?.len();
    temporary.persist_noclobber(to).map_err(|error| match error.error.kind() {
        std::io::ErrorKind::AlreadyExists => exists(),
        _ => cannot(&error.error),
    })?;
    sync_folder(&folder);
    Ok(size)
}

/// How often it is looked how far the copy is.
const LOOK: Duration = Duration::from_millis(100);

/// Does `work`, which writes `file`, and tells how large that has become, of about `all` bytes.
fn watched<T>(file: &Path, all: u64, progress: &WorkProgress, work: impl FnOnce() -> T) -> T {
    thread::scope(|scope| {
        let (done, is_done) = mpsc::channel::<()>();
        scope.spawn(move || {
            while is_done.recv_timeout(LOOK) == Err(mpsc::RecvTimeoutError::Timeout) {
                let size = file.metadata().map_or(0, |file| file.len());
                progress.at(size.min(all), all);
            }
        });
        let worked = work();
        drop(done);
        worked
    })
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    #[test]
    fn it_is_told_how_far_a_file_has_grown_while_it_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("copy");
        let seen = Arc::new(Mutex::new(Vec::new()));
        let tell = Arc::clone(&seen);
        let progress = WorkProgress::reporting_to(move |done, all| tell.lock().unwrap().push((done, all)));
        let worked = watched(&file, 8, &progress, || {
            for text in ["half", "half and more than that"] {
                std::fs::write(&file, text).unwrap();
                thread::sleep(LOOK * 3);
            }
            7
        });
        let seen = seen.lock().unwrap();
        assert_eq!((worked, seen.first(), seen.last()), (7, Some(&(4, 8)), Some(&(8, 8))));
    }
}
