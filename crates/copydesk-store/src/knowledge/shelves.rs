//! The two shelves, and how many passages each has.

use rusqlite::params;

use crate::database::Database;
use crate::fault::DbFault;

/// The shelf of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ShelfKind {
    Knowledge,
    Story,
}

impl ShelfKind {
    /// The prefix of its tables' names.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Knowledge => "knowledge",
            Self::Story => "story",
        }
    }
}

/// How many passages a shelf has.
pub(super) fn tally(db: &Database, shelf: ShelfKind) -> Result<i64, DbFault> {
    db.value("SELECT passages FROM tally WHERE shelf = ?1", [shelf.name()])
}

/// Notes that passages came (above 0) or went (below 0).
pub(super) fn count_passages(db: &Database, shelf: ShelfKind, more: i64) -> Result<(), DbFault> {
    db.write("UPDATE tally SET passages = passages + ?2 WHERE shelf = ?1", params![shelf.name(), more])
}
