//! Why a file is no backup.

use copydesk_core::ports::{Flaw, StoreError};

/// Why a database that was opened is no backup.
#[derive(Debug, thiserror::Error)]
pub(super) enum NoBackup {
    #[error("there is no desk in it")]
    NoDesk,
    #[error(transparent)]
    Flawed(Flaw),
    #[error("its table {0} is not one of Copydesk")]
    NotOurs(String),
    #[error("reading it took too long")]
    TooLong,
    #[error("its texts are too long: {0} MB")]
    TooLarge(u64),
    #[error(transparent)]
    Store(#[from] StoreError),
}
