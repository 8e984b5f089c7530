//! Version 17: the calls of tools, each with its times and its end, also those that were made again. The numbers of a
//! period are found without reading the whole record.

pub(super) const SEVENTEENTH: &str = "
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
CREATE INDEX llm_call_ended ON llm_call (ended_at);
CREATE INDEX journal_at ON journal (at);
CREATE INDEX event_at ON event (at);
";

/// Takes it back.
#[cfg(test)]
pub(super) const UNDONE: &str =
    "DROP TABLE tool_call; DROP INDEX llm_call_ended; DROP INDEX journal_at; DROP INDEX event_at;";
