//! Documents, their passages and vectors, and the search index. Deleted text leaves no trace in the index.

pub(super) const KNOWLEDGE: &str = "
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
CREATE VIRTUAL TABLE knowledge_fts USING fts5 (title, body, content = '', tokenize = 'porter unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE story_fts USING fts5 (title, body, content = '', tokenize = 'porter unicode61 remove_diacritics 2');
INSERT INTO tally VALUES ('knowledge', 0), ('story', 0);
INSERT INTO knowledge_fts (knowledge_fts, rank) VALUES ('rank', 'bm25(2.0, 1.0)'), ('secure-delete', 1);
INSERT INTO story_fts (story_fts, rank) VALUES ('rank', 'bm25(2.0, 1.0)'), ('secure-delete', 1);
";
