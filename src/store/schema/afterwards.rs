//! Version 14: what follows a publication. The passages that stories rest on; versions that were taken back; whom a story asked for a reply.

use rusqlite::{Transaction, params};
use rusqlite_migration::HookResult;

use crate::{
    editorial::passage_use::used,
    newsroom::{Entry, Journal, Usage},
    store::packing::Packer,
};

pub(super) const FOURTEENTH: &str = "
ALTER TABLE run ADD COLUMN killed TEXT;          -- JSON: when, by whom, why; null unless a notice took its version back
ALTER TABLE run ADD COLUMN accused TEXT NOT NULL DEFAULT '[]';      -- JSON: the persons whom its draft accuses

CREATE TABLE passage_use (
    run       INTEGER NOT NULL REFERENCES run(id),
    source    TEXT NOT NULL,                     -- SHA-256 of the text, hex
    start     INTEGER NOT NULL,                  -- bytes of it
    stop      INTEGER NOT NULL,
    name      TEXT NOT NULL,                     -- of the text, in this story
    knowledge INTEGER NOT NULL,                  -- 1: a file of the knowledge base
    PRIMARY KEY (run, source, start, stop, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX passage_use_of_source ON passage_use (source, start);

CREATE TABLE reply (
    id          INTEGER PRIMARY KEY,
    story       INTEGER NOT NULL REFERENCES story(id),
    name        TEXT NOT NULL,                   -- who was asked
    about       TEXT NOT NULL,                   -- what about; may be empty
    asked_at    TEXT NOT NULL,
    asked_by    TEXT NOT NULL,
    due         TEXT,                            -- ISO 8601, UTC
    answered_at TEXT,
    answer      TEXT,
    noted_by    TEXT
) STRICT;
CREATE INDEX reply_of_story ON reply (story, id);
";

/// Notes the passages of the stories that are there: of each story's current run, and of every run that was signed off. It is done here,
/// once, because programs that only look at a database cannot write, and because no list is right before all stories are in it.
pub(super) fn note_passages(transaction: &Transaction<'_>) -> HookResult {
    let mut runs = transaction.prepare(
        "SELECT run.id, size, packed, body FROM run CROSS JOIN blob ON blob.id = run.opening
         WHERE run.signed_by IS NOT NULL OR run.id IN (SELECT current_run FROM story)",
    )?;
    let mut entries = transaction.prepare(
        "SELECT step, at, size, packed, body FROM journal CROSS JOIN blob ON blob.id = journal.outcome
         WHERE run = ?1 ORDER BY seq",
    )?;
    let mut indexed = transaction.prepare("SELECT digest FROM document WHERE story IS NULL AND name = ?1")?;
    let mut note = transaction.prepare(
        "INSERT OR IGNORE INTO passage_use (run, source, start, stop, name, knowledge) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    let mut packer = Packer::default();
    let mut found = runs.query([])?;
    while let Some(row) = found.next()? {
        let run: i64 = row.get(0)?;
        // A run that cannot be read rests on nothing that anybody could find.
        let Some(opening) = read(&mut packer, row, 1)? else { continue };
        let mut journal = Journal::new(opening);
        let mut steps = entries.query([run])?;
        while let Some(row) = steps.next()? {
            let Ok(step) = row.get::<_, String>(0)?.parse() else { continue };
            let Some(outcome) = read(&mut packer, row, 2)? else { continue };
            journal.push(Entry { step, outcome, at: row.get(1)?, usage: Usage::default(), shown: None });
        }
        for place in used(&journal) {
            let knowledge = place.digest.is_none();
            let digest = match place.digest {
                Some(digest) => Some(digest),
                None => indexed.query([&place.name])?.next()?.map(|row| row.get(0)).transpose()?,
            };
            // A file that is not there any more is no witness of any other story either.
            let Some(digest) = digest else { continue };
            let byte = |at: u64| i64::try_from(at).unwrap_or(i64::MAX);
            note.execute(params![run, digest, byte(place.start), byte(place.end), place.name, knowledge])?;
        }
    }
    Ok(())
}

/// The record in a row's columns `size`, `packed` and `body`; none if it is damaged.
fn read<T: serde::de::DeserializeOwned>(
    packer: &mut Packer,
    row: &rusqlite::Row<'_>,
    first: usize,
) -> rusqlite::Result<Option<T>> {
    let body: Vec<u8> = row.get(first + 2)?;
    let text = packer.unpack(row.get(first)?, row.get(first + 1)?, &body);
    Ok(text.ok().and_then(|text| serde_json::from_slice(&text).ok()))
}

/// Takes it back.
#[cfg(test)]
pub(super) const UNDONE: &str = "DROP TABLE passage_use; DROP TABLE reply; ALTER TABLE run DROP COLUMN killed; ALTER TABLE run DROP COLUMN accused;";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        newsroom::{Draft, KeptLedger, Outcome, PassageUse, Proof, Step},
        ports::{Archive as _, Commit, Records as _},
        proof::{self, Gravity},
        store::{
            Store,
            database::Database,
            passage_use::uses_of,
            schema::undone_to,
            testing::{AT, draft, open, opening_of},
        },
    };

    #[tokio::test]
    async fn the_passages_of_the_stories_of_version_13_are_noted_and_of_what_cannot_be_read_none() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("copydesk.db");
        let store = Store::open(&file).unwrap();
        let mut runs = Vec::new();
        for slug in ["park", "mill", "torn"] {
            let mut opening = opening_of(slug, slug, "The council voted 7-2 on Tuesday. It rained.");
            opening.proves = true;
            let run = open(&store, opening.clone(), None).await;
            let written = draft("The council voted 7-2 on Tuesday.");
            let Outcome::Draft(Draft { article, .. }) = &written.outcome else { panic!("no draft") };
            let ledger = proof::ledger(article, &opening.sources(), Gravity::Concern);
            let kept = Some(KeptLedger { ledger, ..KeptLedger::default() });
            let outcome = Outcome::Proof(Proof { findings: vec![], kept });
            let entries = vec![written, Entry { step: Step::Prove { round: 1 }, outcome, ..draft("") }];
            store.commit(run, Commit { at: AT.into(), entries, ..Commit::default() }, None).await.unwrap();
            runs.push(run);
        }
        drop(store);
        let db = Database::open(&file).unwrap();
        db.sql(|connection| {
            connection.execute_batch(&undone_to(13))?;
            connection.execute(
                "UPDATE blob SET packed = 1, body = x'00' WHERE id = (SELECT opening FROM run WHERE run_id = 'torn')",
                [],
            )
        })
        .unwrap();
        drop(db);
        let store = Store::open(&file).unwrap();
        let shared = store.sharing(runs[0]).await.unwrap();
        assert_eq!(shared.iter().map(|shared| shared.story.as_str()).collect::<Vec<_>>(), ["desk/mill"]);
        let db = Database::open(&file).unwrap();
        let uses = uses_of(&db, runs[0]).unwrap();
        assert!(matches!(&*uses, [PassageUse { start: 0, end: 33, .. }]), "{uses:?}");
    }
}
