//! Version 8: texts that the Reporter found are a tier of their own.

use rusqlite::Transaction;
use rusqlite_migration::HookResult;

/// The migration is in [`allow_found`] alone.
pub(super) const EIGHTH: &str = "SELECT 1;";

/// Widens the check of `document.tier` without copying the texts: no row changes. The way is SQLite's own for a check alone
/// (<https://sqlite.org/lang_altertable.html>, section 7).
pub(super) fn allow_found(transaction: &Transaction<'_>) -> HookResult {
    let version: i64 =
        transaction.query_row("SELECT schema_version FROM pragma_schema_version", [], |row| row.get(0))?;
    transaction.execute_batch(
        "PRAGMA writable_schema = ON;
         UPDATE sqlite_schema SET sql = replace(sql, '''evidence'', ''article''', '''evidence'', ''found'', ''article''')
             WHERE type = 'table' AND name = 'document';",
    )?;
    transaction.pragma_update(None, "schema_version", version + 1)?;
    transaction.execute_batch("PRAGMA writable_schema = OFF;")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use rusqlite::OpenFlags;
    use rusqlite_migration::Migrations;

    use crate::store::{
        database::Database,
        schema::{migrate, steps},
    };

    #[test]
    fn a_database_of_version_7_takes_found_texts_and_keeps_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("copydesk.db");
        let mut db = Database::with(&file, OpenFlags::default()).unwrap();
        let seventh = steps().into_iter().take(7).collect();
        Migrations::new(seventh).to_latest(&mut db.connection).unwrap();
        let add = |db: &Database, tier: &str| {
            db.connection.execute(
                "INSERT INTO document (tier, name, title, credibility, digest, tokens, size, packed, body)
                     VALUES (?1, ?1, 't', 1.0, 'd', 1, 1, 0, x'61')",
                [tier],
            )
        };
        add(&db, "evidence").unwrap();
        add(&db, "found").unwrap_err();
        migrate(&mut db.connection).unwrap();
        add(&db, "found").unwrap();
        add(&db, "rumour").unwrap_err();
        let whole: String = db.connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
        let rows: i64 = db.connection.query_row("SELECT count(*) FROM document", [], |row| row.get(0)).unwrap();
        assert_eq!((whole.as_str(), rows), ("ok", 2));
    }
}
