//! The queue of steps, and what is known of the servers that are asked.

pub(super) const QUEUE: &str = "
CREATE TABLE message (
    id           INTEGER PRIMARY KEY,
    run          INTEGER NOT NULL REFERENCES run(id),
    step         TEXT NOT NULL,              -- as the journal names it; empty: whatever is ready, or files to be written
    pool         TEXT NOT NULL,
    asks         TEXT,                       -- the agent whose model is asked
    tokens       INTEGER NOT NULL DEFAULT 0, -- that its call may use
    state        TEXT NOT NULL CHECK (state IN ('waiting', 'later', 'leased', 'held', 'dead')),
    priority     INTEGER NOT NULL,           -- its story's
    pins         INTEGER NOT NULL,           -- from its run's pins: who has other ones does not go on with it
    arrived      INTEGER NOT NULL,           -- when the story came into the queue; milliseconds since 1970, as all times here
    since        INTEGER NOT NULL,           -- when the message came into its state
    not_before   INTEGER,
    attempts     INTEGER NOT NULL DEFAULT 0, -- of this delivery, that were no use
    redeliveries INTEGER NOT NULL DEFAULT 0,
    worker       TEXT,
    until        INTEGER,                    -- of the lease
    server       TEXT,                       -- that is being asked
    error        TEXT
) STRICT;
CREATE UNIQUE INDEX message_of_run ON message (run, step);
CREATE INDEX message_waiting ON message (pins, priority DESC, arrived, id) WHERE state = 'waiting';
CREATE INDEX message_of_agent ON message (pins, pool, asks, priority DESC, arrived, id) WHERE state = 'waiting';
CREATE INDEX message_longest ON message (pins, since) WHERE state = 'waiting';
CREATE INDEX message_later ON message (not_before) WHERE state = 'later';
CREATE INDEX message_leased ON message (until) WHERE state = 'leased';
CREATE INDEX message_dead ON message (since) WHERE state = 'dead';
CREATE INDEX message_server ON message (server) WHERE server IS NOT NULL;
CREATE TABLE server (
    name       TEXT PRIMARY KEY,             -- the host with its port
    failures   INTEGER NOT NULL DEFAULT 0,   -- one after the other
    down_since INTEGER,
    down_until INTEGER,                      -- left alone until then
    busy_until INTEGER,                      -- it asked for that
    error      TEXT
) STRICT, WITHOUT ROWID;
CREATE TABLE server_use (                    -- of the last minute, where a server has limits by the minute
    server TEXT NOT NULL,
    at     INTEGER NOT NULL,
    run    INTEGER NOT NULL,
    step   TEXT NOT NULL,
    tokens INTEGER NOT NULL
) STRICT;
CREATE INDEX server_use_at ON server_use (server, at);
";
