//! Who has the database open. Each program holds a shared lock of the operating system beside it; a program that replaces the
//! database takes the lock alone.

use std::{
    fs::{File, TryLockError},
    path::{Path, PathBuf},
    time::Duration,
};

use super::files::folder_of;
use copydesk_core::{desk::private, ports::StoreError};

/// How long opening waits for a program that is replacing the database.
const SECONDS: u64 = 10;

/// Holds the lock as long as it lives. On a file system without locks it holds none, and only SQLite's own locks keep programs apart.
pub(super) struct Presence {
    _file: Option<File>,
}

impl Presence {
    /// Notes that this program has `database` open.
    ///
    /// # Errors
    /// [`StoreError::Busy`] if another program is replacing it and does not finish in time.
    pub(super) fn shared(database: &Path) -> Result<Self, StoreError> {
        let Some(file) = lock_file(database) else { return Ok(Self { _file: None }) };
        for _ in 0..SECONDS * 20 {
            match file.try_lock_shared() {
                Ok(()) => return Ok(Self { _file: Some(file) }),
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(50)),
                Err(TryLockError::Error(_)) => return Ok(Self { _file: None }),
            }
        }
        Err(StoreError::Busy { file: database.display().to_string(), seconds: SECONDS })
    }

    /// The presence at a database that cannot be replaced.
    pub(super) fn nobodys() -> Self {
        Self { _file: None }
    }

    /// Keeps every other program out of `database`; none if one has it open.
    pub(super) fn alone(database: &Path) -> Option<Self> {
        let Some(file) = lock_file(database) else { return Some(Self { _file: None }) };
        match file.try_lock() {
            Ok(()) => Some(Self { _file: Some(file) }),
            Err(TryLockError::WouldBlock) => None,
            Err(TryLockError::Error(_)) => Some(Self { _file: None }),
        }
    }
}

/// The folder of all locks, the stories' included.
pub(super) fn locks(database: &Path) -> PathBuf {
    folder_of(database).join("locks")
}

/// The ending of these files' names; a story's lock has another.
pub(super) const ENDING: &str = ".open";

/// Lets no other user into the folder: a user who can open a lock can hold it for ever.
#[cfg(unix)]
fn close_to_others(folder: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    // This fails on another user's folder. That user then keeps the locks.
    if folder.metadata().is_ok_and(|found| found.permissions().mode() & 0o077 != 0) {
        let _ = std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700));
    }
}

#[cfg(not(unix))]
fn close_to_others(_: &Path) {}

fn lock_file(database: &Path) -> Option<File> {
    let folder = locks(database);
    std::fs::create_dir_all(&folder).ok()?;
    close_to_others(&folder);
    let name = database.file_name()?.to_string_lossy().into_owned();
    private(File::options().create(true).append(true)).open(folder.join(format!("{name}{ENDING}"))).ok()
}
