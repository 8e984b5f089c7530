//! Deleting a story: none of its rows stays, no text that only it refers to, and no trace of either in the file's free space.

use super::{
    blobs::bytes_in, columns::counted, events::append_event, knowledge::forget_story_texts,
    memory_book::imported_about, stored_prompt::references_in,
};
use crate::prelude::*;
use copydesk_core::ports::Deleted;

/// Every column that refers to a text, with its table. Texts are shared by digest: what another story's run refers to stays.
const REFERENCES: [(&str, &str); 5] =
    [("run", "opening"), ("journal", "outcome"), ("llm_call", "prompt"), ("llm_call", "answer"), ("memory", "record")];

/// Runs whose rows or texts go, and texts that go if nothing else refers to them. Both lists are in memory only.
pub(super) const LISTS: &str =
    "CREATE TEMP TABLE doomed (run BIGINT PRIMARY KEY); CREATE TEMP TABLE candidate (text BIGINT PRIMARY KEY);";

/// Deletes a story in one transaction, on a connection that enforces no foreign keys. After a failure the caller closes the
/// connection, which undoes the transaction.
pub(super) fn delete_story(db: &Database, folded: &str, by: &str, at: &str) -> Result<Option<Deleted>, DbFault> {
    db.begin_to_write()?;
    let Some(mut deleted) = take_away(db, folded, by, at)? else { return Ok(None) };
    db.commit()?;
    // The pages are overwritten in the write-ahead log; this brings them into the file.
    deleted.wiped = db.empty_log();
    Ok(Some(deleted))
}

fn take_away(db: &Database, folded: &str, by: &str, at: &str) -> Result<Option<Deleted>, DbFault> {
    let sql = "SELECT id, current_run FROM story WHERE folded = ?1";
    let found: Option<(i64, Option<i64>)> = db.one(sql, [folded], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let Some((story, current)) = found else { return Ok(None) };
    forget_story_texts(db, story)?;
    gather(db, story)?;
    let pairs = prompt_parts_of_doomed(db)?;
    let imported = imported_about(db, folded)?;
    for (id, _) in &imported {
        db.write("INSERT INTO candidate (text) SELECT record FROM memory WHERE id = ?1 ON CONFLICT DO NOTHING", [id])?;
        db.write("DELETE FROM memory WHERE id = ?1", [id])?;
    }
    let mut deleted = delete_rows(db, story)?;
    deleted.memory += counted(imported.len());
    (deleted.texts, _) = delete_texts(db, &pairs)?;
    if let Some(run) = current {
        let event = Event::StoryDeleted { by: by.to_owned(), runs: deleted.runs, calls: deleted.calls };
        append_event(db, RunKey(run), at, &event)?;
    }
    Ok(Some(deleted))
}

/// The parts of the doomed prompts, as (part, prompt); the parts become candidates.
pub(super) fn prompt_parts_of_doomed(db: &Database) -> Result<Vec<[i64; 2]>, DbFault> {
    let mut pairs = Vec::new();
    db.each(
        "SELECT id, size, packed, body FROM blob
         WHERE id IN (SELECT prompt FROM llm_call WHERE run IN (SELECT run FROM doomed))",
        [],
        |row| {
            let prompt: i64 = row.get(0)?;
            let parts = match bytes_in(db, row, 1).ok().and_then(|text| references_in(&text)) {
                Some(parts) => parts,
                // The parts of a damaged prompt go too. To find them, SQLite reads the whole table.
                None => db.column("SELECT part FROM prompt_part WHERE prompt = ?1", [prompt])?,
            };
            pairs.extend(parts.into_iter().map(|part| [part, prompt]));
            Ok(())
        },
    )?;
    for [part, _] in &pairs {
        db.write("INSERT INTO candidate (text) VALUES (?1) ON CONFLICT DO NOTHING", [part])?;
    }
    Ok(pairs)
}

/// Notes the story's runs and every text that they refer to.
fn gather(db: &Database, story: i64) -> Result<(), DbFault> {
    db.set(LISTS)?;
    db.write("INSERT INTO doomed SELECT id FROM run WHERE story = ?1", [story])?;
    for (table, column) in REFERENCES {
        let run = if table == "run" { "id" } else { "run" };
        db.write(
            &format!(
                "INSERT INTO candidate
                 SELECT {column} FROM {table} WHERE {run} IN (SELECT run FROM doomed) AND {column} IS NOT NULL
                 ON CONFLICT DO NOTHING"
            ),
            [],
        )?;
    }
    Ok(())
}

fn delete_rows(db: &Database, story: i64) -> Result<Deleted, DbFault> {
    let of_doomed = |sql: &str| db.change(&format!("{sql} IN (SELECT run FROM doomed)"), []).map(counted);
    let entries = of_doomed("DELETE FROM journal WHERE run")?;
    let calls = of_doomed("DELETE FROM llm_call WHERE run")?;
    let memory = of_doomed("DELETE FROM memory WHERE run")?;
    of_doomed("DELETE FROM scratch WHERE run")?;
    of_doomed("DELETE FROM message WHERE run")?;
    of_doomed("DELETE FROM outbox WHERE run")?;
    of_doomed("DELETE FROM passage_use WHERE run")?;
    of_doomed("DELETE FROM tool_call WHERE run")?;
    db.write("DELETE FROM reply WHERE story = ?1", [story])?;
    // The digests stay, and with them the proof that something happened, and when.
    let events = of_doomed("UPDATE event SET payload = NULL WHERE payload IS NOT NULL AND run")?;
    of_doomed("UPDATE run SET took_over = NULL WHERE took_over")?;
    db.write("DELETE FROM story WHERE id = ?1", [story])?;
    let runs = of_doomed("DELETE FROM run WHERE id")?;
    Ok(Deleted { runs, entries, calls, memory, events, texts: 0, wiped: false })
}

/// Deletes the candidates that nothing refers to any more. `pairs` are the doomed prompts' parts, as (part, prompt). Returns how
/// many it deleted, and the bytes that they took.
pub(super) fn delete_texts(db: &Database, pairs: &[[i64; 2]]) -> Result<(u64, u64), DbFault> {
    for (table, column) in REFERENCES {
        // CROSS JOIN makes this one pass over the table with a look into the short list for each row.
        db.write(
            &format!(
                "DELETE FROM candidate WHERE text IN
                 (SELECT candidate.text FROM {table} CROSS JOIN candidate ON candidate.text = {table}.{column})"
            ),
            [],
        )?;
    }
    for [part, prompt] in pairs {
        // A prompt that another run has too keeps its parts.
        if db.exists("SELECT 1 FROM candidate WHERE text = ?1", [prompt])? {
            db.write("DELETE FROM prompt_part WHERE part = ?1 AND prompt = ?2", [part, prompt])?;
        }
    }
    db.write("DELETE FROM candidate WHERE EXISTS (SELECT 1 FROM prompt_part WHERE part = candidate.text)", [])?;
    let doomed = "FROM blob WHERE id IN (SELECT text FROM candidate)";
    let bytes = db.value(&format!("SELECT CAST(coalesce(sum(length(body)), 0) AS BIGINT) {doomed}"), [])?;
    Ok((counted(db.change(&format!("DELETE {doomed}"), [])?), natural(bytes)))
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs, path::Path};

    use rusqlite::Connection;

    use super::*;
    use crate::{
        Store,
        testing::{AT, call, conversation, draft, open, opening_of, prompt, record, store, store_in_a_file, story},
    };
    use copydesk_core::ports::{Archive as _, Commit, Holdings, Memory as _, Records as _, Scratch as _, Stories as _};
    use copydesk_newsroom::{MemoryRecord, Prompt, Step};

    /// Text that no compression makes smaller than a page, so that it lies on several.
    fn noise(seed: u64) -> String {
        let mut state = seed;
        std::iter::repeat_with(|| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            format!("{state:016x}")
        })
        .take(2000)
        .collect()
    }

    /// A run of `slug` with a draft, two calls, a memory record and a text that is being typed.
    async fn work(store: &Store, slug: &str, run_id: &str, source: &str, own: &str) -> RunKey {
        let run = open(store, opening_of(slug, run_id, own), None).await;
        let memory = vec![record(&format!("desk/{slug}"), "hash", own)];
        let entries = vec![draft(own)];
        store.commit(run, Commit { entries, memory, ..call(Step::Draft, source, own) }, None).await.unwrap();
        let mut review = call(Step::Review { round: 1 }, own, "none");
        review.intents[0].prompt = conversation(own);
        store.commit(run, review, None).await.unwrap();
        store.keep(run, "r1.edit", own, AT).await.unwrap();
        run
    }

    /// The stored forms of a database's texts.
    fn bodies(file: &Path) -> BTreeSet<Vec<u8>> {
        let database = Connection::open(file).unwrap();
        let mut rows = database.prepare("SELECT body FROM blob").unwrap();
        rows.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    }

    /// Whether any 24 bytes of `body` that begin at a multiple of 500 stand in a file of `folder`.
    fn lies_in(folder: &Path, body: &[u8]) -> bool {
        let pieces: Vec<&[u8]> = body.chunks(500).filter_map(|chunk| chunk.get(..24)).collect();
        fs::read_dir(folder).unwrap().flatten().filter(|entry| entry.path().is_file()).any(|entry| {
            let bytes = fs::read(entry.path()).unwrap();
            pieces.iter().any(|piece| bytes.windows(24).any(|window| window == *piece))
        })
    }

    #[tokio::test]
    async fn a_deleted_story_leaves_nothing_and_takes_nothing_that_another_story_needs() {
        let (folder, store) = store_in_a_file();
        let file = folder.path().join("copydesk.db");
        let (shared, own, others) = (noise(1), noise(2), noise(3));
        let kept = work(&store, "mill", "R1", &shared, &others).await;
        let before = bodies(&file);
        work(&store, "park", "R2", &shared, &own).await;
        let gone = work(&store, "park", "R3", &shared, &own).await;
        let doomed: Vec<Vec<u8>> = bodies(&file).difference(&before).cloned().collect();
        assert!(
            doomed.len() >= 6 && doomed.iter().filter(|body| body.len() > 24).all(|body| lies_in(folder.path(), body))
        );
        assert!(lies_in(folder.path(), own.as_bytes()), "the text that is being typed");

        let deleted = store.delete_story(&story("Park"), "M. Ito", AT).await.unwrap().unwrap();
        let texts = u64::try_from(doomed.len()).unwrap();
        assert_eq!(deleted, Deleted { runs: 2, entries: 2, calls: 4, memory: 2, events: 2, texts, wiped: true });
        assert_eq!(bodies(&file), before, "the other story's texts, and only those");
        // What also stands in a text that stays is no trace.
        let stays = |body: &[u8]| {
            body.chunks(500)
                .any(|chunk| before.iter().any(|kept| kept.windows(24).any(|own| chunk.get(..24) == Some(own))))
        };
        for body in doomed.iter().filter(|body| body.len() > 24 && !stays(body)) {
            assert!(!lies_in(folder.path(), body));
        }
        assert!(!lies_in(folder.path(), own.as_bytes()));
        assert!(lies_in(folder.path(), others.as_bytes()), "what stays is found by the same search");

        // The other story is whole.
        assert_eq!(store.load(kept).await.unwrap().journal.entries(), [draft(&others)]);
        let read = |text: Option<copydesk_core::ports::CallText>| text.unwrap().prompt;
        let first: Prompt = read(store.call_text(kept, Step::Draft, 1).await.unwrap());
        assert_eq!(first, prompt(&shared));
        assert_eq!(read(store.call_text(kept, Step::Review { round: 1 }, 1).await.unwrap()), conversation(&others));
        assert_eq!(store.recall("hash", None).await.unwrap(), Some(record("desk/mill", "hash", &others)));
        let database = Connection::open(&file).unwrap();
        let dangling = database.prepare("PRAGMA foreign_key_check").unwrap().exists([]).unwrap();
        assert!(!dangling);

        // The log keeps its place and says that something was deleted; the run's key is not given again.
        let audit = store.audit(vec![]).await.unwrap();
        assert_eq!((audit.events, audit.flaws), (4, vec![]));
        let tail = store.tail(3).await.unwrap();
        assert_eq!((tail.last, tail.runs.as_slice()), (4, &[gone][..]));
        assert_eq!(store.listed(&[gone]).await.unwrap(), []);
        let next = open(&store, opening_of("park", "R4", "New."), None).await;
        assert!(next.0 > gone.0);
        assert_eq!(store.events(next).await.unwrap().len(), 1);
        assert_eq!(store.delete_story(&story("pool"), "M. Ito", AT).await.unwrap(), None);
    }

    #[tokio::test]
    async fn a_story_knows_what_it_has_outside_the_database() {
        let (_folder, store) = store();
        work(&store, "mill", "R1", "x", "m").await;
        work(&store, "park", "R2", "x", "p").await;
        let mut run = opening_of("park", "R3", "x");
        run.topic.source_metadata.topic_slug = copydesk_newsroom::PathName::new("PARK").unwrap();
        open(&store, run, None).await;
        let held = |slug: &str, run_id: &str| copydesk_core::ports::HeldRun {
            run_id: run_id.into(),
            story: story(slug),
            artifacts_dir: Some(format!("data/runs/desk/park/{run_id}")),
        };
        let of = |slug: &str, own: &str| -> Vec<MemoryRecord> { vec![record(&format!("desk/{slug}"), "hash", own)] };
        assert_eq!(
            store.holdings(&story("park")).await.unwrap(),
            Some(Holdings {
                runs: vec![held("park", "R2"), held("PARK", "R3")],
                memory: of("park", "p"),
                unreadable: 0,
                others: of("mill", "m")
            })
        );
        assert_eq!(store.holdings(&story("pool")).await.unwrap(), None);
    }

    #[tokio::test]
    async fn what_cannot_be_read_is_deleted_and_told_of() {
        let (folder, store) = store_in_a_file();
        work(&store, "mill", "R1", "x", "m").await;
        work(&store, "park", "R2", "x", "p").await;
        let file = folder.path().join("copydesk.db");
        let database = Connection::open(&file).unwrap();
        let damage = "UPDATE blob SET packed = 1, body = x'00' WHERE id IN";
        let park = "(SELECT run.id FROM run JOIN story ON story.id = run.story WHERE slug = 'park')";
        for (column, table, run) in [
            ("opening", "run", "id"),
            ("outcome", "journal", "run"),
            ("record", "memory", "run"),
            ("prompt", "llm_call", "run"),
        ] {
            database.execute(&format!("{damage} (SELECT {column} FROM {table} WHERE {run} IN {park})"), []).unwrap();
        }
        let held = store.holdings(&story("park")).await.unwrap().unwrap();
        let run = copydesk_core::ports::HeldRun { run_id: "R2".into(), story: story("park"), artifacts_dir: None };
        let others = vec![record("desk/mill", "hash", "m")];
        assert_eq!(held, Holdings { runs: vec![run], memory: vec![], unreadable: 1, others });
        let deleted = store.delete_story(&story("park"), "M. Ito", AT).await.unwrap().unwrap();
        assert_eq!((deleted.runs, deleted.entries, deleted.calls, deleted.memory), (1, 1, 2, 1));
        assert_eq!(store.holdings(&story("park")).await.unwrap(), None);
        assert!(!database.prepare("PRAGMA foreign_key_check").unwrap().exists([]).unwrap());
    }

    #[tokio::test]
    async fn a_reader_that_holds_on_is_told_of() {
        let (folder, store) = store_in_a_file();
        work(&store, "park", "R1", "x", "p").await;
        let mut reader = Connection::open(folder.path().join("copydesk.db")).unwrap();
        let transaction = reader.transaction().unwrap();
        transaction.query_row("SELECT count(*) FROM run", [], |_| Ok(())).unwrap();
        let db = Database::open_for_upkeep(&folder.path().join("copydesk.db")).unwrap();
        db.set("PRAGMA busy_timeout = 50").unwrap();
        let deleted = delete_story(&db, "desk/park", "M. Ito", AT).unwrap().unwrap();
        assert!(!deleted.wiped);
    }
}
