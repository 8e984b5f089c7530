//! Version 3: records of the memory that no run of this desk made, and what an editor struck out of it. Also texts of
//! calls that retention took.

/// A record that was imported belongs to no run. Beside a struck record stands who struck it, when and why; whoever
/// restores it takes that away again. If the texts of a call are gone, its row stays, with the digest of its input and
/// of its answer.
pub(super) const THIRD: &str = "
CREATE TABLE memory_3 (
    id             INTEGER PRIMARY KEY,
    cache_key_hash TEXT NOT NULL,
    run            INTEGER REFERENCES run(id),     -- null: imported
    at             TEXT NOT NULL,                  -- ISO 8601, UTC, with milliseconds: compared as text
    record         INTEGER NOT NULL REFERENCES blob(id),
    withdrawn      INTEGER NOT NULL DEFAULT 0,     -- 1: an editor overruled it at a gate
    struck_by      TEXT,
    struck_at      TEXT,                           -- null: nobody struck it
    struck_why     TEXT
) STRICT;
INSERT INTO memory_3 (id, cache_key_hash, run, at, record, withdrawn)
    SELECT id, cache_key_hash, run, at, record, withdrawn FROM memory;
DROP TABLE memory;
ALTER TABLE memory_3 RENAME TO memory;
CREATE INDEX memory_key ON memory (cache_key_hash, id);
CREATE INDEX memory_of_run ON memory (run);

ALTER TABLE llm_call ADD COLUMN removed_at TEXT;           -- when retention took the texts away
ALTER TABLE llm_call ADD COLUMN answer_digest BLOB;        -- SHA-256 of the answer that was taken away
";

#[cfg(test)]
mod tests {
    use rusqlite::{OpenFlags, params};
    use rusqlite_migration::{M, Migrations};

    use super::super::{FIRST, SECOND, note_prompt_parts};
    use crate::{
        ports::{Memory as _, MemoryBook as _, RecordState, RunKey},
        store::{
            Store,
            blobs::put_record,
            database::Database,
            testing::{AT, opening_of, record},
        },
    };

    #[tokio::test]
    async fn a_database_of_version_2_keeps_its_memory_whole() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("copydesk.db");
        let mut db = Database::with(&file, OpenFlags::default()).unwrap();
        let second = vec![M::up(FIRST), M::up_with_hook(SECOND, note_prompt_parts)];
        Migrations::new(second).to_latest(&mut db.connection).unwrap();
        let records =
            [record("desk/park", "one", "a"), record("desk/park", "two", "b"), record("desk/mill", "one", "c")];
        let opening = put_record(&db, &opening_of("park", "R1", "The council voted.")).unwrap();
        db.sql(|connection| {
            connection
                .execute("INSERT INTO story (id, folded, channel, slug) VALUES (1, 'desk/park', 'desk', 'park')", [])?;
            connection.execute(
                "INSERT INTO run (id, story, run_id, title, pins, opening, state, opened_at, updated_at)
                     VALUES (7, 1, 'R1', 'The park', 'pins', ?1, 'open', ?2, ?2)",
                params![opening, AT],
            )
        })
        .unwrap();
        for (record, withdrawn) in records.iter().zip([0, 1, 0]) {
            let blob = put_record(&db, record).unwrap();
            let values = params![record.cache_key_hash(), AT, blob, withdrawn];
            let sql = "INSERT INTO memory (cache_key_hash, run, at, record, withdrawn) VALUES (?1, 7, ?2, ?3, ?4)";
            db.connection.execute(sql, values).unwrap();
        }
        drop(db);

        let store = Store::open(&file).unwrap();
        assert_eq!(store.records_of(RunKey(7)).await.unwrap(), records);
        assert_eq!(store.recall("one", None).await.unwrap(), Some(records[2].clone()));
        assert_eq!(store.recall("two", None).await.unwrap(), None);
        let book = store.book().await.unwrap();
        let kept: Vec<_> = book.records.into_iter().map(|kept| (kept.record, kept.run, kept.standing)).collect();
        let of = |place: usize, standing| (records[place].clone(), Some("R1".to_owned()), standing);
        assert_eq!(kept, [of(2, RecordState::Offered), of(1, RecordState::Overruled), of(0, RecordState::Offered)]);
        let dangling = Database::open_for_upkeep(&file)
            .unwrap()
            .sql(|connection| connection.prepare("PRAGMA foreign_key_check")?.exists([]))
            .unwrap();
        assert!(!dangling);
    }
}
