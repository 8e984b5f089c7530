//! A connection, opened as every connection of the desk is, with errors in an editor's words.

use std::{
    cell::RefCell,
    collections::HashMap,
    path::{Path, PathBuf},
    time::Duration,
};

use rusqlite::{Connection, ErrorCode, OpenFlags, Params, Row};
use rusqlite_migration::{Error as MigrationError, MigrationDefinitionError};

use super::{
    extension,
    knowledge::{Remembered, Sample},
    schema,
};
use crate::ports::StoreError;

/// How long a writer waits for another program.
const BUSY_SECONDS: u64 = 10;

/// In how many passages a word stands, by shelf and word, with how many passages the shelf had then.
type Counted = HashMap<(&'static str, String), (i64, i64)>;

/// A connection with its file's name.
pub(super) struct Session {
    pub(super) connection: Connection,
    pub(super) compressor: RefCell<Option<zstd::bulk::Compressor<'static>>>,
    /// Kept, like the compressor: making one costs more than unpacking a page.
    pub(super) decompressor: RefCell<Option<zstd::bulk::Decompressor<'static>>>,
    /// In how many passages of a large shelf words stand.
    pub(super) counted_words: RefCell<Counted>,
    /// Of the searches before.
    pub(super) remembered: RefCell<Remembered>,
    /// Of the index's vectors, where there are many.
    pub(super) sample: RefCell<Option<Sample>>,
    file: PathBuf,
}

impl Session {
    pub(super) fn open(file: &Path) -> Result<Self, StoreError> {
        let cannot = |detail: String| StoreError::CannotOpen { file: file.display().to_string(), detail };
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder).map_err(|error| cannot(error.to_string()))?;
        }
        create_private(file).map_err(|error| cannot(error.to_string()))?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut session = Self::with(file, flags)?;
        session.check_owner()?;
        // WAL for readers beside a writer; FULL so that what is committed survives a power cut (DESIGN.md, section 6).
        // What is deleted is overwritten, always: a page that was freed before could not be found again when its story is deleted.
        session.set(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
             PRAGMA journal_size_limit = 67108864; PRAGMA secure_delete = ON;",
        )?;
        session.migrate()?;
        Ok(session)
    }

    pub(super) fn open_for_reading(file: &Path) -> Result<Self, StoreError> {
        // Read-write all the same: a reader of a WAL database needs its shared memory file.
        let session = Self::with(file, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
        // SQLite's own 2 MiB are shared by all connections of a program and used up by the writer: a search would read the same pages
        // again for each passage that it ranks.
        session.set("PRAGMA query_only = ON; PRAGMA cache_size = -8192;")?;
        Ok(session)
    }

    /// A connection of its own for work that fits neither lane: deleting a story, copying the database, checking a copy. No
    /// foreign keys are enforced, since finding the rows behind each deleted text would read whole tables again and again.
    pub(super) fn open_for_upkeep(file: &Path) -> Result<Self, StoreError> {
        let session = Self::with(file, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
        session.set("PRAGMA synchronous = FULL; PRAGMA foreign_keys = OFF; PRAGMA secure_delete = ON;")?;
        Ok(session)
    }

    pub(super) fn with(file: &Path, flags: OpenFlags) -> Result<Self, StoreError> {
        let cannot = |error: rusqlite::Error| StoreError::CannotOpen {
            file: file.display().to_string(),
            detail: error.to_string(),
        };
        extension::register().map_err(cannot)?;
        let connection = Connection::open_with_flags(file, flags).map_err(cannot)?;
        connection.busy_timeout(Duration::from_secs(BUSY_SECONDS)).map_err(cannot)?;
        connection.set_prepared_statement_cache_capacity(64);
        let session = Self {
            connection,
            compressor: RefCell::default(),
            decompressor: RefCell::default(),
            counted_words: RefCell::default(),
            remembered: RefCell::default(),
            sample: RefCell::default(),
            file: file.to_owned(),
        };
        session.set("PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY;")?;
        Ok(session)
    }

    pub(super) fn set(&self, pragmas: &str) -> Result<(), StoreError> {
        self.connection.execute_batch(pragmas).map_err(|error| self.error(&error))
    }

    /// Looks before anything is changed: a database of a newer version, or of another program, stays as it is. Returns whether
    /// there is anything in it.
    pub(super) fn check_owner(&self) -> Result<bool, StoreError> {
        let known = schema::TABLES.map(|table| format!("'{table}'")).join(", ");
        let (version, tables, ours): (i64, i64, i64) = self.sql(|connection| {
            connection.query_row(
                &format!(
                    "SELECT (SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_schema),
                     (SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ({known}))"
                ),
                [],
                |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
            )
        })?;
        let is_ours = usize::try_from(ours) == Ok(schema::TABLES.len());
        if tables > 0 && (version == 0 || !is_ours) {
            let detail = "it is the database of another program".to_owned();
            return Err(StoreError::CannotOpen { file: self.name(), detail });
        }
        if version > schema::VERSION {
            return Err(StoreError::Newer { file: self.name() });
        }
        Ok(tables > 0)
    }

    fn migrate(&mut self) -> Result<(), StoreError> {
        // Two programs that create one database race for the first migration; the loser finds it done.
        let mut result = schema::migrate(&mut self.connection);
        for _ in 0..3 {
            if matches!(result, Ok(()) | Err(MigrationError::MigrationDefinition(_))) {
                break;
            }
            std::thread::sleep(Duration::from_millis(50));
            result = schema::migrate(&mut self.connection);
        }
        result.map_err(|error| match error {
            MigrationError::MigrationDefinition(MigrationDefinitionError::DatabaseTooFarAhead) => {
                StoreError::Newer { file: self.name() }
            }
            MigrationError::RusqliteError { err, .. } => self.error(&err),
            other => StoreError::Failed { file: self.name(), detail: other.to_string() },
        })
    }

    pub(super) fn name(&self) -> String {
        self.file.display().to_string()
    }

    /// What an error of SQLite means to an editor.
    pub(super) fn error(&self, error: &rusqlite::Error) -> StoreError {
        let file = self.name();
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                StoreError::Busy { file, seconds: BUSY_SECONDS }
            }
            Some(ErrorCode::DiskFull) => StoreError::Full { file },
            Some(ErrorCode::SystemIoFailure) => StoreError::Refused { file, detail: error.to_string() },
            Some(ErrorCode::NotADatabase) => {
                StoreError::CannotOpen { file, detail: "it is not a SQLite database".to_owned() }
            }
            Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied | ErrorCode::ReadOnly) => {
                StoreError::CannotOpen { file, detail: error.to_string() }
            }
            _ => StoreError::Failed { file, detail: error.to_string() },
        }
    }

    /// Runs `work`, with its error in an editor's words.
    pub(super) fn sql<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        work(&self.connection).map_err(|error| self.error(&error))
    }

    /// Reads columns of a row.
    pub(super) fn columns<T>(&self, read: impl FnOnce() -> rusqlite::Result<T>) -> Result<T, StoreError> {
        read().map_err(|error| self.error(&error))
    }

    /// Hands each row that `sql` finds to `take`.
    pub(super) fn each(
        &self,
        sql: &str,
        parameters: impl Params,
        mut take: impl FnMut(&Row<'_>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let failed = |error: rusqlite::Error| self.error(&error);
        let mut statement = self.connection.prepare_cached(sql).map_err(failed)?;
        let mut rows = statement.query(parameters).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            take(row)?;
        }
        Ok(())
    }
}

/// Creates the file for its owner alone where it does not exist: sources can be confidential. SQLite gives the files beside it
/// the same rights.
#[cfg(unix)]
fn create_private(file: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::OpenOptionsExt as _;
    match std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(file) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

#[cfg(not(unix))]
fn create_private(_: &Path) -> std::io::Result<()> {
    Ok(())
}
