//! Version 13: what leaves the house, and the time before which nothing of a story may.

pub(super) const THIRTEENTH: &str = "
ALTER TABLE story ADD COLUMN embargo TEXT;       -- ISO 8601, UTC

CREATE TABLE outbox (
    id         INTEGER PRIMARY KEY,
    key        TEXT NOT NULL UNIQUE,             -- of story, version and target: nothing goes out twice
    run        INTEGER NOT NULL REFERENCES run(id),
    target     TEXT NOT NULL,
    kind       TEXT NOT NULL,
    place      TEXT NOT NULL,
    version    TEXT NOT NULL,                    -- SHA-256 of the article, hex
    digest     TEXT,                             -- SHA-256 of the file as it was sent last, hex
    state      TEXT NOT NULL CHECK (state IN ('waiting', 'sending', 'sent', 'failed', 'unknown')),
    attempts   INTEGER NOT NULL,
    answer     TEXT,
    wanted_by  TEXT NOT NULL,
    queued_at  TEXT NOT NULL,
    changed_at TEXT NOT NULL
) STRICT;
CREATE INDEX outbox_of_run ON outbox (run);
";

#[cfg(test)]
mod tests {
    use super::super::super::{
        Store,
        database::Database,
        schema::undone_to,
        testing::{AT, open, opening_of, story},
    };
    use crate::ports::{Archive as _, Outbox as _};

    #[tokio::test]
    async fn a_database_of_version_12_has_an_empty_outbox_and_no_embargo() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("copydesk.db");
        let store = Store::open(&file).unwrap();
        open(&store, opening_of("park", "R1", "The council voted."), None).await;
        drop(store);
        let db = Database::open(&file).unwrap();
        let earlier = "ALTER TABLE story DROP COLUMN embargo; DROP TABLE outbox; PRAGMA user_version = 12";
        db.sql(|connection| connection.execute_batch(&format!("{}{earlier}", undone_to(13)))).unwrap();
        drop(db);
        let store = Store::open(&file).unwrap();
        assert_eq!(store.deliveries(&story("park")).await.unwrap(), []);
        assert_eq!(store.desk().await.unwrap()[0].1.embargo, None);
        assert!(store.set_embargo(&story("park"), Some(AT.into()), "Ada", AT).await.unwrap());
        assert_eq!(store.desk().await.unwrap()[0].1.embargo.as_deref(), Some(AT));
        assert!(store.audit(vec![]).await.unwrap().flaws.is_empty());
    }
}
