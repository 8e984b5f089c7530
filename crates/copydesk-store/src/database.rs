//! One connection to the database file, with a short call for each usual kind of statement.

use std::{
    cell::{Cell, RefCell},
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use rusqlite::{
    Connection, ErrorCode, OpenFlags, OptionalExtension, Params, Row,
    types::{FromSql, FromSqlError},
};

use super::{
    extension,
    files::{beside, create_private},
    head::HeadFile,
    knowledge::cache::SearchCache,
    packing::Packer,
    passphrase,
    pending_requests::PendingRequests,
    schema,
};
use copydesk_core::ports::StoreError;

/// How long a writer waits for another program.
const BUSY_SECONDS: u64 = 10;

/// Why a piece of work on the database failed. [`Database::explain`] turns it into the error that a person reads.
#[derive(Debug)]
pub(super) enum DbFault {
    Sql(rusqlite::Error),
    Store(StoreError),
}

impl From<rusqlite::Error> for DbFault {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sql(error)
    }
}

impl From<FromSqlError> for DbFault {
    fn from(error: FromSqlError) -> Self {
        Self::Sql(error.into())
    }
}

impl From<StoreError> for DbFault {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// The error for a stored `what` that cannot be read.
#[expect(clippy::needless_pass_by_value, reason = "callers hand over what their own error says")]
pub(super) fn unreadable(what: impl Into<String>, detail: impl ToString) -> DbFault {
    DbFault::Store(StoreError::Unreadable { what: what.into(), detail: detail.to_string() })
}

/// A value, or none if what is stored cannot be read. Any other failure stays one.
pub(super) fn readable<T>(value: Result<T, DbFault>) -> Result<Option<T>, DbFault> {
    match value {
        Ok(value) => Ok(Some(value)),
        Err(DbFault::Store(StoreError::Unreadable { .. })) => Ok(None),
        Err(fault) => Err(fault),
    }
}

/// A connection, with what is kept from one statement to the next.
pub(super) struct Database {
    pub(super) connection: Connection,
    pub(super) packer: RefCell<Packer>,
    pub(super) searches: SearchCache,
    /// Whether events were appended since [`Database::keep_head`] was last called.
    pub(super) grew: Cell<bool>,
    /// The requests that the next commit adds to the ledger of all requests.
    pub(super) requests: Arc<PendingRequests>,
    name: String,
}

impl Database {
    /// The writer's connection. Creates the file if needed and brings its schema up to date.
    pub(super) fn open(file: &Path) -> Result<Self, StoreError> {
        let cannot = |error: std::io::Error| StoreError::CannotOpen {
            file: file.display().to_string(),
            detail: error.to_string(),
        };
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder).map_err(cannot)?;
        }
        if passphrase::lies_open(file) {
            return Err(cannot(std::io::Error::other(
                "it is not encrypted, and privacy.passphrase_file names a passphrase. To encrypt it, set that key to null, back the \
                 database up with `copydesk backup FILE`, set the key again, and `copydesk restore FILE`. Then delete the backup and \
                 the database that was put aside",
            )));
        }
        let head = HeadFile::of(file);
        create_private(file).map_err(cannot)?;
        let mut db = Self::with(file, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)?;
        if !db.check_owner()?
            && let Some(events) = head.events()
        {
            return Err(StoreError::Emptied { file: db.name, events, head: head.path().display().to_string() });
        }
        // Two programs that create one database at once both hold what the other waits for: SQLite then refuses one of them at
        // once, busy timeout or not.
        let began = Instant::now();
        while let Err(error) = db.prepare_to_write() {
            if !matches!(error, StoreError::Busy { .. }) || began.elapsed() > Duration::from_secs(BUSY_SECONDS) {
                return Err(error);
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        db.begin_head(&head).map_err(|fault| db.explain(fault))?;
        Ok(db)
    }

    /// The last event's number and its link, hex; 0 and nothing if there is none.
    pub(super) fn log_end(&self) -> Result<(u64, String), DbFault> {
        let end = self.one("SELECT seq, chain FROM event ORDER BY seq DESC LIMIT 1", [], |row| {
            let seq: i64 = row.get(0)?;
            Ok((u64::try_from(seq).unwrap_or(0), hex::encode(row.get_ref(1)?.as_blob()?)))
        })?;
        Ok(end.unwrap_or_default())
    }

    /// Begins the file that holds the end of the audit log, for a database that has none yet.
    fn begin_head(&self, head: &HeadFile) -> Result<(), DbFault> {
        if self.exists("SELECT 1 FROM setting WHERE key = ?1", [HeadFile::SETTING])? {
            return Ok(());
        }
        // On a disk that takes no file there is none: then only the table says how long the log is.
        if head.begin(&self.log_end()?).is_ok() {
            self.write("INSERT OR IGNORE INTO setting (key, value) VALUES (?1, 'kept')", [HeadFile::SETTING])?;
        }
        Ok(())
    }

    /// Notes the end of the audit log beside the database, if what was committed made it longer.
    pub(super) fn keep_head(&self) {
        if self.grew.replace(false)
            && let Ok(end) = self.log_end()
        {
            HeadFile::of(Path::new(&self.name)).keep(&end);
        }
    }

    fn prepare_to_write(&mut self) -> Result<(), StoreError> {
        // WAL lets others read while one writes. FULL keeps what is committed through a power cut. Deleted content is always
        // overwritten, because a page that was freed earlier could not be found again when its story is deleted.
        self.set(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
             PRAGMA journal_size_limit = 67108864; PRAGMA secure_delete = ON;",
        )?;
        let made = schema::make(&mut self.connection);
        made.map_err(|error| self.explain(error))
    }

    pub(super) fn open_for_reading(file: &Path) -> Result<Self, StoreError> {
        // Read-write all the same: a reader of a WAL database needs its shared memory file.
        let db = Self::with(file, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        // All connections of a program share SQLite's own 2 MiB, and the writer uses them up: a search would read the same pages
        // again for each passage that it ranks.
        db.set("PRAGMA query_only = ON; PRAGMA cache_size = -8192;")?;
        Ok(db)
    }

    /// Opens a database on a read-only disk. SQLite reads it without the files beside it.
    pub(super) fn open_on_read_only(file: &Path) -> Result<Self, StoreError> {
        let name = file.display().to_string();
        let cannot = |detail: &str| StoreError::ReadOnly { file: name.clone(), detail: detail.to_owned() };
        if beside(file, "-wal").metadata().is_ok_and(|log| log.len() > 0) {
            return Err(cannot("some program did not close it"));
        }
        let whole = std::path::absolute(file).map_err(|error| cannot(&error.to_string()))?;
        let quoted = whole.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        let mut db = Self::with(Path::new(&format!("file:{quoted}?immutable=1")), flags)?;
        db.name.clone_from(&name);
        if !db.check_owner()? {
            return Err(cannot("no desk has been made in it"));
        }
        Ok(db)
    }

    /// A connection for long work: deleting a story, copying the database, checking a copy. It enforces no foreign keys, because
    /// SQLite would read whole tables again for each deleted text.
    pub(super) fn open_for_upkeep(file: &Path) -> Result<Self, StoreError> {
        let db = Self::with(file, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        db.set("PRAGMA synchronous = FULL; PRAGMA foreign_keys = OFF; PRAGMA secure_delete = ON;")?;
        Ok(db)
    }

    pub(super) fn with(file: &Path, flags: OpenFlags) -> Result<Self, StoreError> {
        let name = file.display().to_string();
        let opened = extension::register().and_then(|()| {
            let connection = Connection::open_with_flags(file, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
            passphrase::apply(&connection, file)?;
            connection.busy_timeout(Duration::from_secs(BUSY_SECONDS))?;
            connection.set_prepared_statement_cache_capacity(64);
            Ok(connection)
        });
        let connection =
            opened.map_err(|error| StoreError::CannotOpen { file: name.clone(), detail: error.to_string() })?;
        let db = Self {
            connection,
            packer: RefCell::default(),
            searches: SearchCache::default(),
            grew: Cell::new(false),
            requests: Arc::default(),
            name,
        };
        db.set("PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY;")?;
        Ok(db)
    }

    pub(super) fn set(&self, pragmas: &str) -> Result<(), StoreError> {
        self.connection.execute_batch(pragmas).map_err(|error| self.explain(error))
    }

    /// Refuses a database of a newer version or of another program before anything is changed. Returns whether there is
    /// anything in it.
    pub(super) fn check_owner(&self) -> Result<bool, StoreError> {
        let known = schema::TABLES.map(|table| format!("'{table}'")).join(", ");
        let (version, tables, ours): (i64, i64, i64) = self
            .first(
                &format!(
                    "SELECT (SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_schema),
                     (SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ({known}))"
                ),
                [],
                |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
            )
            .map_err(|fault| self.explain(fault))?;
        let is_ours = usize::try_from(ours) == Ok(schema::TABLES.len());
        if tables > 0 && (version == 0 || !is_ours) {
            let detail = "it is the database of another program".to_owned();
            return Err(StoreError::CannotOpen { file: self.name.clone(), detail });
        }
        if version > schema::VERSION {
            return Err(StoreError::Newer { file: self.name.clone() });
        }
        Ok(tables > 0)
    }

    /// The fault as the error that a person reads.
    pub(super) fn explain(&self, fault: impl Into<DbFault>) -> StoreError {
        let error = match fault.into() {
            DbFault::Store(error) => return error,
            DbFault::Sql(error) => error,
        };
        let (file, detail) = (self.name.clone(), error.to_string());
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                StoreError::Busy { file, seconds: BUSY_SECONDS }
            }
            Some(ErrorCode::DiskFull) => StoreError::Full { file },
            Some(ErrorCode::SystemIoFailure) => StoreError::Refused { file, detail },
            Some(ErrorCode::NotADatabase) => {
                StoreError::CannotOpen { file, detail: passphrase::unreadable().to_owned() }
            }
            Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied | ErrorCode::ReadOnly) => {
                StoreError::CannotOpen { file, detail }
            }
            _ => StoreError::Failed { file, detail },
        }
    }

    /// Changes rows. Returns how many.
    pub(super) fn change(&self, sql: &str, parameters: impl Params) -> Result<usize, DbFault> {
        Ok(self.connection.prepare_cached(sql)?.execute(parameters)?)
    }

    /// Changes rows, however many.
    pub(super) fn write(&self, sql: &str, parameters: impl Params) -> Result<(), DbFault> {
        self.change(sql, parameters).map(drop)
    }

    /// Adds a row. Returns its key.
    pub(super) fn insert(&self, sql: &str, parameters: impl Params) -> Result<i64, DbFault> {
        Ok(self.connection.prepare_cached(sql)?.insert(parameters)?)
    }

    pub(super) fn exists(&self, sql: &str, parameters: impl Params) -> Result<bool, DbFault> {
        Ok(self.connection.prepare_cached(sql)?.exists(parameters)?)
    }

    /// The first row, which must be there.
    pub(super) fn first<T>(
        &self,
        sql: &str,
        parameters: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, DbFault> {
        Ok(self.connection.prepare_cached(sql)?.query_row(parameters, read)?)
    }

    /// The first row, if there is one.
    pub(super) fn one<T>(
        &self,
        sql: &str,
        parameters: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, DbFault> {
        Ok(self.connection.prepare_cached(sql)?.query_row(parameters, read).optional()?)
    }

    /// The first column of the first row, which must be there.
    pub(super) fn value<T: FromSql>(&self, sql: &str, parameters: impl Params) -> Result<T, DbFault> {
        self.first(sql, parameters, |row| row.get(0))
    }

    /// The first column of the first row, if there is one.
    pub(super) fn optional<T: FromSql>(&self, sql: &str, parameters: impl Params) -> Result<Option<T>, DbFault> {
        self.one(sql, parameters, |row| row.get(0))
    }

    /// The first column of each row.
    pub(super) fn column<T: FromSql>(&self, sql: &str, parameters: impl Params) -> Result<Vec<T>, DbFault> {
        self.rows(sql, parameters, |row| Ok(row.get(0)?))
    }

    /// Returns the result of `read` for each row.
    pub(super) fn rows<T>(
        &self,
        sql: &str,
        parameters: impl Params,
        mut read: impl FnMut(&Row<'_>) -> Result<T, DbFault>,
    ) -> Result<Vec<T>, DbFault> {
        let mut found = Vec::new();
        self.each(sql, parameters, |row| {
            found.push(read(row)?);
            Ok(())
        })?;
        Ok(found)
    }

    /// Hands each row to `take`.
    pub(super) fn each(
        &self,
        sql: &str,
        parameters: impl Params,
        mut take: impl FnMut(&Row<'_>) -> Result<(), DbFault>,
    ) -> Result<(), DbFault> {
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query(parameters)?;
        while let Some(row) = rows.next()? {
            take(row)?;
        }
        Ok(())
    }

    /// Empties the write-ahead log, so that deleted content is gone from it too. False if a reader holds on to it.
    pub(super) fn empty_log(&self) -> bool {
        matches!(self.value::<i64>("PRAGMA wal_checkpoint(TRUNCATE)", []), Ok(0))
    }
}
