//! Version 9: what stories learned, for later ones.

/// Found by its words; what is deleted leaves no trace in the index.
pub(super) const NINTH: &str = "
CREATE TABLE learned (
    id          INTEGER PRIMARY KEY,
    run         INTEGER NOT NULL REFERENCES run(id),
    at          TEXT NOT NULL,             -- ISO 8601, UTC, with milliseconds: compared as text
    kind        TEXT NOT NULL CHECK (kind IN ('claim', 'name', 'source')),
    text        TEXT NOT NULL,
    source      TEXT NOT NULL,
    credibility REAL
) STRICT;
CREATE INDEX learned_of_run ON learned (run);
CREATE INDEX learned_source ON learned (text) WHERE kind = 'source';
CREATE VIRTUAL TABLE learned_fts USING fts5 (text, content = 'learned', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2');
INSERT INTO learned_fts (learned_fts, rank) VALUES ('secure-delete', 1);
CREATE TRIGGER learned_in AFTER INSERT ON learned WHEN new.kind <> 'source' BEGIN
    INSERT INTO learned_fts (rowid, text) VALUES (new.id, new.text);
END;
CREATE TRIGGER learned_out AFTER DELETE ON learned WHEN old.kind <> 'source' BEGIN
    INSERT INTO learned_fts (learned_fts, rowid, text) VALUES ('delete', old.id, old.text);
END;
";
