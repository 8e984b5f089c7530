//! The tables, by version. A migration that has been released is never changed.

use rusqlite::Connection;
use rusqlite_migration::{M, Migrations};

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

/// Version 2: decisions of editors. What waits, who signed, priorities, texts that are being typed; events outlive the run that
/// they tell of, so that a story can be deleted and the chain of digests stays whole.
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

const STEPS: &[M<'_>] = &[M::up(FIRST), M::up(SECOND)];

/// The version that [`migrate`] leaves.
pub(super) const VERSION: i64 = STEPS.len().cast_signed() as i64;

/// Brings the schema up to date.
///
/// # Errors
/// As rusqlite_migration: among others, that the file is of a newer version.
pub(super) fn migrate(connection: &mut Connection) -> Result<(), rusqlite_migration::Error> {
    Migrations::from_slice(STEPS).to_latest(connection)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_migrations_are_valid() {
        Migrations::from_slice(STEPS).validate().unwrap();
    }
}
