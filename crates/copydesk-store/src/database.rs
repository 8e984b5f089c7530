//! One connection to the database file, with a short call for each usual kind of statement.

use std::{
    cell::{Cell, RefCell},
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use rusqlite::{Connection, ErrorCode, OpenFlags, types::FromSql};

#[cfg(feature = "postgres")]
use super::engine::postgresql;
use super::{
    ends::Ends,
    engine::{DatabaseEngine, DbRow, parameters::Parameters},
    extension,
    fault::DbFault,
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
    pub(super) engine: DatabaseEngine,
    pub(super) packer: RefCell<Packer>,
    pub(super) searches: SearchCache,
    /// The ends of the tables that only grow, once a writing transaction has read them.
    pub(super) ends: RefCell<Option<Ends>>,
    /// Whether events were appended since [`Database::keep_head`] was last called.
    pub(super) grew: Cell<bool>,
    /// Whether a server need not sync the running transaction to its disk.
    pub(super) unsynced: Cell<bool>,
    /// Whether the other programs of a server need not hear of the running transaction: it leaves no step to them. Screens look now and then
    /// without being told.
    pub(super) unheard: Cell<bool>,
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
        let end = self.one("SELECT seq, chain FROM log_link ORDER BY seq DESC LIMIT 1", [], |row| {
            let seq: i64 = row.get(0)?;
            Ok((u64::try_from(seq).unwrap_or(0), hex::encode(row.get_ref(1)?.as_blob()?)))
        })?;
        Ok(end.unwrap_or_default())
    }

    /// The value that `count_on` returns of the ends of the tables that only grow, which it may change. Only in a transaction that writes: it
    /// reads them once.
    pub(super) fn with_ends<T>(&self, count_on: impl FnOnce(&mut Ends) -> T) -> Result<T, DbFault> {
        let known = self.ends.borrow_mut().take();
        let mut ends = known.map_or_else(|| self.read_ends(), Ok)?;
        let value = count_on(&mut ends);
        *self.ends.borrow_mut() = Some(ends);
        Ok(value)
    }

    fn read_ends(&self) -> Result<Ends, DbFault> {
        let sql = "SELECT (SELECT chain FROM log_link ORDER BY seq DESC LIMIT 1), (SELECT max(id) FROM request),
            (SELECT link FROM request ORDER BY id DESC LIMIT 1), (SELECT max(id) FROM text_key)";
        self.first(sql, [], |row| {
            let link = |column| row.get::<Option<Vec<u8>>>(column).map(Option::unwrap_or_default);
            let key = |column| row.get::<Option<i64>>(column).map(Option::unwrap_or_default);
            Ok(Ends { event: link(0)?, request: (key(1)?, link(2)?), blob: key(3)?, ..Ends::default() })
        })
    }

    /// How far the keys of a table have been counted, whatever was deleted since. A server counts those too that no commit kept, so that
    /// its count says nothing: 0.
    pub(super) fn counted(&self, table: &str) -> Result<i64, DbFault> {
        if self.is_on_server() {
            return Ok(0);
        }
        Ok(self.optional("SELECT seq FROM sqlite_sequence WHERE name = ?1", [table])?.unwrap_or(0))
    }

    /// Begins the file that holds the end of the audit log, for a database that has none yet.
    fn begin_head(&self, head: &HeadFile) -> Result<(), DbFault> {
        if self.exists("SELECT 1 FROM setting WHERE key = ?1", [HeadFile::SETTING])? {
            return Ok(());
        }
        // On a disk that takes no file there is none: then only the table says how long the log is.
        if head.begin(&self.log_end()?).is_ok() {
            self.write(
                "INSERT INTO setting (key, value) VALUES (?1, 'kept') ON CONFLICT DO NOTHING",
                [HeadFile::SETTING],
            )?;
        }
        Ok(())
    }

    /// Notes the end of the audit log beside the database, if what was committed made it longer. A server has no such file.
    pub(super) fn keep_head(&self) {
        if self.grew.replace(false)
            && !self.is_on_server()
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
        let made = self.sqlite().and_then(|connection| Ok(schema::make(connection)?));
        made.map_err(|fault| self.explain(fault))
    }

    pub(super) fn open_for_reading(file: &Path) -> Result<Self, StoreError> {
        // Read-write all the same: a reader of a WAL database needs its shared memory file.
        let db = Self::with(file, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        // All connections of a program share SQLite's own 2 MiB, and the writer uses them up: a search would read the same pages
        // again for each passage that it ranks. No cache holds enough of a large index, so the reader maps the file. A search by words
        // over 100,000 passages took 32 ms with 8 MiB of cache, and takes 8 (`benches/search.rs`).
        db.set("PRAGMA query_only = ON; PRAGMA cache_size = -8192; PRAGMA mmap_size = 1073741824;")?;
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
        let db = Self::over(DatabaseEngine::Sqlite(connection), name);
        db.set("PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY;")?;
        Ok(db)
    }

    pub(super) fn over(engine: DatabaseEngine, name: String) -> Self {
        Self {
            engine,
            packer: RefCell::default(),
            searches: SearchCache::default(),
            ends: RefCell::default(),
            grew: Cell::new(false),
            unsynced: Cell::new(false),
            unheard: Cell::new(false),
            requests: Arc::default(),
            name,
        }
    }

    /// Runs statements without parameters, whatever they find.
    pub(super) fn set(&self, statements: &str) -> Result<(), StoreError> {
        let done = match &self.engine {
            DatabaseEngine::Sqlite(connection) => connection.execute_batch(statements).map_err(DbFault::from),
            #[cfg(feature = "postgres")]
            DatabaseEngine::Postgres(session) => session.run(statements),
        };
        done.map_err(|fault| self.explain(fault))
    }

    /// The file, or the address without user and password.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The user whom the desk's server has let in; none for the owner of its tables.
    pub(super) fn user(&self) -> Option<String> {
        match &self.engine {
            DatabaseEngine::Sqlite(_) => None,
            #[cfg(feature = "postgres")]
            DatabaseEngine::Postgres(session) => session.user(),
        }
    }

    /// How often it has waited for its server so far.
    #[cfg(all(test, feature = "postgres"))]
    pub(super) fn trips(&self) -> Option<u64> {
        match &self.engine {
            DatabaseEngine::Sqlite(_) => None,
            DatabaseEngine::Postgres(session) => Some(session.trips()),
        }
    }

    /// Whether the desk is on a server.
    pub(super) fn is_on_server(&self) -> bool {
        !matches!(self.engine, DatabaseEngine::Sqlite(_))
    }

    /// SQLite's connection, for what no server does: copies of the file and checks of it.
    #[cfg_attr(not(feature = "postgres"), expect(clippy::unnecessary_wraps, reason = "a desk on a server has none"))]
    pub(super) fn sqlite(&self) -> Result<&Connection, DbFault> {
        match &self.engine {
            DatabaseEngine::Sqlite(connection) => Ok(connection),
            #[cfg(feature = "postgres")]
            DatabaseEngine::Postgres(_) => Err(DbFault::Store(StoreError::Failed {
                file: self.name.clone(),
                detail: "this is for a database in a file; for a server's, use its own tools, such as pg_dump".into(),
            })),
        }
    }

    /// Begins a transaction that writes. No other one writes meanwhile, here or elsewhere: the audit log is a chain with one end. A desk on a
    /// server is a schema, whose lock the transaction takes.
    pub(super) fn begin_to_write(&self) -> Result<(), StoreError> {
        self.ends.take();
        self.unsynced.set(false);
        self.unheard.set(false);
        match &self.engine {
            DatabaseEngine::Sqlite(_) => self.transact("BEGIN IMMEDIATE"),
            #[cfg(feature = "postgres")]
            DatabaseEngine::Postgres(session) => {
                session.begin(postgresql::BEGIN_TO_WRITE);
                Ok(())
            }
        }
    }

    /// Waits until everything that was written so far is done. A server is told of it with the next question otherwise.
    #[cfg_attr(not(feature = "postgres"), expect(clippy::unnecessary_wraps, reason = "a file does it at once"))]
    pub(super) fn settle(&self) -> Result<(), StoreError> {
        match &self.engine {
            DatabaseEngine::Sqlite(_) => Ok(()),
            #[cfg(feature = "postgres")]
            DatabaseEngine::Postgres(session) => session.settle().map_err(|fault| self.explain(fault)),
        }
    }

    /// Lets `work` ask its questions in advance, so that a server answers all of them with the next one. It finds nothing then, and writes
    /// nothing. Nothing else may be written until it asks again that changes an answer. A file answers at once.
    pub(super) fn rehearse(&self, work: impl FnOnce(&Self)) {
        match &self.engine {
            DatabaseEngine::Sqlite(_) => drop(work),
            #[cfg(feature = "postgres")]
            DatabaseEngine::Postgres(session) => {
                // Nothing that is only rehearsed may count as stored.
                let ends = self.ends.take();
                session.rehearse(|| work(self));
                self.ends.replace(ends);
            }
        }
    }

    /// Ends a transaction or a part of it, or begins a part.
    pub(super) fn transact(&self, sql: &str) -> Result<(), StoreError> {
        if sql.starts_with("ROLLBACK") {
            self.ends.take();
        }
        match &self.engine {
            DatabaseEngine::Sqlite(_) => self.write(sql, []).map_err(|fault| self.explain(fault)),
            #[cfg(feature = "postgres")]
            DatabaseEngine::Postgres(session) if sql.ends_with(" job") && !sql.starts_with("ROLLBACK") => {
                session.run_later(sql);
                Ok(())
            }
            #[cfg(feature = "postgres")]
            DatabaseEngine::Postgres(_) => self.set(sql),
        }
    }

    /// Keeps what a transaction wrote. Programs that share a server hear of it, if it concerns them.
    pub(super) fn commit(&self) -> Result<(), StoreError> {
        self.ends.take();
        match &self.engine {
            DatabaseEngine::Sqlite(_) => self.transact("COMMIT"),
            #[cfg(feature = "postgres")]
            DatabaseEngine::Postgres(session) => {
                session.commit(!self.unsynced.get(), !self.unheard.get()).map_err(|fault| self.explain(fault))
            }
        }
    }

    /// Begins a transaction whose statements all see one state.
    pub(super) fn begin_to_read(&self) -> Result<(), StoreError> {
        match &self.engine {
            DatabaseEngine::Sqlite(_) => self.transact("BEGIN"),
            #[cfg(feature = "postgres")]
            DatabaseEngine::Postgres(session) => {
                session.begin(postgresql::BEGIN_TO_READ);
                Ok(())
            }
        }
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
            #[cfg(feature = "postgres")]
            DbFault::Server(error) => return postgresql::explain(&self.name, &error),
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
    pub(super) fn change(&self, sql: &str, parameters: impl Parameters) -> Result<usize, DbFault> {
        match &self.engine {
            DatabaseEngine::Sqlite(connection) => {
                let mut statement = connection.prepare_cached(sql)?;
                bind(&mut statement, parameters)?;
                Ok(statement.raw_execute()?)
            }
            #[cfg(feature = "postgres")]
            DatabaseEngine::Postgres(session) => session.change(sql, parameters),
        }
    }

    /// Changes rows, however many. A server may refuse them at a later statement, or at the commit.
    pub(super) fn write(&self, sql: &str, parameters: impl Parameters) -> Result<(), DbFault> {
        match &self.engine {
            DatabaseEngine::Sqlite(_) => self.change(sql, parameters).map(drop),
            #[cfg(feature = "postgres")]
            DatabaseEngine::Postgres(session) => session.change_later(sql, parameters),
        }
    }

    pub(super) fn exists(&self, sql: &str, parameters: impl Parameters) -> Result<bool, DbFault> {
        Ok(self.one(sql, parameters, |_| Ok(()))?.is_some())
    }

    /// The first row, which must be there.
    pub(super) fn first<T>(
        &self,
        sql: &str,
        parameters: impl Parameters,
        read: impl FnOnce(&DbRow<'_>) -> Result<T, DbFault>,
    ) -> Result<T, DbFault> {
        self.one(sql, parameters, read)?.ok_or_else(|| rusqlite::Error::QueryReturnedNoRows.into())
    }

    /// The first row, if there is one.
    pub(super) fn one<T>(
        &self,
        sql: &str,
        parameters: impl Parameters,
        read: impl FnOnce(&DbRow<'_>) -> Result<T, DbFault>,
    ) -> Result<Option<T>, DbFault> {
        match &self.engine {
            DatabaseEngine::Sqlite(connection) => {
                let mut statement = connection.prepare_cached(sql)?;
                bind(&mut statement, parameters)?;
                let mut rows = statement.raw_query();
                rows.next()?.map(|row| read(&DbRow::Sqlite(row))).transpose()
            }
            #[cfg(feature = "postgres")]
            DatabaseEngine::Postgres(session) => {
                let rows = session.rows(sql, parameters)?;
                rows.first().map(|row| read(&DbRow::Postgres(row))).transpose()
            }
        }
    }

    /// The first column of the first row, which must be there.
    pub(super) fn value<T: FromSql>(&self, sql: &str, parameters: impl Parameters) -> Result<T, DbFault> {
        self.first(sql, parameters, |row| Ok(row.get(0)?))
    }

    /// The first column of the first row, if there is one.
    pub(super) fn optional<T: FromSql>(&self, sql: &str, parameters: impl Parameters) -> Result<Option<T>, DbFault> {
        self.one(sql, parameters, |row| Ok(row.get(0)?))
    }

    /// The first column of each row.
    pub(super) fn column<T: FromSql>(&self, sql: &str, parameters: impl Parameters) -> Result<Vec<T>, DbFault> {
        self.rows(sql, parameters, |row| Ok(row.get(0)?))
    }

    /// Returns the result of `read` for each row.
    pub(super) fn rows<T>(
        &self,
        sql: &str,
        parameters: impl Parameters,
        mut read: impl FnMut(&DbRow<'_>) -> Result<T, DbFault>,
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
        parameters: impl Parameters,
        mut take: impl FnMut(&DbRow<'_>) -> Result<(), DbFault>,
    ) -> Result<(), DbFault> {
        match &self.engine {
            DatabaseEngine::Sqlite(connection) => {
                let mut statement = connection.prepare_cached(sql)?;
                bind(&mut statement, parameters)?;
                let mut rows = statement.raw_query();
                while let Some(row) = rows.next()? {
                    take(&DbRow::Sqlite(row))?;
                }
                Ok(())
            }
            #[cfg(feature = "postgres")]
            DatabaseEngine::Postgres(session) => {
                session.rows(sql, parameters)?.iter().try_for_each(|row| take(&DbRow::Postgres(row)))
            }
        }
    }

    /// Empties the write-ahead log, so that deleted content is gone from it too. False if a reader holds on to it, and
    /// on a server, which overwrites nothing.
    pub(super) fn empty_log(&self) -> bool {
        !self.is_on_server() && matches!(self.value::<i64>("PRAGMA wal_checkpoint(TRUNCATE)", []), Ok(0))
    }
}

fn bind(statement: &mut rusqlite::Statement<'_>, parameters: impl Parameters) -> Result<(), DbFault> {
    let mut place = 0;
    parameters.each(&mut |value| {
        place += 1;
        Ok(statement.raw_bind_parameter(place, value)?)
    })
}
