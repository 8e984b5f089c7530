//! A session with a PostgreSQL server.

use std::{
    cell::RefCell,
    collections::HashMap,
    error::Error,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use bytes::BytesMut;
use postgres::{
    Client, SimpleQueryMessage, Statement,
    error::SqlState,
    types::{FromSql, IsNull, ToSql, Type, accepts, to_sql_checked},
};
use rusqlite::types::{ToSqlOutput, Value, ValueRef};

use super::{
    address::{ServerAddress, told},
    parameters::Parameters,
};
use crate::fault::DbFault;
use copydesk_core::ports::StoreError;

/// Begins a transaction that writes, with the lock of the desk, which is a schema of the server's database. Finds the transaction's
/// number, and that of the server's process.
pub(crate) const BEGIN_TO_WRITE: &str =
    "BEGIN; SELECT pg_advisory_xact_lock(hashtext('copydesk ' || current_schema()));
    SELECT pg_current_xact_id(), pg_backend_pid()";

/// Begins a transaction whose statements all see one state.
pub(crate) const BEGIN_TO_READ: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// How long a program waits for a server that went away while it had the desk open, and how often it asks.
pub(crate) const AWAY: Duration = Duration::from_secs(30);
const AGAIN: Duration = Duration::from_millis(200);

/// Searches by vectors find as many neighbours as the store asks for (`NEAREST` in `knowledge/search.rs`): pgvector stops at 40 by itself. It
/// goes on while filters leave too few. No other program waits longer for a program that hangs, or for a machine that is gone.
const SETTINGS: &str = "SET hnsw.ef_search = 200; SET hnsw.iterative_scan = relaxed_order;
    SET lock_timeout = '10s'; SET idle_in_transaction_session_timeout = '60s';
    SET tcp_keepalives_idle = 15; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3";

/// Most statements that a session keeps prepared.
const MOST_PREPARED: usize = 512;

/// A client with the statements that it has prepared.
pub(crate) struct Session {
    pub(super) address: Arc<ServerAddress>,
    client: RefCell<Client>,
    prepared: RefCell<HashMap<String, Statement>>,
    /// The transaction that writes: its number, and that of the server's process.
    writes: RefCell<Option<(String, i64)>>,
}

impl Session {
    /// Opens a session.
    ///
    /// # Errors
    /// As the server, or the way to it.
    pub(crate) fn open(address: &Arc<ServerAddress>) -> Result<Self, postgres::Error> {
        let client = RefCell::new(connected(address)?);
        let (prepared, writes) = Default::default();
        Ok(Self { address: Arc::clone(address), client, prepared, writes })
    }

    /// Begins a transaction. If the server closed the session since the last one, opens another: nothing was begun yet.
    pub(crate) fn begin(&self, sql: &str) -> Result<(), DbFault> {
        let began = Instant::now();
        loop {
            let answer = self.client.borrow_mut().simple_query(sql);
            let error = match answer {
                Ok(found) => {
                    *self.writes.borrow_mut() = found.iter().rev().find_map(|found| match found {
                        SimpleQueryMessage::Row(row) => Some((row.get(0)?.to_owned(), row.get(1)?.parse().ok()?)),
                        _ => None,
                    });
                    return Ok(());
                }
                Err(error) => error,
            };
            if !self.has_lost(&error) {
                // The transaction may have begun without its lock.
                self.run("ROLLBACK")?;
                return Err(error.into());
            }
            while let Err(error) = self.reconnect() {
                if began.elapsed() > AWAY {
                    return Err(error.into());
                }
                thread::sleep(AGAIN);
            }
        }
    }

    /// Keeps what a transaction wrote, and tells the programs that listen. If the connection is cut meanwhile, finds out on another whether
    /// the server has kept it.
    pub(crate) fn commit(&self) -> Result<(), DbFault> {
        let committed = self.client.borrow_mut().batch_execute("NOTIFY copydesk; COMMIT");
        let Err(error) = committed else { return Ok(()) };
        let Some((transaction, process)) = self.writes.take().filter(|_| self.has_lost(&error)) else {
            return Err(error.into());
        };
        let began = Instant::now();
        while began.elapsed() < AWAY {
            let known = self.reconnect().map_err(DbFault::from).and_then(|()| self.fate_of(&transaction));
            match known.as_deref() {
                Ok("committed") => return Ok(()),
                Ok("in progress") => {
                    // The server has not noticed yet that the old connection is dead.
                    let end = "SELECT pg_terminate_backend(CAST(?1 AS INTEGER))";
                    self.rows(end, [process])?;
                }
                Ok(_) => return Err(error.into()),
                Err(_) => {}
            }
            thread::sleep(AGAIN);
        }
        Err(DbFault::Store(StoreError::Failed {
            file: self.address.name().to_owned(),
            detail: "the server went away while a change was written: look whether it is there once the server is back"
                .into(),
        }))
    }

    fn fate_of(&self, transaction: &str) -> Result<String, DbFault> {
        let sql = "SELECT coalesce(pg_xact_status(CAST(CAST(?1 AS TEXT) AS xid8)), 'unknown')";
        let rows = self.rows(sql, [transaction])?;
        let known = rows.first().map(|row| row.try_get(0)).transpose()?;
        Ok(known.unwrap_or_default())
    }

    /// Whether the session has ended with this error.
    fn has_lost(&self, error: &postgres::Error) -> bool {
        is_away(error) || self.client.borrow().is_closed()
    }

    fn reconnect(&self) -> Result<(), postgres::Error> {
        *self.client.borrow_mut() = connected(&self.address)?;
        self.prepared.borrow_mut().clear();
        Ok(())
    }

    /// Runs statements without parameters, in one round trip.
    pub(crate) fn run(&self, sql: &str) -> Result<(), DbFault> {
        Ok(self.client.borrow_mut().batch_execute(sql)?)
    }

    /// Changes rows. Returns how many.
    pub(crate) fn change(&self, sql: &str, parameters: impl Parameters) -> Result<usize, DbFault> {
        let statement = self.prepared(sql)?;
        let values = bound(parameters)?;
        let values: Vec<&(dyn ToSql + Sync)> = values.iter().map(|value| value as &(dyn ToSql + Sync)).collect();
        let changed = self.client.borrow_mut().execute(&statement, &values)?;
        Ok(usize::try_from(changed).unwrap_or(usize::MAX))
    }

    /// All rows that a statement finds.
    pub(crate) fn rows(&self, sql: &str, parameters: impl Parameters) -> Result<Vec<postgres::Row>, DbFault> {
        let statement = self.prepared(sql)?;
        let values = bound(parameters)?;
        let values: Vec<&(dyn ToSql + Sync)> = values.iter().map(|value| value as &(dyn ToSql + Sync)).collect();
        Ok(self.client.borrow_mut().query(&statement, &values)?)
    }

    fn prepared(&self, sql: &str) -> Result<Statement, DbFault> {
        if let Some(statement) = self.prepared.borrow().get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.client.borrow_mut().prepare(&in_dialect(sql))?;
        let mut prepared = self.prepared.borrow_mut();
        if prepared.len() >= MOST_PREPARED {
            prepared.clear();
        }
        prepared.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }
}

fn connected(address: &ServerAddress) -> Result<Client, postgres::Error> {
    let mut client = address.connect()?;
    client.batch_execute(SETTINGS)?;
    Ok(client)
}

/// Whether the server has gone away, is starting, or is going down.
fn is_away(error: &postgres::Error) -> bool {
    let states = [SqlState::ADMIN_SHUTDOWN, SqlState::CRASH_SHUTDOWN, SqlState::CANNOT_CONNECT_NOW];
    error.code().map_or_else(
        || error.is_closed() || error.source().is_some_and(<dyn Error + 'static>::is::<std::io::Error>),
        |code| states.contains(code) || *code == SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
    )
}

/// A statement as PostgreSQL has it: parameters `$1` for `?1`, and no word for SQLite's planner about indexes and the order of tables.
fn in_dialect(sql: &str) -> String {
    let mut words = sql.replace('?', "$").replace("CROSS JOIN", "JOIN");
    while let Some(at) = words.find(" INDEXED BY ") {
        let rest = words.get(at + " INDEXED BY ".len()..).unwrap_or_default();
        let name = rest.find(|letter: char| !letter.is_ascii_lowercase() && letter != '_').unwrap_or(rest.len());
        words.replace_range(at..at + " INDEXED BY ".len() + name, "");
    }
    words
}

/// A parameter's value, sent in the type that the statement wants at its place.
#[derive(Debug)]
struct Bound(Value);

fn bound(parameters: impl Parameters) -> Result<Vec<Bound>, DbFault> {
    let mut values = Vec::new();
    parameters.each(&mut |value| {
        values.push(Bound(match value.to_sql()? {
            ToSqlOutput::Borrowed(value) => Value::try_from(value).map_err(rusqlite::Error::from)?,
            ToSqlOutput::Owned(value) => value,
            _ => return Err(rusqlite::Error::InvalidQuery.into()),
        }));
        Ok(())
    })?;
    Ok(values)
}

impl ToSql for Bound {
    fn to_sql(&self, wanted: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        let unfit = || format!("a parameter of type {wanted} was given {:?}", self.0.data_type()).into();
        match (&self.0, wanted) {
            (Value::Null, _) => Ok(IsNull::Yes),
            (Value::Integer(number), &Type::BOOL) => (*number != 0).to_sql(wanted, out),
            (Value::Integer(number), &Type::INT8) => number.to_sql(wanted, out),
            (Value::Integer(number), &Type::INT4) => i32::try_from(*number)?.to_sql(wanted, out),
            #[expect(clippy::cast_precision_loss, reason = "an integer where a fraction is kept, such as a price")]
            (Value::Integer(number), &Type::FLOAT8) => (*number as f64).to_sql(wanted, out),
            (Value::Integer(number), &Type::TEXT) => number.to_string().to_sql(wanted, out),
            (Value::Real(number), &Type::FLOAT8) => number.to_sql(wanted, out),
            (Value::Text(text), _) if <&str as ToSql>::accepts(wanted) => text.as_str().to_sql(wanted, out),
            (Value::Blob(bytes), &Type::BYTEA) => bytes.as_slice().to_sql(wanted, out),
            _ => Err(unfit()),
        }
    }

    accepts!(BOOL, INT4, INT8, FLOAT8, TEXT, VARCHAR, NAME, BYTEA, UNKNOWN);
    to_sql_checked!();
}

/// A column's value in the types of rusqlite.
struct Column<'r>(ValueRef<'r>);

impl<'r> FromSql<'r> for Column<'r> {
    fn from_sql(stored: &Type, raw: &'r [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Self(match *stored {
            Type::BOOL => ValueRef::Integer(i64::from(bool::from_sql(stored, raw)?)),
            Type::INT4 => ValueRef::Integer(i64::from(i32::from_sql(stored, raw)?)),
            Type::INT8 => ValueRef::Integer(i64::from_sql(stored, raw)?),
            Type::FLOAT4 => ValueRef::Real(f64::from(f32::from_sql(stored, raw)?)),
            Type::FLOAT8 => ValueRef::Real(f64::from_sql(stored, raw)?),
            Type::BYTEA => ValueRef::Blob(raw),
            _ => ValueRef::Text(raw),
        }))
    }

    fn from_sql_null(_: &Type) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Self(ValueRef::Null))
    }

    accepts!(BOOL, INT4, INT8, FLOAT4, FLOAT8, TEXT, VARCHAR, NAME, BYTEA, UNKNOWN);
}

/// The value in a row's column.
pub(super) fn value_in(row: &postgres::Row, column: usize) -> Result<ValueRef<'_>, postgres::Error> {
    row.try_get::<_, Column<'_>>(column).map(|column| column.0)
}

/// The fault as the error that a person reads.
pub(crate) fn explain(name: &str, error: &postgres::Error) -> StoreError {
    let (file, mut detail) = (name.to_owned(), told(error));
    match error.code() {
        Some(code) if matches!(*code, SqlState::DISK_FULL) => StoreError::Full { file },
        Some(&SqlState::LOCK_NOT_AVAILABLE | &SqlState::T_R_DEADLOCK_DETECTED) => {
            StoreError::Busy { file, seconds: 10 }
        }
        Some(&SqlState::INSUFFICIENT_PRIVILEGE) => {
            detail.push_str(". The user of the key `database` needs all rights on the desk's schema and tables");
            StoreError::NotUsable { file, detail }
        }
        Some(&SqlState::READ_ONLY_SQL_TRANSACTION) => {
            detail.push_str(". Name a server that takes changes in the key `database`");
            StoreError::NotUsable { file, detail }
        }
        _ if is_away(error) => StoreError::Away { file, detail },
        _ => StoreError::Failed { file, detail },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_is_put_into_the_other_dialect() {
        let sql = "SELECT a FROM message INDEXED BY message_of_agent WHERE a = ?1 AND b = ?12";
        assert_eq!(in_dialect(sql), "SELECT a FROM message WHERE a = $1 AND b = $12");
    }

    #[tokio::test]
    async fn a_session_that_the_server_closed_is_opened_again_for_the_next_transaction() {
        let (_folder, store) = crate::testing::store();
        let on_server = store.read(|db| Ok(db.is_on_server())).await.unwrap();
        if !on_server {
            return; // .ci/postgres names a server
        }
        let of_reader: i64 = store.read(|db| db.value("SELECT pg_backend_pid()", [])).await.unwrap();
        store.write(move |db| db.write("SELECT pg_terminate_backend(CAST(?1 AS INTEGER))", [of_reader])).await.unwrap();
        let next: i64 = store.read(|db| db.value("SELECT pg_backend_pid()", [])).await.unwrap();
        assert_ne!(next, of_reader);
    }
}
