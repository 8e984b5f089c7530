//! Version 6: the review queue. Since when a run stands as it does, and who let its flags stand.

/// A run of an earlier version stands as it does since its last change.
pub(super) const SIXTH: &str = "
ALTER TABLE run ADD COLUMN stands_since TEXT;              -- waits there, is at work, has ended: ISO 8601, UTC
ALTER TABLE run ADD COLUMN settled_by TEXT;                -- the editor who let the flags stand; why and when: the event
";

#[cfg(test)]
mod tests {
    use rusqlite::{OpenFlags, params};
    use rusqlite_migration::{M, Migrations};

    use super::super::{FIRST, SECOND, knowledge, memory, note_prompt_parts};
    use crate::{
        ports::{Archive as _, RunKey, Stories as _},
        store::{
            Store,
            blobs::put_record,
            database::Database,
            testing::{AT, opening_of},
        },
    };

    #[tokio::test]
    async fn a_flagged_run_of_version_4_waits_since_its_last_change() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("copydesk.db");
        let mut db = Database::with(&file, OpenFlags::default()).unwrap();
        let fourth = vec![
            M::up(FIRST),
            M::up_with_hook(SECOND, note_prompt_parts),
            M::up(memory::THIRD),
            M::up(knowledge::FOURTH),
        ];
        Migrations::new(fourth).to_latest(&mut db.connection).unwrap();
        let opening = put_record(&db, &opening_of("park", "R1", "The council voted.")).unwrap();
        db.sql(|connection| {
            connection
                .execute("INSERT INTO story (id, folded, channel, slug) VALUES (1, 'desk/park', 'desk', 'park')", [])?;
            connection.execute(
                "INSERT INTO run (id, story, run_id, title, pins, opening, state, flags, opened_at, updated_at)
                     VALUES (7, 1, 'R1', 'The park', 'pins', ?1, 'failed', '[\"a flag\"]', 'before', ?2)",
                params![opening, AT],
            )?;
            connection.execute("UPDATE story SET current_run = 7", [])
        })
        .unwrap();
        drop(db);

        let store = Store::open(&file).unwrap();
        let (key, run) = store.desk().await.unwrap().remove(0);
        assert_eq!((key, run.stands_since.as_str(), run.is_in_review()), (RunKey(7), AT, true));
        assert!(store.settle_flags(key, "Known.", "Ada", AT).await.unwrap());
    }
}
