//! The tables of outgoing and incoming data: deliveries, replies, and the ledger of requests.

pub(super) const OUTBOX: &str = "
CREATE TABLE outbox (
    id         INTEGER PRIMARY KEY,
    key        TEXT NOT NULL UNIQUE,             -- of story, version and target: nothing goes out twice
    run        INTEGER NOT NULL REFERENCES run(id),
    target     TEXT NOT NULL,
    kind       TEXT NOT NULL,
    place      TEXT NOT NULL,
    version    TEXT NOT NULL,                    -- SHA-256 of the article, hex
    digest     TEXT,                             -- SHA-256 of the file as it was sent last, hex
    state      TEXT NOT NULL CHECK (state IN ('waiting', 'sending', 'sent', 'failed', 'unknown')),
    attempts   INTEGER NOT NULL,
    answer     TEXT,
    wanted_by  TEXT NOT NULL,
    queued_at  TEXT NOT NULL,
    changed_at TEXT NOT NULL
) STRICT;
CREATE INDEX outbox_of_run ON outbox (run);
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
CREATE TABLE request (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    at        TEXT NOT NULL,
    of        BLOB,                              -- SHA-256 of the story's name in lower case; null if it is no story's
    why       TEXT NOT NULL,
    host      TEXT NOT NULL,
    port      INTEGER NOT NULL,
    here      INTEGER NOT NULL,                  -- 1: it went to this machine
    bytes_out INTEGER NOT NULL,
    bytes_in  INTEGER,
    outcome   TEXT,                              -- null while it is under way
    link      BLOB NOT NULL                      -- SHA-256 over the link before and what was known when it was sent
) STRICT;
CREATE INDEX request_of_story ON request (of) WHERE of IS NOT NULL;
";
