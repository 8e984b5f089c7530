//! A session with a PostgreSQL server.

use std::{cell::RefCell, collections::HashMap, error::Error, sync::Arc};

use bytes::BytesMut;
use postgres::{
    Client, Statement,
    error::SqlState,
    types::{FromSql, IsNull, ToSql, Type, accepts, to_sql_checked},
};
use rusqlite::types::{ToSqlOutput, Value, ValueRef};

use super::{
    address::{ServerAddress, told},
    parameters::Parameters,
};
use crate::{fault::DbFault, schema};
use copydesk_core::ports::StoreError;

/// Begins a transaction that writes, with the lock of the desk, which is a schema of the server's database.
pub(crate) const BEGIN_TO_WRITE: &str =
    "BEGIN; SELECT pg_advisory_xact_lock(hashtext('copydesk ' || current_schema()));";

/// Begins a transaction whose statements all see one state.
pub(crate) const BEGIN_TO_READ: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// Most statements that a session keeps prepared.
const MOST_PREPARED: usize = 512;

/// A client with the statements that it has prepared.
pub(crate) struct Session {
    address: Arc<ServerAddress>,
    client: RefCell<Client>,
    prepared: RefCell<HashMap<String, Statement>>,
}

impl Session {
    /// Opens a session.
    ///
    /// # Errors
    /// As the server, or the way to it.
    pub(crate) fn open(address: &Arc<ServerAddress>) -> Result<Self, postgres::Error> {
        let client = RefCell::new(connected(address)?);
        Ok(Self { address: Arc::clone(address), client, prepared: RefCell::default() })
    }

    /// Begins a transaction. If the server closed the session since the last one, opens another: nothing was begun yet.
    pub(crate) fn begin(&self, sql: &str) -> Result<(), DbFault> {
        let Err(fault) = self.run(sql) else { return Ok(()) };
        if !self.client.borrow().is_closed() {
            // The transaction may have begun without its lock.
            self.run("ROLLBACK")?;
            return Err(fault);
        }
        *self.client.borrow_mut() = connected(&self.address)?;
        self.prepared.borrow_mut().clear();
        self.run(sql)
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

/// A client whose searches by vectors find as many neighbours as the store asks for (`NEAREST` in `knowledge/search.rs`): pgvector stops at
/// 40 by itself. It goes on while filters leave too few.
fn connected(address: &ServerAddress) -> Result<Client, postgres::Error> {
    let mut client = address.connect()?;
    client.batch_execute("SET hnsw.ef_search = 200; SET hnsw.iterative_scan = relaxed_order")?;
    Ok(client)
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

/// Makes the tables in a schema that has none.
pub(crate) fn make(session: &Session) -> Result<(), DbFault> {
    if let Some(schema) = session.address.schema()
        && session.rows("SELECT 1 FROM pg_namespace WHERE nspname = ?1", [schema])?.is_empty()
    {
        session.run(&format!("CREATE SCHEMA IF NOT EXISTS {schema}"))?;
    }
    if is_made(session)? {
        return Ok(());
    }
    session.run(BEGIN_TO_WRITE)?;
    let made = || {
        if !is_made(session)? {
            session.run("CREATE EXTENSION IF NOT EXISTS vector")?;
            session.run(&tables(schema::TABLES_SQL))?;
            session.run(include_str!("postgresql.sql"))?;
            let version = "INSERT INTO setting (key, value) VALUES ('schema', ?1)";
            session.change(version, [schema::VERSION.to_string()])?;
        }
        session.run("COMMIT")
    };
    made().inspect_err(|_| _ = session.run("ROLLBACK"))
}

fn is_made(session: &Session) -> Result<bool, DbFault> {
    const NONE: [&(dyn rusqlite::ToSql + Send + Sync); 0] = [];
    let sql = "SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'setting'";
    Ok(!session.rows(sql, NONE)?.is_empty())
}

/// The statements that make the tables, with PostgreSQL's types. References are checked at the commit, since stories and runs refer to each
/// other. References to texts are not checked: no index leads from a text to the rows that name it.
fn tables(sqlite: &str) -> String {
    let mut made = String::new();
    let mut references = String::new();
    let mut table = "";
    for line in sqlite.lines() {
        if let Some(name) = line.strip_prefix("CREATE TABLE ") {
            table = name.split_whitespace().next().unwrap_or_default();
        }
        let (line, comment) = line.split_once("--").map_or((line, ""), |(line, comment)| (line, comment));
        let (column, rest) = line.split_once(" REFERENCES ").unwrap_or((line, ""));
        let (referred, end) = rest.split_once(')').unwrap_or((rest, ""));
        if let Some(name) =
            column.split_whitespace().next().filter(|_| !referred.is_empty() && !referred.starts_with("blob"))
        {
            references.extend([
                "ALTER TABLE ",
                table,
                " ADD FOREIGN KEY (",
                name,
                ") REFERENCES ",
                referred,
                ") DEFERRABLE INITIALLY DEFERRED;\n",
            ]);
        }
        let column = column
            .replace("INTEGER PRIMARY KEY AUTOINCREMENT", "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY")
            .replace("INTEGER PRIMARY KEY", "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY")
            .replace("INTEGER", "BIGINT")
            .replace("BLOB", "BYTEA")
            .replace("REAL", "DOUBLE PRECISION")
            .replace("TEXT", "TEXT COLLATE \"C\"")
            .replace(") STRICT, WITHOUT ROWID", ")")
            .replace(") STRICT", ")");
        made.extend([&*column, end, " --", comment, "\n"]);
    }
    made + &references
}

/// The fault as the error that a person reads.
pub(crate) fn explain(name: &str, error: &postgres::Error) -> StoreError {
    let (file, detail) = (name.to_owned(), told(error));
    match error.code() {
        Some(code) if matches!(*code, SqlState::DISK_FULL) => StoreError::Full { file },
        Some(&SqlState::LOCK_NOT_AVAILABLE | &SqlState::T_R_DEADLOCK_DETECTED) => StoreError::Busy { file, seconds: 0 },
        Some(&SqlState::INSUFFICIENT_PRIVILEGE | &SqlState::READ_ONLY_SQL_TRANSACTION) => {
            StoreError::CannotOpen { file, detail }
        }
        None if error.is_closed() => StoreError::Refused { file, detail },
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
