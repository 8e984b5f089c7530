-- Texts, stories, runs, and what an editor is typing.

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
    extract           INTEGER NOT NULL DEFAULT 0, -- 1: rules wrote its draft, and nobody wrote in it
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

-- The tables of a run's work: its journal, the calls of models and tools, the audit log.

CREATE TABLE journal (
    run               INTEGER NOT NULL REFERENCES run(id),
    seq               INTEGER NOT NULL,
    step              TEXT NOT NULL,
    at                TEXT NOT NULL,
    outcome           INTEGER NOT NULL REFERENCES blob(id),
    prompt_tokens     INTEGER,
    completion_tokens INTEGER,
    cached_tokens     INTEGER,
    waited_ms         INTEGER,                   -- ready until begun, all attempts together
    worked_ms         INTEGER,                   -- begun until ended
    shown             TEXT,                      -- JSON: places of the sources in the step's prompt; null if they stood there whole
    PRIMARY KEY (run, seq)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX journal_step ON journal (run, step);
CREATE INDEX journal_at ON journal (at);
CREATE TABLE llm_call (
    run               INTEGER NOT NULL REFERENCES run(id),
    step              TEXT NOT NULL,
    attempt           INTEGER NOT NULL,
    agent             TEXT NOT NULL,
    model             TEXT NOT NULL,
    host              TEXT NOT NULL,
    digest            TEXT NOT NULL,             -- of the whole input, hex
    prompt            INTEGER NOT NULL REFERENCES blob(id),
    state             TEXT NOT NULL CHECK (state IN ('asked', 'answered', 'rejected')),
    repeats           INTEGER NOT NULL DEFAULT 0,
    answer            INTEGER REFERENCES blob(id),
    error             TEXT,
    prompt_tokens     INTEGER,
    completion_tokens INTEGER,
    cached_tokens     INTEGER,
    reckoned_prompt   INTEGER,                   -- tokens that were reckoned with before it was made
    reckoned_answer   INTEGER,
    prompt_bytes      INTEGER,
    answer_bytes      INTEGER,
    cost              REAL,                      -- by the price of that day
    currency          TEXT,
    asked_at          TEXT NOT NULL,
    ended_at          TEXT,
    waited_ms         INTEGER,
    worked_ms         INTEGER,
    removed_at        TEXT,                      -- when its texts were deleted
    answer_digest     BLOB,
    PRIMARY KEY (run, step, attempt)
) STRICT, WITHOUT ROWID;
CREATE INDEX llm_call_ended ON llm_call (ended_at);
CREATE TABLE prompt_part (                 -- which prompts name a text as their part: it must stay as long as one of them does
    part   INTEGER NOT NULL REFERENCES blob(id),
    prompt INTEGER NOT NULL REFERENCES blob(id),
    PRIMARY KEY (part, prompt)
) STRICT, WITHOUT ROWID;
CREATE TABLE tool_call (
    run       INTEGER NOT NULL REFERENCES run(id),
    step      TEXT NOT NULL,
    attempt   INTEGER NOT NULL,
    tool      TEXT NOT NULL,                     -- its name as the model wrote it
    state     TEXT NOT NULL CHECK (state IN ('done', 'failed', 'unknown', 'lost')),
    ended_at  TEXT NOT NULL,
    waited_ms INTEGER,                           -- ready until begun
    worked_ms INTEGER,                           -- begun until ended
    PRIMARY KEY (run, step, attempt)
) STRICT, WITHOUT ROWID;
CREATE INDEX tool_call_ended ON tool_call (ended_at);
CREATE TABLE event (
    seq     INTEGER PRIMARY KEY AUTOINCREMENT,
    run     INTEGER NOT NULL,              -- may be deleted; then the payload is, too
    at      TEXT NOT NULL,
    payload TEXT,
    digest  BLOB NOT NULL,
    chain   BLOB NOT NULL
) STRICT;
CREATE INDEX event_of_run ON event (run, seq);
CREATE INDEX event_at ON event (at);

-- The records of earlier checks, and the passages that runs rest on.

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

-- Documents, their passages and vectors, and the search index. Deleted text leaves no trace in the index.

CREATE TABLE document (
    id          INTEGER PRIMARY KEY AUTOINCREMENT, -- never given again: see passage
    story       INTEGER REFERENCES story(id),  -- null: the knowledge base's
    tier        TEXT NOT NULL CHECK (tier IN ('source', 'knowledge', 'evidence', 'found', 'article')),
    name        TEXT NOT NULL,                 -- relative to the knowledge folder; a source's name; a page's address
    title       TEXT NOT NULL,
    credibility REAL NOT NULL,
    published   TEXT,                          -- day, ISO 8601
    digest      TEXT NOT NULL,                 -- SHA-256, hex: of the file, or of a story's text
    file_size   INTEGER,                       -- of a knowledge file, in bytes
    modified    INTEGER,                       -- of a knowledge file, nanoseconds since 1970
    tokens      INTEGER NOT NULL,
    size        INTEGER NOT NULL,              -- of the text, in bytes
    packed      INTEGER NOT NULL,              -- 1: zstd, 0: as it is
    body        BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX document_of_knowledge ON document (name) WHERE story IS NULL;
CREATE UNIQUE INDEX document_of_story ON document (story, digest, tier, name) WHERE story IS NOT NULL;
CREATE TABLE passage (                         -- a key is never given again: a vector that another program makes meanwhile may come late
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    document INTEGER NOT NULL REFERENCES document(id),
    start    INTEGER NOT NULL,                 -- bytes into the text
    stop     INTEGER NOT NULL,
    tokens   INTEGER NOT NULL,
    embedded INTEGER NOT NULL DEFAULT 0,       -- 1: its vectors are kept, 2: they were let go, 3: the embedder makes none of it
    heading  TEXT NOT NULL
) STRICT;
CREATE INDEX passage_of_document ON passage (document, start);
CREATE INDEX passage_without_vector ON passage (id) WHERE embedded = 0;
CREATE INDEX passage_refused ON passage (id) WHERE embedded = 3;
CREATE TABLE embedding (                       -- of a part of a passage
    id      INTEGER PRIMARY KEY,
    passage INTEGER NOT NULL REFERENCES passage(id),
    vector  BLOB NOT NULL                      -- float32, little-endian, of length 1
) STRICT;
CREATE INDEX embedding_of_passage ON embedding (passage);
CREATE TABLE tally (                           -- how many passages a shelf has
    shelf    TEXT PRIMARY KEY,
    passages INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO tally VALUES ('knowledge', 0), ('story', 0);

-- The queue of steps, and what is known of the servers that are asked.

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
    id     INTEGER PRIMARY KEY,
    server TEXT NOT NULL,
    at     INTEGER NOT NULL,
    run    INTEGER NOT NULL,
    step   TEXT NOT NULL,
    tokens INTEGER NOT NULL
) STRICT;
CREATE INDEX server_use_at ON server_use (server, at);

-- The tables of outgoing and incoming data: deliveries, replies, and the ledger of requests.

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

-- Keys and links without any text. On a server a user reads them of all stories, also of those that are hidden from this user: the log is one
-- chain, keys are counted on, and a model server's limit holds for all.

CREATE VIEW log_link AS SELECT seq, run, at, digest, chain FROM event;
CREATE VIEW run_key AS SELECT id FROM run;
CREATE VIEW text_key AS SELECT id, digest FROM blob;
CREATE VIEW asked_server AS SELECT server FROM message WHERE server IS NOT NULL;
