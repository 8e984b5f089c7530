//! Putting a backup in the database's place. Nothing is changed before the backup is known to be whole, and the database that
//! was there is kept.

use std::{
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
};

use tempfile::{NamedTempFile, TempPath};

use super::{
    backup::{folder_of, sync_folder},
    presence::{self, Presence},
    session::Session,
};
use crate::ports::{Chain, StoreError};

/// Why a backup was not restored. The database is as it was in every case.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// What was named is no backup of a desk.
    #[error("{file} cannot be restored: {detail} (nothing was changed)")]
    Unfit {
        /// The file.
        file: String,
        /// What is wrong with it.
        detail: String,
    },
    /// Somebody is at work.
    #[error("the database {file} is open in another program; close it there, then restore (nothing was changed)")]
    InUse {
        /// The database.
        file: String,
    },
    /// The file system does not let us.
    #[error("{path}: {detail} (the database is as it was)")]
    Cannot {
        /// The file.
        path: String,
        /// What the system said.
        detail: String,
    },
}

/// What was restored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// Stories in the restored database.
    pub stories: u64,
    /// Events of its audit log, whose chain is whole.
    pub events: u64,
    /// Where the database that was there is kept; none where there was none.
    pub replaced: Option<PathBuf>,
}

/// Puts the backup `from` in the place of `database`, of which nobody may have anything open. What was there is kept beside it
/// as `<name>.before-restore-<stamp>`; `stamp` is the UTC time, `YYYYMMDDTHHMMSSZ`.
///
/// # Errors
/// [`RestoreError`], with nothing changed.
pub fn restore(from: &Path, database: &Path, stamp: &str) -> Result<Restored, RestoreError> {
    let unfit = |detail: &str| RestoreError::Unfit { file: from.display().to_string(), detail: detail.to_owned() };
    match fs::metadata(from) {
        Ok(metadata) if metadata.is_file() => {}
        Ok(_) => return Err(unfit("it is no file")),
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
    let copy = Copy::of(from, database)?;
    let (stories, events) = copy.check(from)?;
    let replaced = put_aside(database, stamp)?;
    copy.path.persist(database).map_err(|error| cannot(database, &error.error))?;
    sync_folder(&folder_of(database));
    Ok(Restored { stories, events, replaced })
}

/// A copy of the backup in the database's folder, for its owner alone.
struct Copy {
    path: TempPath,
}

impl Copy {
    fn of(from: &Path, database: &Path) -> Result<Self, RestoreError> {
        let failed = |error: io::Error| cannot(database, &error);
        let mut copy =
            tempfile::Builder::new().prefix(".copydesk-restore-").tempfile_in(folder_of(database)).map_err(failed)?;
        transfer(from, &mut copy).map_err(failed)?;
        let path = copy.into_temp_path();
        // A database that was copied by hand may have its last commits beside it.
        let log = beside(from, "-wal");
        if log.metadata().is_ok_and(|log| log.len() > 0) {
            fs::copy(&log, beside(&path, "-wal")).map_err(failed)?;
        }
        Ok(Self { path })
    }

    /// Whether it is a whole desk of a version that we know; counts its stories and events.
    fn check(&self, from: &Path) -> Result<(u64, u64), RestoreError> {
        let unfit = |detail: String| RestoreError::Unfit { file: from.display().to_string(), detail };
        let checked = self.look_into();
        for ending in ["-wal", "-shm"] {
            let _ = fs::remove_file(beside(&self.path, ending));
        }
        match checked {
            Ok(Ok(counts)) => Ok(counts),
            Ok(Err(detail)) | Err(StoreError::CannotOpen { detail, .. } | StoreError::Failed { detail, .. }) => {
                Err(unfit(detail))
            }
            Err(StoreError::Newer { .. }) => {
                Err(unfit("it was written by a newer version of copydesk; update this one".into()))
            }
            Err(other) => Err(unfit(other.to_string())),
        }
    }

    fn look_into(&self) -> Result<Result<(u64, u64), String>, StoreError> {
        let session = Session::open_for_upkeep(&self.path)?;
        if !session.check_owner()? {
            return Ok(Err("there is no desk in it".into()));
        }
        // One file from now on: what the write-ahead log held is in it.
        session.set("PRAGMA journal_mode = DELETE;")?;
        let verdict: String =
            session.sql(|connection| connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0)))?;
        if verdict != "ok" {
            return Ok(Err(format!("it is damaged: {verdict}")));
        }
        let stories: i64 =
            session.sql(|connection| connection.query_row("SELECT count(*) FROM story", [], |row| row.get(0)))?;
        Ok(match session.verify_chain()? {
            Chain::Whole { events } => Ok((u64::try_from(stories).unwrap_or(0), events)),
            Chain::Broken { seq } => Err(format!("the chain of its audit log is broken at event {seq}")),
        })
    }
}

fn transfer(from: &Path, to: &mut NamedTempFile) -> io::Result<()> {
    io::copy(&mut File::open(from)?, to.as_file_mut())?;
    to.as_file().sync_all()
}

/// Whether some program works on a story, by the stories' locks.
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
    // Folds the write-ahead log in, which works only where nobody else has the database open, SQLite's own shell included.
    // One that is too damaged for that is put aside as it is, its log with it.
    let folded = Session::open_for_upkeep(database).and_then(|session| session.set("PRAGMA journal_mode = DELETE;"));
    if let Err(StoreError::Busy { .. }) = folded {
        return Err(RestoreError::InUse { file: database.display().to_string() });
    }
    // A second name first, so that at no instant the database is without one.
    if fs::hard_link(database, &kept).is_err() {
        fs::rename(database, &kept).map_err(|error| cannot(&kept, &error))?;
    }
    for ending in ["-wal", "-shm"] {
        match fs::rename(beside(database, ending), beside(&kept, ending)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(cannot(&kept, &error)),
            _ => {}
        }
    }
    Ok(Some(kept))
}

/// `path` with `ending` added to its name.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

fn cannot(path: &Path, error: &io::Error) -> RestoreError {
    RestoreError::Cannot { path: path.display().to_string(), detail: error.to_string() }
}

#[cfg(test)]
mod tests;
