//! Putting a backup in the database's place: its rows, copied into a database of our own making. Nothing is changed before the backup has been checked, and the database that was there is
//! kept.

mod foreign;
mod no_backup;

use std::{
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
};

use tempfile::{NamedTempFile, TempPath};

use self::{foreign::Foreign, no_backup::NoBackup};

use super::{
    audit::audit,
    database::Database,
    fault::DbFault,
    files::{beside, folder_of, sync_folder},
    head::HeadFile,
    presence::{self, Presence},
};
use copydesk_core::ports::{StoreError, WorkProgress};

/// Why a backup was not restored. The database is as it was in every case.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    #[error("{file} cannot be restored: {detail} (nothing was changed)")]
    Unfit { file: String, detail: String },
    #[error("the database {file} is open in another program; close it there, then restore (nothing was changed)")]
    InUse { file: String },
    #[error("{path}: {detail} (the database is as it was)")]
    Cannot { path: String, detail: String },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// Stories in the restored database.
    pub stories: u64,
    /// Events of its audit log, whose chain is whole.
    pub events: u64,
    /// The path at which the earlier database is kept; none if there was none.
    pub replaced: Option<PathBuf>,
}

/// Puts the backup `from` in the place of `database`, which no program may have open. The database that was there is kept beside it as
/// `<name>.before-restore-<stamp>`; `stamp` is the UTC time, `YYYYMMDDTHHMMSSZ`.
///
/// `progress` is told how many rows are copied, then how many events and texts are checked.
///
/// # Errors
/// [`RestoreError`], with nothing changed.
pub fn restore(from: &Path, database: &Path, stamp: &str, progress: &WorkProgress) -> Result<Restored, RestoreError> {
    let unfit = |detail: &str| RestoreError::Unfit { file: from.display().to_string(), detail: detail.to_owned() };
    match fs::metadata(from) {
        Ok(metadata) if metadata.is_file() => {}
        Ok(_) => return Err(unfit("it is not a file")),
        Err(error) => return Err(unfit(&error.to_string())),
    }
    if let (Ok(one), Ok(other)) = (from.canonicalize(), database.canonicalize())
        && one == other
    {
        return Err(unfit("it is the database itself"));
    }
    fs::create_dir_all(folder_of(database)).map_err(|error| cannot(database, &error))?;
    let in_use = || RestoreError::InUse { file: database.display().to_string() };
    let _alone = Presence::alone(database).ok_or_else(in_use)?;
    if story_is_held(database) {
        return Err(in_use());
    }
    let copy = copied(from, database)?;
    let fresh = temporary(database)?.into_temp_path();
    let taken = take_over(&copy, &fresh, progress);
    for ending in ["-wal", "-shm"] {
        let _ = fs::remove_file(beside(&copy, ending));
    }
    let (stories, events) = taken.map_err(|error| match error {
        NoBackup::Store(StoreError::CannotOpen { detail, .. } | StoreError::Failed { detail, .. }) => unfit(&detail),
        NoBackup::Store(StoreError::Newer { .. }) => {
            unfit("it was written by a newer version of copydesk; update this one")
        }
        other => unfit(&other.to_string()),
    })?;
    let replaced = put_aside(database, stamp)?;
    // One that was left behind speaks of another log.
    let _ = fs::remove_file(HeadFile::of(database).path());
    fresh.persist(database).map_err(|error| cannot(database, &error.error))?;
    sync_folder(&folder_of(database));
    Ok(Restored { stories, events, replaced })
}

/// A copy of the backup in the database's folder, for its owner alone. Nothing of it but rows gets into the desk.
fn copied(from: &Path, database: &Path) -> Result<TempPath, RestoreError> {
    let failed = |error: io::Error| cannot(database, &error);
    let mut copy = temporary(database)?;
    transfer(from, &mut copy).map_err(failed)?;
    let path = copy.into_temp_path();
    // If the database was copied by hand, its last commits may be in a file beside it.
    let log = beside(from, "-wal");
    if log.metadata().is_ok_and(|log| log.len() > 0) {
        fs::copy(&log, beside(&path, "-wal")).map_err(failed)?;
    }
    Ok(path)
}

fn temporary(database: &Path) -> Result<NamedTempFile, RestoreError> {
    let made = tempfile::Builder::new().prefix(".copydesk-restore-").tempfile_in(folder_of(database));
    made.map_err(|error| cannot(database, &error))
}

/// Copies the rows of a backup into a new database and checks that this is a whole desk. Returns how many stories and events it has.
fn take_over(copy: &Path, fresh: &Path, progress: &WorkProgress) -> Result<(u64, u64), NoBackup> {
    let backup = Foreign::open(copy)?;
    let db = backup.copied_to(fresh, progress)?;
    let explain = |fault: DbFault| db.explain(fault);
    let found = audit(&db, None, &[], progress).map_err(explain)?;
    if let Some(flaw) = found.flaws.into_iter().next() {
        return Err(NoBackup::Flawed(flaw));
    }
    Ok((found.stories, found.events))
}

fn transfer(from: &Path, to: &mut NamedTempFile) -> io::Result<()> {
    io::copy(&mut File::open(from)?, to.as_file_mut())?;
    to.as_file().sync_all()
}

/// Whether a program works on a story, by the stories' locks.
fn story_is_held(database: &Path) -> bool {
    let Ok(entries) = fs::read_dir(presence::locks(database)) else { return false };
    entries.flatten().map(|entry| entry.path()).any(|path| {
        !path.to_string_lossy().ends_with(presence::ENDING)
            && File::options()
                .append(true)
                .open(path)
                .is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
    })
}

/// Gives the database that is there a second name, under which it is kept.
fn put_aside(database: &Path, stamp: &str) -> Result<Option<PathBuf>, RestoreError> {
    if fs::symlink_metadata(database).is_err() {
        return Ok(None);
    }
    let kept = beside(database, &format!(".before-restore-{stamp}"));
    if fs::symlink_metadata(&kept).is_ok() {
        return Err(cannot(&kept, &io::Error::from(io::ErrorKind::AlreadyExists)));
    }
    // This folds the write-ahead log in, which works only if no other program has the database open, SQLite's own shell included.
    // A database that is too damaged for it is put aside as it is, with its log.
    let folded = Database::open_for_upkeep(database).and_then(|db| db.set("PRAGMA journal_mode = DELETE;"));
    if let Err(StoreError::Busy { .. }) = folded {
        return Err(RestoreError::InUse { file: database.display().to_string() });
    }
    // A second name first, so that the database always has one.
    if fs::hard_link(database, &kept).is_err() {
        fs::rename(database, &kept).map_err(|error| cannot(&kept, &error))?;
    }
    for ending in ["-wal", "-shm", ".head"] {
        match fs::rename(beside(database, ending), beside(&kept, ending)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(cannot(&kept, &error)),
            _ => {}
        }
    }
    Ok(Some(kept))
}

fn cannot(path: &Path, error: &io::Error) -> RestoreError {
    RestoreError::Cannot { path: path.display().to_string(), detail: error.to_string() }
}

#[cfg(test)]
mod tests;
