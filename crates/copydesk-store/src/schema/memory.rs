//! The records of earlier checks, and the passages that runs rest on.

pub(super) const MEMORY: &str = "
CREATE TABLE memory (
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
CREATE INDEX memory_key ON memory (cache_key_hash, id);
CREATE INDEX memory_of_run ON memory (run);
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
";
