//! The tables, by version. A migration that has been released is never changed.

mod afterwards;
mod assignments;
mod extract;
mod facts;
mod flags;
mod found;
mod generation;
mod knowledge;
mod learned;
mod memory;
mod numbers;
mod outbox;
mod queue;
mod requests;
mod versions;

use rusqlite::{Connection, Transaction};
use rusqlite_migration::{HookResult, M, Migrations};

use super::{packing::Packer, stored_prompt::references_in};

/// Version 1: stories, runs, journals, calls, events, memory, knowledge.
const FIRST: &str = "
CREATE TABLE blob (
    id     INTEGER PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE,           -- SHA-256 of the text
    size   INTEGER NOT NULL,               -- of the text, in bytes
    packed INTEGER NOT NULL,               -- 1: zstd, 0: as it is
    body   BLOB NOT NULL
) STRICT;

CREATE TABLE story (
    id          INTEGER PRIMARY KEY,
    folded      TEXT NOT NULL UNIQUE,      -- channel/slug in lower case
    channel     TEXT NOT NULL,
    slug        TEXT NOT NULL,
    current_run INTEGER REFERENCES run(id)
) STRICT;

CREATE TABLE run (
    id                INTEGER PRIMARY KEY,
    story             INTEGER NOT NULL REFERENCES story(id),
    run_id            TEXT NOT NULL UNIQUE,
    title             TEXT NOT NULL,
    desk              TEXT,
    pins              TEXT NOT NULL,
    opening           INTEGER NOT NULL REFERENCES blob(id),
    took_over         INTEGER REFERENCES run(id),
    state             TEXT NOT NULL CHECK (state IN ('open', 'success', 'failed', 'superseded')),
    files_written     INTEGER NOT NULL DEFAULT 0,
    rounds            INTEGER NOT NULL DEFAULT 0,
    open_concerns     INTEGER NOT NULL DEFAULT 0,
    flags             TEXT NOT NULL DEFAULT '[]',
    prompt_tokens     INTEGER NOT NULL DEFAULT 0,
    completion_tokens INTEGER NOT NULL DEFAULT 0,
    error             TEXT,
    opened_at         TEXT NOT NULL,
    updated_at        TEXT NOT NULL
) STRICT;
CREATE INDEX run_of_story ON run (story, id);
CREATE INDEX run_unfinished ON run (id) WHERE state = 'open' OR (files_written = 0 AND state <> 'superseded');

CREATE TABLE journal (
    run               INTEGER NOT NULL REFERENCES run(id),
    seq               INTEGER NOT NULL,
    step              TEXT NOT NULL,
    at                TEXT NOT NULL,
    outcome           INTEGER NOT NULL REFERENCES blob(id),
    prompt_tokens     INTEGER,
    completion_tokens INTEGER,
    PRIMARY KEY (run, seq)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX journal_step ON journal (run, step);

CREATE TABLE llm_call (
    run               INTEGER NOT NULL REFERENCES run(id),
    step              TEXT NOT NULL,
    attempt           INTEGER NOT NULL,
    agent             TEXT NOT NULL,
    model             TEXT NOT NULL,
    host              TEXT NOT NULL,
    digest            TEXT NOT NULL,       -- of the whole input, hex
    prompt            INTEGER NOT NULL REFERENCES blob(id),
    state             TEXT NOT NULL CHECK (state IN ('asked', 'answered', 'rejected')),
    repeats           INTEGER NOT NULL DEFAULT 0,
    answer            INTEGER REFERENCES blob(id),
    error             TEXT,
    prompt_tokens     INTEGER,
    completion_tokens INTEGER,
    asked_at          TEXT NOT NULL,
    ended_at          TEXT,
    PRIMARY KEY (run, step, attempt)
) STRICT, WITHOUT ROWID;

CREATE TABLE event (
    seq     INTEGER PRIMARY KEY AUTOINCREMENT,
    run     INTEGER NOT NULL REFERENCES run(id),
    at      TEXT NOT NULL,
    payload TEXT,                          -- null once retention removed it
    digest  BLOB NOT NULL,                 -- SHA-256 of the payload
    chain   BLOB NOT NULL                  -- SHA-256 over the link before, the run, the time and the digest
) STRICT;
CREATE INDEX event_of_run ON event (run, seq);

CREATE TABLE memory (
    id             INTEGER PRIMARY KEY,
    cache_key_hash TEXT NOT NULL,
    run            INTEGER NOT NULL REFERENCES run(id),
    at             TEXT NOT NULL,
    record         INTEGER NOT NULL REFERENCES blob(id)
) STRICT;
CREATE INDEX memory_key ON memory (cache_key_hash, id);
CREATE INDEX memory_of_run ON memory (run);

CREATE TABLE knowledge_file (
    id       INTEGER PRIMARY KEY,
    path     TEXT NOT NULL UNIQUE,         -- relative to the knowledge folder
    size     INTEGER NOT NULL,
    modified INTEGER NOT NULL,             -- nanoseconds since 1970
    digest   TEXT NOT NULL                 -- SHA-256 of the file, hex
) STRICT;

CREATE TABLE passage (
    id    INTEGER PRIMARY KEY,
    file  INTEGER NOT NULL REFERENCES knowledge_file(id),
    start INTEGER NOT NULL,                -- bytes into the file's text
    text  TEXT NOT NULL
) STRICT;
CREATE INDEX passage_of_file ON passage (file, start);

CREATE VIRTUAL TABLE passage_fts USING fts5 (text, content = 'passage', content_rowid = 'id', tokenize = 'porter unicode61');
CREATE TRIGGER passage_in AFTER INSERT ON passage BEGIN
    INSERT INTO passage_fts (rowid, text) VALUES (new.id, new.text);
END;
CREATE TRIGGER passage_out AFTER DELETE ON passage BEGIN
    INSERT INTO passage_fts (passage_fts, rowid, text) VALUES ('delete', old.id, old.text);
END;

CREATE TABLE setting (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
";

/// Version 2: decisions of editors. Also what waits, who signed, priorities, and texts that are being typed. Events
/// outlive the run that they tell of, so that a story can be deleted and the chain of digests stays whole.
const SECOND: &str = "
ALTER TABLE story ADD COLUMN priority INTEGER NOT NULL DEFAULT 1;     -- 0 low, 1 normal, 2 high
ALTER TABLE story ADD COLUMN paused INTEGER NOT NULL DEFAULT 0;
ALTER TABLE run ADD COLUMN waits TEXT;                                 -- where it waits for its editor, such as r1.gate
ALTER TABLE run ADD COLUMN signed_by TEXT;
ALTER TABLE run ADD COLUMN max_rounds INTEGER NOT NULL DEFAULT 0;
ALTER TABLE memory ADD COLUMN withdrawn INTEGER NOT NULL DEFAULT 0;    -- 1: an editor overruled it

CREATE TABLE scratch (
    run  INTEGER NOT NULL REFERENCES run(id),
    what TEXT NOT NULL,                    -- such as r1.edit: what is being typed
    at   TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (run, what)
) STRICT, WITHOUT ROWID;

CREATE TABLE prompt_part (                 -- which prompts name a text as their part: it must stay as long as one of them does
    part   INTEGER NOT NULL REFERENCES blob(id),
    prompt INTEGER NOT NULL REFERENCES blob(id),
    PRIMARY KEY (part, prompt)
) STRICT, WITHOUT ROWID;

CREATE TABLE event_2 (
    seq     INTEGER PRIMARY KEY AUTOINCREMENT,
    run     INTEGER NOT NULL,              -- may be deleted; then the payload is, too
    at      TEXT NOT NULL,
    payload TEXT,
    digest  BLOB NOT NULL,
    chain   BLOB NOT NULL
) STRICT;
INSERT INTO event_2 SELECT seq, run, at, payload, digest, chain FROM event;
DROP TABLE event;
ALTER TABLE event_2 RENAME TO event;
CREATE INDEX event_of_run ON event (run, seq);
";

/// Notes the parts of the prompts that version 1 kept.
fn note_prompt_parts(transaction: &Transaction<'_>) -> HookResult {
    let mut prompts =
        transaction.prepare("SELECT id, size, packed, body FROM blob WHERE id IN (SELECT prompt FROM llm_call)")?;
    let mut note = transaction.prepare("INSERT OR IGNORE INTO prompt_part (part, prompt) VALUES (?1, ?2)")?;
    let mut packer = Packer::default();
    let mut rows = prompts.query([])?;
    while let Some(row) = rows.next()? {
        // A prompt that cannot be read names no part that anybody could read through it.
        let Ok(text) = packer.unpack(row.get(1)?, row.get(2)?, &row.get::<_, Vec<u8>>(3)?) else { continue };
        for part in references_in(&text).unwrap_or_default() {
            note.execute([part, row.get(0)?])?;
        }
    }
    Ok(())
}

fn steps() -> Vec<M<'static>> {
    vec![
        M::up(FIRST),
        M::up_with_hook(SECOND, note_prompt_parts),
        M::up(memory::THIRD),
        M::up(knowledge::FOURTH),
        M::up(queue::FIFTH),
        M::up(flags::SIXTH),
        M::up(numbers::SEVENTH),
        M::up_with_hook(found::EIGHTH, found::allow_found),
        M::up(learned::NINTH),
        M::up(assignments::TENTH),
        M::up(extract::ELEVENTH),
        M::up_with_hook(generation::TWELFTH, generation::compose),
        M::up(outbox::THIRTEENTH),
        M::up_with_hook(afterwards::FOURTEENTH, afterwards::note_passages),
        M::up(versions::FIFTEENTH),
        M::up(requests::SIXTEENTH),
        M::up(facts::SEVENTEENTH),
    ]
}

/// Statements that take a database back to an earlier version, from 13 on.
#[cfg(test)]
pub(super) fn undone_to(version: i64) -> String {
    let undone = [(17, facts::UNDONE), (16, requests::UNDONE), (15, versions::UNDONE), (14, afterwards::UNDONE)];
    let later = undone.into_iter().filter(|(number, _)| *number > version).map(|(_, undone)| undone);
    later.chain([format!("PRAGMA user_version = {version};").as_str()]).collect()
}

/// The version that [`migrate`] leaves.
pub(super) const VERSION: i64 = 17;

/// The tables that a database of ours is known by, of any version.
pub(super) const TABLES: [&str; 6] = ["blob", "story", "run", "journal", "llm_call", "event"];

/// Brings the schema up to date.
///
/// # Errors
/// As rusqlite_migration: among others, that the file is of a newer version.
pub(super) fn migrate(connection: &mut Connection) -> Result<(), rusqlite_migration::Error> {
    Migrations::new(steps()).to_latest(connection)
}

/// Makes the schema as an earlier version had it.
///
/// # Errors
/// As [`migrate`].
pub(super) fn migrate_to(connection: &mut Connection, version: usize) -> Result<(), rusqlite_migration::Error> {
    Migrations::new(steps()).to_version(connection, version)
}

/// A database as version 1 left it.
#[cfg(test)]
pub(super) fn first_version(connection: &mut Connection) {
    Migrations::new(vec![M::up(FIRST)]).to_latest(connection).unwrap();
}

#[cfg(test)]
mod tests {
    use rusqlite::{OpenFlags, params};

    use super::*;
    use crate::{
        newsroom::{Event, Step},
        ports::{Archive as _, Chain, Records as _, RunKey, Tail},
        store::{
            Store,
            blobs::{put_bytes, put_record},
            database::Database,
            events::{append_event, chain_head, verify_chain},
            testing::{AT, draft, opening_of},
        },
    };

    #[test]
    fn the_migrations_are_valid() {
        Migrations::new(steps()).validate().unwrap();
        assert_eq!(i64::try_from(steps().len()), Ok(VERSION));
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

    /// What version 1 wrote: a run with a draft, its call, and three events.
    fn fill_as_version_1(db: &Database) {
        let opening = opening_of("park", "R1", "The council voted.");
        let (opening_row, outcome) =
            (put_record(db, &opening).unwrap(), put_record(db, &draft("A draft.").outcome).unwrap());
        let part = put_bytes(db, b"a long part").unwrap();
        let stored = format!(
            r#"[{{"role":"system","parts":[{{"name":"template","text":"short"}}]}},{{"role":"user","parts":[{{"name":"SOURCE","blob":{part}}}]}}]"#
        );
        let prompt = put_bytes(db, stored.as_bytes()).unwrap();
        db.sql(|connection| {
            connection.execute("INSERT INTO story VALUES (1, 'desk/park', 'desk', 'park', NULL)", [])?;
            connection.execute(
                "INSERT INTO run (id, story, run_id, title, pins, opening, state, opened_at, updated_at)
                     VALUES (7, 1, 'R1', 'The park', 'pins', ?1, 'open', ?2, ?2)",
                params![opening_row, AT],
            )?;
            connection.execute("UPDATE story SET current_run = 7", [])?;
            connection.execute("INSERT INTO journal VALUES (7, 1, 'draft', ?1, ?2, 5, 6)", params![AT, outcome])?;
            connection.execute(
                "INSERT INTO llm_call (run, step, attempt, agent, model, host, digest, prompt, state, asked_at)
                     VALUES (7, 'draft', 1, 'writer', 'm', 'h', 'd', ?1, 'asked', ?2)",
                params![prompt, AT],
            )
        })
        .unwrap();
        for steps_done in 1..=3 {
            append_event(db, RunKey(7), AT, &Event::RunResumed { steps_done }).unwrap();
        }
    }

    #[tokio::test]
    async fn a_database_of_version_1_is_brought_up_to_date_with_all_that_is_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("copydesk.db");
        let mut db = Database::with(&file, OpenFlags::default()).unwrap();
        first_version(&mut db.connection);
        fill_as_version_1(&db);
        let head = chain_head(&db).unwrap();
        drop(db);

        let store = Store::open(&file).unwrap();
        let run = RunKey(7);
        let stored = store.load(run).await.unwrap();
        assert_eq!(stored.journal.opening, opening_of("park", "R1", "The council voted."));
        let mut entry = draft("A draft.");
        entry.usage =
            crate::newsroom::Usage { prompt_tokens: Some(5), completion_tokens: Some(6), cached_tokens: None };
        assert_eq!(stored.journal.entries(), [entry]);
        let listed = store.desk().await.unwrap();
        assert_eq!(listed.len(), 1);
        assert_eq!((listed[0].0, listed[0].1.story.as_str(), listed[0].1.paused), (run, "desk/park", false));
        assert_eq!(store.tail(0).await.unwrap(), Tail { last: 3, runs: vec![run] });
        assert_eq!(store.verify_chain().await.unwrap(), Chain::Whole { events: 3 });
        assert_eq!(store.chain_head().await.unwrap(), head);
        let text = store.call_text(run, Step::Draft, 1).await.unwrap().unwrap().prompt;
        assert_eq!(text.messages[1].text(), "a long part");

        // The chain goes on, and the old prompt's parts are known.
        let db = Database::open_for_upkeep(&file).unwrap();
        append_event(&db, run, AT, &Event::RunResumed { steps_done: 4 }).unwrap();
        assert_eq!(verify_chain(&db).unwrap(), Chain::Whole { events: 4 });
        let parts: i64 = db
            .sql(|connection| connection.query_row("SELECT count(*) FROM prompt_part", [], |row| row.get(0)))
            .unwrap();
        assert_eq!(parts, 1);
    }
}
