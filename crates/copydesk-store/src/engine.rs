//! The engine under the store: SQLite in a file or, with the feature `postgres`, PostgreSQL on a server.
//!
//! Statements are written once, with parameters `?1`, `?2`, …, in SQL that both engines take. Values cross in the types of rusqlite, which
//! are plain data: integers, floats, text, bytes and null.

#[cfg(feature = "postgres")]
pub(super) mod address;
#[cfg(feature = "postgres")]
pub(super) mod aside;
#[cfg(feature = "postgres")]
#[cfg(test)]
mod faults;
#[cfg(feature = "postgres")]
pub(super) mod making;
pub(super) mod parameters;
#[cfg(feature = "postgres")]
pub(super) mod postgresql;

use rusqlite::{
    Connection,
    types::{FromSql, ValueRef},
};

/// A connection of one of the engines.
pub(super) enum DatabaseEngine {
    Sqlite(Connection),
    #[cfg(feature = "postgres")]
    Postgres(Box<postgresql::Session>),
}

/// A row that a statement found.
pub(super) enum DbRow<'r> {
    Sqlite(&'r rusqlite::Row<'r>),
    #[cfg(feature = "postgres")]
    Postgres(&'r tokio_postgres::Row),
}

impl DbRow<'_> {
    /// The value in a column, counted from 0.
    pub(super) fn get<T: FromSql>(&self, column: usize) -> rusqlite::Result<T> {
        match self {
            Self::Sqlite(row) => row.get(column),
            #[cfg(feature = "postgres")]
            Self::Postgres(_) => {
                let value = self.get_ref(column)?;
                let kind = value.data_type();
                T::column_result(value)
                    .map_err(|error| rusqlite::Error::FromSqlConversionFailure(column, kind, Box::new(error)))
            }
        }
    }

    /// The value in a column as it lies there.
    pub(super) fn get_ref(&self, column: usize) -> rusqlite::Result<ValueRef<'_>> {
        match self {
            Self::Sqlite(row) => row.get_ref(column),
            #[cfg(feature = "postgres")]
            Self::Postgres(row) => postgresql::value_in(row, column).map_err(|error| {
                rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Null, Box::new(error))
            }),
        }
    }
}
