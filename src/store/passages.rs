//! The knowledge base's files and passages, searched with FTS5.

use async_trait::async_trait;
use rusqlite::params;
use sha2::{Digest, Sha256};
use unicode_segmentation::UnicodeSegmentation;

use super::{Store, session::Session};
use crate::{
    newsroom::Passage,
    ports::{KnowledgeFile, NewPassage, Passages, Shelf, StoreError},
};

/// Most words of a query that are looked up: the rarest decide anyway, and a query of 10,000 words must not take a minute.
const MOST_TERMS: usize = 64;

#[async_trait]
impl Passages for Store {
    async fn search(&self, query: &str, count: usize) -> Result<Vec<Passage>, StoreError> {
        let Some(expression) = expression(query) else { return Ok(Vec::new()) };
        self.read(move |session| {
            session.sql(|connection| {
                connection
                    .prepare_cached(
                        "SELECT knowledge_file.path, passage.start, passage.text
                         FROM passage_fts JOIN passage ON passage.id = passage_fts.rowid
                         JOIN knowledge_file ON knowledge_file.id = passage.file
                         WHERE passage_fts MATCH ?1 ORDER BY bm25(passage_fts), passage.id LIMIT ?2",
                    )?
                    .query_map(params![expression, i64::try_from(count).unwrap_or(i64::MAX)], |row| {
                        let (file, start, text): (String, i64, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
                        let start = u64::try_from(start).unwrap_or(0);
                        Ok(Passage { file, start, end: start + text.len() as u64, text })
                    })?
                    .collect()
            })
        })
        .await
    }

    async fn version(&self) -> Result<String, StoreError> {
        self.read(|session| {
            let settings: Option<String> = session.setting("knowledge.chunking")?;
            let files = session.knowledge_files()?;
            let mut digest = Sha256::new();
            digest.update(settings.unwrap_or_default());
            for file in files {
                digest.update([0]);
                digest.update(file.path);
                digest.update([0]);
                digest.update(file.digest);
            }
            Ok(hex::encode(digest.finalize()).chars().take(16).collect())
        })
        .await
    }
}

/// An FTS5 expression that any of the query's words satisfies. Each word is quoted, so that nothing in it is an operator.
fn expression(query: &str) -> Option<String> {
    let mut terms: Vec<String> = Vec::new();
    for word in query.unicode_words() {
        let term = format!("\"{}\"", word.replace('"', "\"\"").to_lowercase());
        if !terms.contains(&term) {
            terms.push(term);
        }
        if terms.len() == MOST_TERMS {
            break;
        }
    }
    (!terms.is_empty()).then(|| terms.join(" OR "))
}

#[async_trait]
impl Shelf for Store {
    async fn indexed_files(&self) -> Result<Vec<KnowledgeFile>, StoreError> {
        self.read(Session::knowledge_files).await
    }

    async fn index_file(&self, file: KnowledgeFile, passages: Vec<NewPassage>) -> Result<(), StoreError> {
        self.write(move |session| {
            session.forget_file(&file.path)?;
            session.sql(|connection| {
                let id = connection
                    .prepare_cached(
                        "INSERT INTO knowledge_file (path, size, modified, digest) VALUES (?1, ?2, ?3, ?4)",
                    )?
                    .insert(params![
                        file.path,
                        i64::try_from(file.size).unwrap_or(i64::MAX),
                        file.modified,
                        file.digest
                    ])?;
                let mut insert =
                    connection.prepare_cached("INSERT INTO passage (file, start, text) VALUES (?1, ?2, ?3)")?;
                for passage in &passages {
                    insert.execute(params![id, i64::try_from(passage.start).unwrap_or(i64::MAX), passage.text])?;
                }
                Ok(())
            })
        })
        .await
    }

    async fn forget_file(&self, path: &str) -> Result<(), StoreError> {
        let path = path.to_owned();
        self.write(move |session| session.forget_file(&path)).await
    }

    async fn chunking(&self) -> Result<Option<String>, StoreError> {
        self.read(|session| session.setting("knowledge.chunking")).await
    }

    async fn set_chunking(&self, chunking: &str) -> Result<(), StoreError> {
        let chunking = chunking.to_owned();
        self.write(move |session| {
            session.sql(|connection| {
                connection.execute_batch("DELETE FROM passage; DELETE FROM knowledge_file;")?;
                connection
                    .prepare_cached("INSERT INTO setting (key, value) VALUES ('knowledge.chunking', ?1) ON CONFLICT (key) DO UPDATE SET value = excluded.value")?
                    .execute([chunking])
            })?;
            Ok(())
        })
        .await
    }
}

impl Session {
    fn setting(&self, key: &str) -> Result<Option<String>, StoreError> {
        use rusqlite::OptionalExtension as _;
        self.sql(|connection| {
            connection
                .prepare_cached("SELECT value FROM setting WHERE key = ?1")?
                .query_row([key], |row| row.get(0))
                .optional()
        })
    }

    fn knowledge_files(&self) -> Result<Vec<KnowledgeFile>, StoreError> {
        self.sql(|connection| {
            connection
                .prepare_cached("SELECT path, size, modified, digest FROM knowledge_file ORDER BY path")?
                .query_map([], |row| {
                    let size: i64 = row.get(1)?;
                    Ok(KnowledgeFile {
                        path: row.get(0)?,
                        size: u64::try_from(size).unwrap_or(0),
                        modified: row.get(2)?,
                        digest: row.get(3)?,
                    })
                })?
                .collect()
        })
    }

    fn forget_file(&self, path: &str) -> Result<(), StoreError> {
        self.sql(|connection| {
            connection
                .prepare_cached("DELETE FROM passage WHERE file = (SELECT id FROM knowledge_file WHERE path = ?1)")?
                .execute([path])?;
            connection.prepare_cached("DELETE FROM knowledge_file WHERE path = ?1")?.execute([path])
        })?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_is_an_operator() {
        assert_eq!(expression("\"*NEAR( AND OR NOT").unwrap(), "\"near\" OR \"and\" OR \"or\" OR \"not\"");
        assert_eq!(expression("a a A — !"), Some("\"a\"".into()));
        assert_eq!(expression(" ?! "), None);
        assert_eq!(expression(&"word{} ".repeat(9)), Some("\"word\"".into()));
    }
}
