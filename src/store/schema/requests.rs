//! Version 16: the ledger over all requests, and what of a story must not leave this machine.

pub(super) const SIXTEENTH: &str = "
ALTER TABLE story ADD COLUMN secrecy TEXT;       -- JSON; null if nothing of it is secret

-- A passage of a confidential story has embedded = 4 while the embedder is on another machine.
CREATE TABLE request (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    at        TEXT NOT NULL,
    of        BLOB,                              -- SHA-256 of the story's name in lower case; null if it is no story's
    why       TEXT NOT NULL,
    host      TEXT NOT NULL,
    port      INTEGER NOT NULL,
    here      INTEGER NOT NULL,                  -- 1: it went to this machine
    bytes_out INTEGER NOT NULL,
    bytes_in  INTEGER,
    outcome   TEXT,                              -- null while it is under way
    link      BLOB NOT NULL                      -- SHA-256 over the link before and what was known when it was sent
) STRICT;
CREATE INDEX request_of_story ON request (of) WHERE of IS NOT NULL;
";

/// Takes it back.
#[cfg(test)]
pub(super) const UNDONE: &str = "DROP TABLE request; ALTER TABLE story DROP COLUMN secrecy;";

#[cfg(test)]
mod tests {
    use crate::{
        newsroom::Secrecy,
        ports::{Archive as _, RequestLedger as _, Stories as _},
        store::{
            Store,
            database::Database,
            schema::undone_to,
            testing::{open, opening_of, story},
        },
    };

    #[tokio::test]
    async fn a_database_of_version_15_has_an_empty_ledger_and_no_secrets() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("copydesk.db");
        let store = Store::open(&file).unwrap();
        open(&store, opening_of("park", "R1", "The council voted."), None).await;
        drop(store);
        let db = Database::open(&file).unwrap();
        db.sql(|connection| connection.execute_batch(&undone_to(15))).unwrap();
        drop(db);
        let store = Store::open(&file).unwrap();
        assert_eq!(store.requests(None).await.unwrap(), []);
        assert_eq!(store.secrecy(&story("park")).await.unwrap(), Secrecy::default());
        assert!(store.audit(vec![]).await.unwrap().flaws.is_empty());
    }
}
