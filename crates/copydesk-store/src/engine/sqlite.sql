-- The words of passages, for searches. Deleted text leaves no trace in the index.

CREATE VIRTUAL TABLE knowledge_fts USING fts5 (title, body, content = '', tokenize = 'porter unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE story_fts USING fts5 (title, body, content = '', tokenize = 'porter unicode61 remove_diacritics 2');
INSERT INTO knowledge_fts (knowledge_fts, rank) VALUES ('rank', 'bm25(2.0, 1.0)'), ('secure-delete', 1);
INSERT INTO story_fts (story_fts, rank) VALUES ('rank', 'bm25(2.0, 1.0)'), ('secure-delete', 1);
