//! The tables. No version of the program was released yet, so there is one schema, and nothing to convert.

use rusqlite::{Connection, Transaction, TransactionBehavior};

/// The number of the schema, kept as SQLite's `user_version`.
pub(super) const VERSION: i64 = 1;

/// The tables that a database of ours is known by.
pub(super) const TABLES: [&str; 6] = ["blob", "story", "run", "journal", "llm_call", "event"];

/// The statements that make the tables, as SQLite takes them.
pub(super) const TABLES_SQL: &str = include_str!("schema.sql");

/// Makes the tables in a file that is empty. If two programs create one database at once, the second finds them made.
///
/// # Errors
/// As SQLite.
pub(super) fn make(connection: &Connection) -> rusqlite::Result<()> {
    if version(connection)? == VERSION {
        return Ok(());
    }
    let transaction = Transaction::new_unchecked(connection, TransactionBehavior::Immediate)?;
    if version(&transaction)? != VERSION {
        transaction.execute_batch(TABLES_SQL)?;
        transaction.execute_batch(include_str!("engine/sqlite.sql"))?;
        transaction.pragma_update(None, "user_version", VERSION)?;
    }
    transaction.commit()
}

fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

#[cfg(test)]
mod tests {
    use crate::database::Database;

    #[test]
    fn an_empty_file_on_a_disk_that_takes_no_file_is_no_desk() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("copydesk.db");
        std::fs::write(&file, b"").unwrap();
        let refused = Database::open_on_read_only(&file).map(drop).unwrap_err().to_string();
        assert!(refused.contains("no desk has been made in it"), "{refused}");
    }

    #[test]
    fn programs_that_create_one_database_at_once_all_open_it() {
        for _ in 0..20 {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("copydesk.db");
            std::thread::scope(|threads| {
                let opening: Vec<_> = (0..8).map(|_| threads.spawn(|| Database::open(&file).map(drop))).collect();
                for one in opening {
                    one.join().unwrap().unwrap();
                }
            });
        }
    }
}
