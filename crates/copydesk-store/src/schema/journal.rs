//! The tables of a run's work: its journal, the calls of models and tools, the audit log.

pub(super) const JOURNAL: &str = "
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
";
