//! Compares the passages that runs rest on with the digest that the audit log has of each list. If a passage is missing there, its stories
//! are not found when it turns out to be wrong.

use super::log_book::LogBook;
use crate::passage_use::{digest_of_uses, uses_of};
use crate::prelude::*;
use copydesk_core::ports::Flaw;

pub(super) fn passages(db: &Database, told: &LogBook, flaws: &mut Vec<Flaw>) -> Result<(), DbFault> {
    let runs: Vec<(i64, String)> = db.rows("SELECT id, run_id FROM run", [], |row| Ok((row.get(0)?, row.get(1)?)))?;
    for (id, run) in runs {
        let Some(digest) = told.passages.get(&id) else { continue };
        let kept = readable(uses_of(db, RunKey(id)))?;
        if kept.is_none_or(|uses| digest_of_uses(&uses) != *digest) {
            flaws.push(Flaw::Run { run, what: "list of passages" });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::{
        database::Database,
        testing::{AT, open, opening_of, store_in_a_file},
    };
    use copydesk_core::ports::{Archive as _, Commit, Records as _};
    use copydesk_newsroom::{Event, PassageUse};

    #[tokio::test]
    async fn whoever_changes_what_a_story_rests_on_is_found() {
        for change in [
            "DELETE FROM passage_use WHERE start = 0",
            "UPDATE passage_use SET stop = 8 WHERE start = 0",
            "UPDATE passage_use SET source = 'other' WHERE NOT knowledge",
            "INSERT INTO passage_use SELECT run, source, 90, 99, name, knowledge FROM passage_use LIMIT 1",
        ] {
            let (folder, store) = store_in_a_file();
            let run = open(&store, opening_of("park", "R1", "Text."), None).await;
            let place = |name: &str, digest: Option<&str>, start| PassageUse {
                name: name.into(),
                digest: digest.map(str::to_owned),
                start,
                end: 9,
            };
            for uses in [vec![], vec![place("file.md", None, 3), place("m", Some("a"), 0)]] {
                let waits = Event::GateWaits { gate: "r1.gate".into(), question: "?".into() };
                let commit = Commit { at: AT.into(), passages: Some(uses), events: vec![waits], ..Commit::default() };
                store.commit(run, commit, None).await.unwrap();
                assert_eq!(store.audit(vec![]).await.unwrap().flaws, []);
            }
            let db = Database::open_for_upkeep(&folder.path().join("copydesk.db")).unwrap();
            db.write(change, []).unwrap();
            let said: Vec<String> = store.audit(vec![]).await.unwrap().flaws.iter().map(ToString::to_string).collect();
            assert!(said.iter().any(|said| said.contains("its list of passages")), "{change}: {said:?}");
        }
    }
}
