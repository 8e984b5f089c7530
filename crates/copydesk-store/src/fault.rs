//! Why the database could not do its work.

use rusqlite::types::FromSqlError;

use copydesk_core::ports::StoreError;

/// Why a piece of work on the database failed. `Database::explain` turns it into the error that a person reads.
#[derive(Debug)]
pub(super) enum DbFault {
    Sql(rusqlite::Error),
    #[cfg(feature = "postgres")]
    Server(tokio_postgres::Error),
    Store(StoreError),
}

impl From<rusqlite::Error> for DbFault {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sql(error)
    }
}

#[cfg(feature = "postgres")]
impl From<tokio_postgres::Error> for DbFault {
    fn from(error: tokio_postgres::Error) -> Self {
        Self::Server(error)
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
