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
mod tests {
    use rusqlite::Connection;

    use super::*;
    use crate::{
        ports::{Archive as _, RunKey, Stories as _},
        store::{
            Store,
            testing::{open, opening_of, store},
        },
    };

    const STAMP: &str = "20261006T120000Z";

    async fn stories(store: &Store) -> Vec<String> {
        let mut stories: Vec<String> = store.list(false).await.unwrap().into_iter().map(|run| run.story).collect();
        stories.sort();
        stories
    }

    /// A newsroom with a backup that knows one story, and a database that knows two.
    async fn newsroom() -> (tempfile::TempDir, Store, PathBuf, PathBuf) {
        let (folder, store) = store();
        let (database, backup) = (folder.path().join("copydesk.db"), folder.path().join("monday.backup"));
        open(&store, opening_of("park", "R1", "One."), None).await;
        assert!(store.backup(&backup).await.unwrap() > 0);
        open(&store, opening_of("mill", "R2", "Two."), None).await;
        (folder, store, database, backup)
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .flatten()
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[tokio::test]
    async fn a_backup_comes_back_and_what_was_there_is_kept() {
        let (folder, store, database, backup) = newsroom().await;
        drop(store);
        let kept = folder.path().join(format!("copydesk.db.before-restore-{STAMP}"));
        assert_eq!(
            restore(&backup, &database, STAMP).unwrap(),
            Restored { stories: 1, events: 1, replaced: Some(kept.clone()) }
        );
        assert_eq!(stories(&Store::open(&database).unwrap()).await, ["desk/park"]);
        assert_eq!(stories(&Store::open(&kept).unwrap()).await, ["desk/mill", "desk/park"]);
        assert!(names(folder.path()).iter().all(|name| !name.starts_with('.')), "nothing is left over");

        // Also where no database is, and from a copy that was made by hand with its log beside it.
        let elsewhere = folder.path().join("new/copydesk.db");
        let live = Store::open(&kept).unwrap();
        open(&live, opening_of("pool", "R3", "Three."), None).await;
        let by_hand = folder.path().join("hand.db");
        fs::copy(&kept, &by_hand).unwrap();
        fs::copy(beside(&kept, "-wal"), beside(&by_hand, "-wal")).unwrap();
        let restored = restore(&by_hand, &elsewhere, STAMP).unwrap();
        assert_eq!(restored, Restored { stories: 3, events: 3, replaced: None });
        assert_eq!(stories(&Store::open(&elsewhere).unwrap()).await, ["desk/mill", "desk/park", "desk/pool"]);
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn only_its_owner_reads_a_backup() {
        use std::os::unix::fs::PermissionsExt as _;
        let (_folder, store, database, backup) = newsroom().await;
        drop(store);
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&backup), 0o600);
        restore(&backup, &database, STAMP).unwrap();
        assert_eq!(mode(&database), 0o600);
    }

    #[tokio::test]
    async fn a_backup_never_replaces_a_file() {
        let (folder, store, _, backup) = newsroom().await;
        let before = fs::read(&backup).unwrap();
        assert!(matches!(store.backup(&backup).await, Err(StoreError::Exists { .. })));
        assert_eq!(fs::read(&backup).unwrap(), before);
        let nowhere = folder.path().join("no/such/folder/x");
        assert!(matches!(store.backup(&nowhere).await, Err(StoreError::Backup { .. })));
    }

    #[tokio::test]
    async fn what_is_no_whole_desk_is_refused_and_changes_nothing() {
        let (folder, store, database, backup) = newsroom().await;
        drop(store);
        let put = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            fs::write(&path, bytes).unwrap();
            path
        };
        let with = |name: &str, sql: &str| {
            let path = put(name, &fs::read(&backup).unwrap());
            Connection::open(&path).unwrap().execute_batch(sql).unwrap();
            path
        };
        let foreign = folder.path().join("foreign.db");
        Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE run (id); PRAGMA user_version = 2").unwrap();
        let mut cut = fs::read(&backup).unwrap();
        let half = cut.len() / 2;
        cut.truncate(half);
        let before = (fs::read(&database).unwrap(), names(folder.path()).len());
        let unfit = [
            (folder.path().join("none"), "No such file"),
            (folder.path().to_owned(), "it is no file"),
            (database.clone(), "it is the database itself"),
            (put("empty", b""), "there is no desk in it"),
            (put("junk", &b"not a database at all ".repeat(300)), "it is not a SQLite database"),
            (put("cut", &cut), "malformed"),
            (foreign, "it is the database of another program"),
            (with("newer", "PRAGMA user_version = 99"), "a newer version of copydesk"),
            (with("forged", "UPDATE event SET at = '2020'"), "broken at event 1"),
        ];
        for (from, why) in unfit {
            let error = restore(&from, &database, STAMP).unwrap_err().to_string();
            assert!(error.contains(why) && error.contains("nothing was changed"), "{}: {error}", from.display());
        }
        assert_eq!(fs::read(&database).unwrap(), before.0);
        assert_eq!(names(folder.path()).len(), before.1 + 5, "the files of this test and no others");
    }

    #[tokio::test]
    async fn nothing_is_restored_under_a_program_at_work() {
        let (folder, store, database, backup) = newsroom().await;
        let in_use = |result| matches!(result, Err(RestoreError::InUse { .. }));
        assert!(in_use(restore(&backup, &database, STAMP)), "a copydesk has it open");
        drop(store);
        let held = File::create(folder.path().join("locks/0123456789ab")).unwrap();
        held.lock().unwrap();
        assert!(in_use(restore(&backup, &database, STAMP)), "a story is held");
        held.unlock().unwrap();
        let shell = Connection::open(&database).unwrap();
        shell.query_row("SELECT count(*) FROM run", [], |_| Ok(())).unwrap();
        assert!(in_use(restore(&backup, &database, STAMP)), "another program has it open");
        drop(shell);
        restore(&backup, &database, STAMP).unwrap();
    }

    #[tokio::test]
    async fn a_damaged_database_is_put_aside_as_it_is() {
        let (folder, store, database, backup) = newsroom().await;
        drop(store);
        let damaged = b"this was a database once ".repeat(400);
        fs::write(&database, &damaged).unwrap();
        let kept = restore(&backup, &database, STAMP).unwrap().replaced.unwrap();
        assert_eq!(fs::read(kept).unwrap(), damaged);
        let store = Store::open(&folder.path().join("copydesk.db")).unwrap();
        assert_eq!(store.listed(&[RunKey(1)]).await.unwrap().len(), 1);
    }
}
