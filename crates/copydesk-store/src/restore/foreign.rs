//! A database that another program or person may have made. Nothing in it is run: no trigger, view, index or expression, no extension. Rows
//! of the tables that we know are read, within limits, and written into a schema of our own.

use std::{
    fs::File,
    path::Path,
    time::{Duration, Instant},
};

use rusqlite::{Connection, OpenFlags, config::DbConfig, limits::Limit, params_from_iter, types::ToSqlOutput};

use super::no_backup::NoBackup;
use crate::prelude::*;
use crate::{head::HeadFile, knowledge::rebuild, packing::LONGEST, schema};
use copydesk_core::ports::WorkProgress;

/// The limit on the unpacked size of all texts: this many bytes, or `TIMES` times the file's size if that is more. Prose shrinks to a
/// third, a repetitive page to a fiftieth.
const TEXTS: u64 = 1 << 30;
const TIMES: u64 = 50;

/// How long reading may take, and how much longer a megabyte.
const PATIENCE: Duration = Duration::from_mins(1);
const A_MEGABYTE: Duration = Duration::from_millis(500);

/// Steps of SQLite's machine between two looks at the clock.
const STEPS: i32 = 10_000;

/// The table whose rows are counted again.
const MADE_AGAIN: &str = "tally";

/// Tables that hold rows of their own.
const PLAIN: &str = "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0";

/// A limit on keys that no real database reaches.
const MOST_KEYS: i64 = 1 << 48;

pub(super) struct Foreign {
    db: Database,
    /// The file's size in bytes.
    size: u64,
}

impl Foreign {
    pub(super) fn open(file: &Path) -> Result<Self, NoBackup> {
        let size = file.metadata().map_or(0, |file| file.len());
        let db = Database::with(file, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        let explain = |fault: DbFault| db.explain(fault);
        guard(db.sqlite().map_err(explain)?, size).map_err(|error| db.explain(error))?;
        if !db.check_owner()? {
            return Err(NoBackup::NoDesk);
        }
        Ok(Self { db, size })
    }

    /// A new database `fresh` with its rows.
    pub(super) fn copied_to(&self, fresh: &Path, progress: &WorkProgress) -> Result<Database, NoBackup> {
        let ours = Database::with(fresh, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        // A file that is thrown away if anything fails needs no journal.
        ours.set(
            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; PRAGMA secure_delete = ON;",
        )?;
        let made = ours.sqlite().and_then(|connection| Ok(schema::make(connection)?));
        made.map_err(|fault| ours.explain(fault))?;
        ours.set("BEGIN")?;
        self.copy_rows(&ours, progress).map_err(|stopped| self.why(stopped))?;
        // The new place gets a file of its own for the end of the log.
        let settled =
            rebuild(&ours).and_then(|()| ours.write("DELETE FROM setting WHERE key = ?1", [HeadFile::SETTING]));
        settled.map_err(|fault| ours.explain(fault))?;
        ours.set("COMMIT; PRAGMA synchronous = FULL;")?;
        let synced = File::open(fresh).and_then(|file| file.sync_all());
        synced.map_err(|error| StoreError::Failed { file: fresh.display().to_string(), detail: error.to_string() })?;
        Ok(ours)
    }

    fn copy_rows(&self, ours: &Database, progress: &WorkProgress) -> Result<(), Stopped> {
        let mut texts = 0_u64;
        let tables = tables(ours)?;
        let (mut done, mut all) = (0, 0);
        for table in &tables {
            if self.db.exists(&format!("{PLAIN} AND name = ?1"), [table])? {
                let rows = self.db.value(&format!("SELECT count(*) FROM main.\"{table}\" NOT INDEXED"), [])?;
                all += natural(rows);
            }
        }
        for table in tables {
            let columns = self.columns(ours, &table)?;
            let names = columns.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
            let marks = vec!["?"; columns.len()].join(", ");
            let mut put = ours.sqlite()?.prepare(&format!("INSERT INTO \"{table}\" ({names}) VALUES ({marks})"))?;
            let size = columns.iter().position(|name| name == "size");
            let mut read = self.db.sqlite()?.prepare(&format!("SELECT {names} FROM main.\"{table}\" NOT INDEXED"))?;
            let mut rows = read.query([])?;
            while let Some(row) = rows.next()? {
                done += 1;
                progress.at(done.min(all), all);
                if let Some(size) = size {
                    texts = texts.saturating_add(natural(row.get(size)?));
                    if texts > TEXTS.max(self.size.saturating_mul(TIMES)) {
                        return Err(Stopped::TooLarge(texts));
                    }
                }
                let values: Vec<ToSqlOutput<'_>> = (0..columns.len())
                    .map(|column| row.get_ref(column).map(ToSqlOutput::Borrowed))
                    .collect::<Result<_, _>>()?;
                put.execute(params_from_iter(values))?;
            }
        }
        self.copy_counters(ours)
    }

    /// The columns of our table, if theirs has them all, as plain columns of a plain table.
    fn columns(&self, ours: &Database, table: &str) -> Result<Vec<String>, Stopped> {
        let not_ours = || Stopped::NotOurs(table.to_owned());
        if !self.db.exists(&format!("{PLAIN} AND name = ?1"), [table])? {
            return Err(not_ours());
        }
        let columns: Vec<String> = ours.column("SELECT name FROM pragma_table_info(?1) ORDER BY cid", [table])?;
        let theirs: Vec<String> =
            self.db.column("SELECT name FROM pragma_table_xinfo(?1) WHERE hidden = 0", [table])?;
        if columns.iter().all(|column| theirs.contains(column)) { Ok(columns) } else { Err(not_ours()) }
    }

    /// How far SQLite has counted in tables whose keys are never given again.
    fn copy_counters(&self, ours: &Database) -> Result<(), Stopped> {
        for name in ["event", "document", "passage", "request"] {
            let seq: Option<i64> = self.db.optional("SELECT seq FROM main.sqlite_sequence WHERE name = ?1", [name])?;
            // No program of ours has ever counted so far.
            let Some(seq) = seq.filter(|seq| (0..MOST_KEYS).contains(seq)) else { continue };
            if ours.change("UPDATE sqlite_sequence SET seq = max(seq, ?2) WHERE name = ?1", params![name, seq])? == 0 {
                ours.write("INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)", params![name, seq])?;
            }
        }
        Ok(())
    }

    fn why(&self, stopped: Stopped) -> NoBackup {
        match stopped {
            Stopped::NotOurs(table) => NoBackup::NotOurs(table),
            Stopped::TooLarge(bytes) => NoBackup::TooLarge(bytes >> 20),
            Stopped::Fault(DbFault::Sql(error))
                if error.sqlite_error_code() == Some(rusqlite::ErrorCode::OperationInterrupted) =>
            {
                NoBackup::TooLong
            }
            Stopped::Fault(fault) => NoBackup::Store(self.db.explain(fault)),
        }
    }
}

/// Why the rows were not copied.
enum Stopped {
    NotOurs(String),
    TooLarge(u64),
    Fault(DbFault),
}

impl<F: Into<DbFault>> From<F> for Stopped {
    fn from(fault: F) -> Self {
        Self::Fault(fault.into())
    }
}

/// The tables of ours whose rows are copied.
fn tables(ours: &Database) -> Result<Vec<String>, DbFault> {
    let searched: Vec<String> =
        ours.column("SELECT name || '_' FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL%'", [])?;
    let mut plain: Vec<String> = ours.column(PLAIN, [])?;
    plain.retain(|name| {
        !name.starts_with("sqlite_") && name != MADE_AGAIN && !searched.iter().any(|search| name.starts_with(search))
    });
    Ok(plain)
}

/// Lets the connection read rows, and nothing else.
fn guard(connection: &Connection, size: u64) -> rusqlite::Result<()> {
    for (config, on) in [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
    ] {
        connection.set_db_config(config, on)?;
    }
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, i32::try_from(LONGEST).unwrap_or(i32::MAX))?;
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    let (began, patience) = (Instant::now(), PATIENCE + A_MEGABYTE * u32::try_from(size >> 20).unwrap_or(u32::MAX));
    connection.progress_handler(STEPS, Some(move || began.elapsed() > patience))?;
    connection.execute_batch("PRAGMA query_only = ON; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;")
}
