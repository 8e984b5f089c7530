//! Carrying a desk from a file to a server, or back: every row of every table, in one transaction of the place that it goes to. Search
//! indexes are made anew there.

use std::{path::PathBuf, sync::Arc};

use rusqlite::types::Value;
use sha2::{Digest, Sha256};

use super::{
    engine::{address::ServerAddress, making},
    head::HeadFile,
    knowledge::rebuild,
    presence::Presence,
    schema,
};
use crate::prelude::*;
use copydesk_core::ports::WorkProgress;

/// Rows that a server sends at a time.
const PORTION: usize = 500;

/// A desk's old place, or its new one.
#[derive(Debug, Clone)]
pub enum MigrationPlace {
    File(PathBuf),
    /// An address that may have a password.
    Server(String),
}

/// Why a desk was not carried over. Both places are as they were.
#[derive(Debug, thiserror::Error)]
pub enum MigrationError {
    #[error("{place} has a desk already (stories: {stories}): name an empty one (nothing was changed)")]
    NotEmpty { place: String, stories: u64 },
    #[error("the database {file} does not exist, so there is no desk to carry over")]
    NoDesk { file: String },
    #[error("another program has {place} open: close it there first (nothing was changed)")]
    InUse { place: String },
    #[error("the rows of {table} did not arrive as they were: {detail} (nothing was kept; try again)")]
    Differs { table: String, detail: String },
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What was carried over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Migrated {
    pub stories: u64,
    pub rows: u64,
}

/// Carries the desk `from` to the empty place `to`. No other program can write to either meanwhile. Blocks; `progress` is told how many rows are copied.
///
/// # Errors
/// [`MigrationError`]. The new place is then as it was before, also if the program is killed.
pub fn migrate(
    from: &MigrationPlace,
    to: &MigrationPlace,
    progress: &WorkProgress,
) -> Result<Migrated, MigrationError> {
    if let MigrationPlace::File(file) = from
        && !file.exists()
    {
        return Err(MigrationError::NoDesk { file: file.display().to_string() });
    }
    let (_here, from) = open(from)?;
    let (_there, to) = open(to)?;
    let stories = |db: &Database| db.value("SELECT count(*) FROM story", []).map(natural);
    from.begin_to_write()?;
    to.begin_to_write()?;
    let there = stories(&to).map_err(|fault| to.explain(fault))?;
    let events: i64 = to.value("SELECT count(*) FROM event", []).map_err(|fault| to.explain(fault))?;
    if there > 0 || events > 0 {
        return Err(MigrationError::NotEmpty { place: to.name().to_owned(), stories: there });
    }
    let tables = tables();
    let all = |table: &Table| from.value(&format!("SELECT count(*) FROM {}", table.name), []).map(natural);
    let all: u64 = tables.iter().map(all).sum::<Result<u64, _>>().map_err(|fault| from.explain(fault))?;
    let mut done = 0;
    for table in &tables {
        let sent = copy(&from, &to, table, |rows| progress.at(done + rows, all.max(1)))?;
        let came = sum(&to, table).map_err(|fault| to.explain(fault))?;
        if sent != came {
            let detail = format!("{} rows were sent, {} came", sent.rows, came.rows);
            return Err(MigrationError::Differs { table: table.name.to_owned(), detail });
        }
        done += sent.rows;
    }
    let told = count_on(&to, &tables).and_then(|()| rebuild(&to)).and_then(|()| stories(&to));
    let stories = told.map_err(|fault| to.explain(fault))?;
    to.commit()?;
    Ok(Migrated { stories, rows: done })
}

/// The desk at a place, with the lock that keeps other programs out of a file.
fn open(place: &MigrationPlace) -> Result<(Option<Presence>, Database), MigrationError> {
    match place {
        MigrationPlace::File(file) => {
            // Opened as every program does, which makes the tables, then alone.
            drop(Database::open(file)?);
            let alone =
                Presence::alone(file).ok_or_else(|| MigrationError::InUse { place: file.display().to_string() })?;
            Ok((Some(alone), Database::open_for_upkeep(file)?))
        }
        MigrationPlace::Server(url) => {
            let db = making::open(&Arc::new(ServerAddress::parse(url)?))?;
            // It waits for the other place.
            db.set("SET idle_in_transaction_session_timeout = 0")?;
            Ok((None, db))
        }
    }
}

/// A table whose rows are copied.
struct Table {
    name: &'static str,
    columns: Vec<&'static str>,
    /// Its key, if the engine counts it.
    counted: Option<&'static str>,
}

impl Table {
    /// The columns, and which rows count: each place has some settings of its own.
    fn rows(&self) -> String {
        let own = if self.name == "setting" {
            format!(" WHERE key NOT IN ('{}', 'schema') AND key NOT LIKE 'commits of %'", HeadFile::SETTING)
        } else {
            String::new()
        };
        format!("SELECT {} FROM {}{own}", self.columns.join(", "), self.name)
    }
}

/// The tables, from the statements that make them. How many passages a shelf has is counted again.
fn tables() -> Vec<Table> {
    let mut tables: Vec<Table> = Vec::new();
    for line in schema::TABLES_SQL.lines() {
        let mut words = line.split_whitespace();
        if let Some(rest) = line.strip_prefix("CREATE TABLE ") {
            let name = rest.split_whitespace().next().unwrap_or_default();
            tables.push(Table { name, columns: Vec::new(), counted: None });
        } else if let (true, Some(table), Some(word)) = (line.starts_with("    "), tables.last_mut(), words.next())
            && word.starts_with(|letter: char| letter.is_ascii_lowercase())
        {
            if line.contains("INTEGER PRIMARY KEY") {
                table.counted = Some(word);
            }
            table.columns.push(word);
        }
    }
    tables.retain(|table| table.name != "tally");
    tables
}

/// What can be compared of a table's rows, in whatever order they come.
#[derive(Debug, Default, PartialEq, Eq)]
struct Sum {
    rows: u64,
    digests: u128,
}

impl Sum {
    fn add(&mut self, values: &[Value]) {
        let mut digest = Sha256::new();
        for value in values {
            let (kind, bytes): (u8, Vec<u8>) = match value {
                Value::Null => (0, Vec::new()),
                Value::Integer(number) => (1, number.to_be_bytes().to_vec()),
                Value::Real(number) => (2, number.to_bits().to_be_bytes().to_vec()),
                Value::Text(text) => (3, text.as_bytes().to_vec()),
                Value::Blob(bytes) => (4, bytes.clone()),
            };
            digest.update([kind]);
            digest.update((bytes.len() as u64).to_be_bytes());
            digest.update(bytes);
        }
        let digest: [u8; 32] = digest.finalize().into();
        let first = digest.first_chunk().copied().unwrap_or_default();
        self.digests = self.digests.wrapping_add(u128::from_be_bytes(first));
        self.rows += 1;
    }
}

fn copy(from: &Database, to: &Database, table: &Table, mut at: impl FnMut(u64)) -> Result<Sum, StoreError> {
    let places: Vec<String> = (1..=table.columns.len()).map(|place| format!("?{place}")).collect();
    let columns = table.columns.join(", ");
    let put = format!("INSERT INTO {} ({columns}) VALUES ({})", table.name, places.join(", "));
    let mut sum = Sum::default();
    let mut refused = None;
    let read = each_of(from, table, |row| {
        let values = values_in(row, table)?;
        sum.add(&values);
        at(sum.rows);
        to.write(&put, values).map_err(|fault| {
            refused = Some(fault);
            rusqlite::Error::InvalidQuery.into()
        })
    });
    match (refused, read) {
        (Some(fault), _) => Err(to.explain(fault)),
        (None, Err(fault)) => Err(from.explain(fault)),
        (None, Ok(())) => Ok(sum),
    }
}

fn sum(db: &Database, table: &Table) -> Result<Sum, DbFault> {
    let mut sum = Sum::default();
    each_of(db, table, |row| {
        sum.add(&values_in(row, table)?);
        Ok(())
    })?;
    Ok(sum)
}

fn values_in(row: &DbRow<'_>, table: &Table) -> Result<Vec<Value>, DbFault> {
    Ok((0..table.columns.len()).map(|column| row.get(column)).collect::<Result<_, _>>()?)
}

/// Hands each row of a table to `take`. A server would send all at once without a cursor.
fn each_of(
    db: &Database,
    table: &Table,
    mut take: impl FnMut(&DbRow<'_>) -> Result<(), DbFault>,
) -> Result<(), DbFault> {
    if !db.is_on_server() {
        return db.each(&table.rows(), [], take);
    }
    // A name for each table: the statement that fetches is kept with the columns that it once had.
    let cursor = format!("rows_of_{}", table.name);
    db.set(&format!("DECLARE {cursor} NO SCROLL CURSOR FOR {}", table.rows()))?;
    loop {
        let mut rows = 0;
        db.each(&format!("FETCH FORWARD {PORTION} FROM {cursor}"), [], |row| {
            rows += 1;
            take(row)
        })?;
        if rows < PORTION {
            break;
        }
    }
    Ok(db.set(&format!("CLOSE {cursor}"))?)
}

/// Lets a server count keys on from those that came. SQLite does so by itself.
fn count_on(db: &Database, tables: &[Table]) -> Result<(), DbFault> {
    if !db.is_on_server() {
        return Ok(());
    }
    for Table { name, counted, .. } in tables {
        let Some(key) = counted else { continue };
        db.set(&format!(
            "SELECT setval(pg_get_serial_sequence('{name}', '{key}'), (SELECT coalesce(max({key}), 0) + 1 FROM {name}), FALSE)"
        ))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Store,
        testing::{call, open as open_run, opening_of, server_url, store_in_a_file, story},
    };
    use copydesk_core::ports::{Archive as _, Records as _};
    use copydesk_newsroom::Step;

    #[test]
    fn every_table_is_read_from_the_statements_that_make_it() {
        let tables = tables();
        let blob = tables.iter().find(|table| table.name == "blob").unwrap();
        assert_eq!((blob.columns.join(" ").as_str(), blob.counted), ("id digest size packed body", Some("id")));
        assert!(tables.iter().all(|table| table.columns.len() > 1), "a table without columns");
        assert_eq!(tables.len() + 1, schema::TABLES_SQL.matches("CREATE TABLE ").count());
    }

    #[test]
    fn of_two_migrations_at_once_one_finds_the_place_taken() {
        let Some(url) = server_url() else { return };
        let place = || {
            let (folder, store) = store_in_a_file();
            let run = open_run(&store, opening_of("park", "R1", "The council met on Tuesday."), None);
            tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(run);
            folder
        };
        let (one, other) = (place(), place());
        let go = |folder: &tempfile::TempDir| {
            let (file, server) = (folder.path().join("copydesk.db"), MigrationPlace::Server(url.clone()));
            migrate(&MigrationPlace::File(file), &server, &WorkProgress::default())
        };
        let ended = std::thread::scope(|threads| {
            [&one, &other].map(|folder| threads.spawn(move || go(folder))).map(|one| one.join().unwrap())
        });
        let refused: Vec<_> = ended.iter().filter_map(|ended| ended.as_ref().err()).collect();
        assert!(matches!(refused[..], [MigrationError::NotEmpty { stories: 1, .. }]), "{ended:?}");
    }

    #[tokio::test]
    async fn a_desk_goes_to_a_server_and_back_and_is_the_same() {
        let Some(url) = server_url() else { return };
        let (folder, store) = store_in_a_file();
        let run = open_run(&store, opening_of("park", "R1", "The council met on Tuesday."), None).await;
        store.commit(run, call(Step::Draft, "The council met.", "An answer."), None).await.unwrap();
        let file = MigrationPlace::File(folder.path().join("copydesk.db"));
        let server = MigrationPlace::Server(url.clone());
        let go = |from: &MigrationPlace, to: &MigrationPlace| {
            let (from, to) = (from.clone(), to.clone());
            tokio::task::spawn_blocking(move || migrate(&from, &to, &WorkProgress::default()))
        };
        let busy = go(&file, &server).await.unwrap().unwrap_err();
        assert!(matches!(busy, MigrationError::InUse { .. }), "{busy}");
        let (events, calls) = (store.events(run).await.unwrap(), store.call_log(run).await.unwrap().len());
        drop(store);
        let nowhere = go(&MigrationPlace::File(folder.path().join("none.db")), &server).await.unwrap().unwrap_err();
        assert!(matches!(nowhere, MigrationError::NoDesk { .. }), "{nowhere}");

        let went = go(&file, &server).await.unwrap().unwrap();
        assert_eq!(went.stories, 1);
        let twice = go(&file, &server).await.unwrap().unwrap_err();
        assert!(matches!(twice, MigrationError::NotEmpty { stories: 1, .. }), "{twice}");

        let there = Store::connect(&url).unwrap();
        assert_eq!(there.events(run).await.unwrap().len(), events.len());
        assert_eq!(there.call_log(run).await.unwrap().len(), calls);
        assert!(there.audit(vec![]).await.unwrap().flaws.is_empty());
        let next = open_run(&there, opening_of("mill", "R2", "Another story."), None).await;
        assert!(next.0 > run.0, "keys are counted on");
        drop(there);

        let back = MigrationPlace::File(folder.path().join("back.db"));
        assert_eq!(go(&server, &back).await.unwrap().unwrap().stories, 2);
        let here = Store::open(&folder.path().join("back.db")).unwrap();
        assert!(here.audit(vec![]).await.unwrap().flaws.is_empty());
        assert_eq!(here.runs_of(&story("park").to_string()).await.unwrap().len(), 1);
    }
}
