//! Version 12: the generation of a story's lease. It tells a program that hung and woke that another has its story.
//! Names of stories that differ in how their accents are composed are one.

use rusqlite::Transaction;
use rusqlite_migration::HookResult;

use crate::newsroom::fold_name;

pub(super) const TWELFTH: &str = "
ALTER TABLE story ADD COLUMN generation INTEGER NOT NULL DEFAULT 0;    -- of its lease: a commit that builds on an earlier one is refused
";

/// Folds the names of stories as they are compared now. If there are both spellings already, the second keeps its own.
pub(super) fn compose(transaction: &Transaction<'_>) -> HookResult {
    let mut stories = transaction.prepare("SELECT id, folded FROM story")?;
    let mut rename = transaction.prepare("UPDATE OR IGNORE story SET folded = ?2 WHERE id = ?1")?;
    let mut rows = stories.query([])?;
    let mut changed = Vec::new();
    while let Some(row) = rows.next()? {
        let (id, folded): (i64, String) = (row.get(0)?, row.get(1)?);
        changed.extend(Some((id, fold_name(&folded))).filter(|(_, composed)| *composed != folded));
    }
    for (id, composed) in changed {
        rename.execute((id, composed))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::super::{
        Store,
        database::Database,
        schema::undone_to,
        testing::{open, opening_of, story},
    };
    use crate::ports::Archive as _;

    #[tokio::test]
    async fn a_story_of_version_11_is_found_by_either_spelling_and_its_lease_has_a_generation() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("copydesk.db");
        let (composed, decomposed) = ("\u{f6}l", "o\u{308}l");
        let store = Store::open(&file).unwrap();
        let run = open(&store, opening_of(decomposed, "R1", "Oil."), None).await;
        drop(store);
        let db = Database::open(&file).unwrap();
        let earlier =
            "ALTER TABLE story DROP COLUMN generation; ALTER TABLE story DROP COLUMN embargo; DROP TABLE outbox;
                       PRAGMA user_version = 11";
        db.sql(|connection| {
            connection.execute_batch(&undone_to(13))?;
            connection.execute("UPDATE story SET folded = ?1", [format!("desk/{decomposed}")])?;
            connection.execute_batch(earlier)
        })
        .unwrap();
        drop(db);
        let store = Store::open(&file).unwrap();
        for spelling in [composed, decomposed] {
            assert_eq!(store.find(spelling).await.unwrap().first().map(|(key, _)| *key), Some(run), "{spelling:?}");
            assert_eq!(store.runs_of(&format!("desk/{spelling}")).await.unwrap().len(), 1);
        }
        let keys = [composed, decomposed].map(|slug| story(slug).folded());
        assert_eq!(keys[0], keys[1]);
    }
}
