//! Texts, stories, runs, and what an editor is typing.

pub(super) const STORIES: &str = "
CREATE TABLE blob (
    id     INTEGER PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE,           -- SHA-256 of the text
    size   INTEGER NOT NULL,               -- of the text, in bytes
    packed INTEGER NOT NULL,               -- 1: zstd, 0: as it is
    body   BLOB NOT NULL
) STRICT;
CREATE TABLE story (
    id          INTEGER PRIMARY KEY,
    folded      TEXT NOT NULL UNIQUE,            -- channel/slug in lower case
    channel     TEXT NOT NULL,
    slug        TEXT NOT NULL,
    current_run INTEGER REFERENCES run(id),
    priority    INTEGER NOT NULL DEFAULT 1,      -- 0 low, 1 normal, 2 high
    paused      INTEGER NOT NULL DEFAULT 0,      -- 1: an editor paused it
    due         TEXT,                            -- ISO 8601, UTC
    assigned    TEXT,                            -- the editor's name
    generation  INTEGER NOT NULL DEFAULT 0,      -- of its lease: a commit that builds on an earlier one is refused
    embargo     TEXT,                            -- ISO 8601, UTC
    secrecy     TEXT                             -- JSON; null: nothing of it is secret
) STRICT;
CREATE TABLE run (
    id                INTEGER PRIMARY KEY,
    story             INTEGER NOT NULL REFERENCES story(id),
    run_id            TEXT NOT NULL UNIQUE,
    title             TEXT NOT NULL,             -- the working title
    headline          TEXT,                      -- of the draft that stands; null while it is that of the first draft
    desk              TEXT,
    pins              TEXT NOT NULL,
    opening           INTEGER NOT NULL REFERENCES blob(id),
    took_over         INTEGER REFERENCES run(id),
    state             TEXT NOT NULL CHECK (state IN ('open', 'success', 'failed', 'superseded')),
    files_written     INTEGER NOT NULL DEFAULT 0,
    rounds            INTEGER NOT NULL DEFAULT 0,
    max_rounds        INTEGER NOT NULL DEFAULT 0,
    open_concerns     INTEGER NOT NULL DEFAULT 0,
    flags             TEXT NOT NULL DEFAULT '[]', -- JSON
    prompt_tokens     INTEGER NOT NULL DEFAULT 0,
    completion_tokens INTEGER NOT NULL DEFAULT 0,
    error             TEXT,
    opened_at         TEXT NOT NULL,
    updated_at        TEXT NOT NULL,
    waits             TEXT,                      -- the gate at which it waits for its editor, such as r1.gate
    signed_by         TEXT,
    shelved           INTEGER NOT NULL DEFAULT 0, -- 1: its sources are indexed, 2: its article as well
    batch             TEXT,                      -- that it was begun in
    stands_since      TEXT,                      -- since when it waits, is at work or has ended: ISO 8601, UTC
    settled_by        TEXT,                      -- the editor who let the flags stand; the event has why and when
    extract           INTEGER NOT NULL DEFAULT 0, -- 1: rules wrote its first draft
    killed            TEXT,                      -- JSON: when, by whom and why; null unless a notice took its version back
    accused           TEXT NOT NULL DEFAULT '[]', -- JSON: the persons whom its draft accuses
    version           INTEGER                    -- from 1; null before the run is signed off or sent
) STRICT;
CREATE INDEX run_of_story ON run (story, id);
CREATE INDEX run_unfinished ON run (id) WHERE state = 'open' OR (files_written = 0 AND state <> 'superseded');
CREATE INDEX run_unshelved ON run (id) WHERE shelved < 2 AND state <> 'superseded';
CREATE INDEX run_of_batch ON run (batch) WHERE batch IS NOT NULL;
CREATE TABLE scratch (
    run  INTEGER NOT NULL REFERENCES run(id),
    what TEXT NOT NULL,                    -- such as r1.edit: what is being typed
    at   TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (run, what)
) STRICT, WITHOUT ROWID;
CREATE TABLE setting (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
";
