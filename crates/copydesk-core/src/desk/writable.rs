//! Whether files can be written in a folder. This is asked before anything is spent on their content.

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
    sync::{LazyLock, Mutex, PoisonError},
};

/// Folders in which this program has written a file to see whether it can.
static WRITABLE: LazyLock<Mutex<HashSet<PathBuf>>> = LazyLock::new(Mutex::default);

/// Makes sure that files can be written in a folder: the first time by writing one, then by asking the system. A test
/// file for every story would slow all others: some file systems look through recent deletions before they take a new
/// file.
pub(super) fn can_be_written_in(folder: &Path) -> std::io::Result<()> {
    let known = || WRITABLE.lock().unwrap_or_else(PoisonError::into_inner);
    #[cfg(unix)]
    if known().contains(folder) {
        use rustix::fs::Access;
        return Ok(rustix::fs::access(folder, Access::WRITE_OK | Access::EXEC_OK)?);
    }
    // Without a name if the system has that: then nothing stays of it, even if the program is killed now.
    tempfile::tempfile_in(folder)?;
    known().insert(folder.to_owned());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_written_in_once_and_asked_for_again_each_time() {
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("inside");
        assert!(can_be_written_in(&inside).is_err(), "it is not there yet");
        std::fs::create_dir(&inside).unwrap();
        for _ in 0..2 {
            can_be_written_in(&inside).unwrap();
            assert_eq!(std::fs::read_dir(&inside).unwrap().count(), 0, "nothing stays of it");
        }
        std::fs::remove_dir(&inside).unwrap();
        assert!(can_be_written_in(&inside).is_err(), "what was possible once need not be now");
    }
}
