//! Why the database could not do its work.

use rusqlite::types::FromSqlError;

use copydesk_core::ports::StoreError;

/// Why a piece of work on the database failed. `Database::explain` turns it into the error that a person reads.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub(super) enum DbFault {
    Sql(#[from] rusqlite::Error),
    #[cfg(feature = "postgres")]
    Server(#[from] tokio_postgres::Error),
    Store(#[from] StoreError),
}

impl From<FromSqlError> for DbFault {
    fn from(error: FromSqlError) -> Self {
        Self::Sql(error.into())
    }
}
