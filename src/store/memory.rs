//! The institutional memory's records.

use async_trait::async_trait;
use rusqlite::{OptionalExtension, params};

use super::{Store, session::Session};
use crate::{
    newsroom::{MemoryRecord, Verdict},
    ports::{Memory, RunKey, StoreError},
};

#[async_trait]
impl Memory for Store {
    async fn recall(&self, cache_key_hash: &str) -> Result<Option<MemoryRecord>, StoreError> {
        let hash = cache_key_hash.to_owned();
        self.read(move |session| {
            let blob: Option<i64> = session.sql(|connection| {
                connection
                    .prepare_cached("SELECT record FROM memory WHERE cache_key_hash = ?1 AND withdrawn = 0 ORDER BY id DESC LIMIT 1")?
                    .query_row([hash], |row| row.get(0))
                    .optional()
            })?;
            blob.map(|blob| session.json(blob)).transpose()
        })
        .await
    }

    async fn records_of(&self, run: RunKey) -> Result<Vec<MemoryRecord>, StoreError> {
        self.read(move |session| {
            let blobs: Vec<i64> = session.sql(|connection| {
                connection
                    .prepare_cached("SELECT record FROM memory WHERE run = ?1 ORDER BY id")?
                    .query_map([run.0], |row| row.get(0))?
                    .collect()
            })?;
            blobs.into_iter().map(|blob| session.json(blob)).collect()
        })
        .await
    }
}

impl Session {
    /// Marks the records under a key as overruled, so that none of them is offered again.
    pub(super) fn withdraw(&self, cache_key_hash: &str) -> Result<(), StoreError> {
        self.sql(|connection| {
            connection
                .prepare_cached("UPDATE memory SET withdrawn = 1 WHERE cache_key_hash = ?1")?
                .execute([cache_key_hash])
        })?;
        Ok(())
    }

    /// Keeps a record. One whose verdict was overruled before is kept and not offered: a run that goes back before that
    /// decision finds the same answer again.
    pub(super) fn remember(&self, run: RunKey, record: &MemoryRecord) -> Result<(), StoreError> {
        let withdrawn = self.was_overruled(record)?;
        let blob = self.put_json(record)?;
        self.sql(|connection| {
            connection
                .prepare_cached(
                    "INSERT INTO memory (cache_key_hash, run, at, record, withdrawn) VALUES (?1, ?2, ?3, ?4, ?5)",
                )?
                .execute(params![record.cache_key_hash(), run.0, record.timestamp(), blob, withdrawn])
        })?;
        Ok(())
    }

    /// Whether a withdrawn record under the same key says the same.
    fn was_overruled(&self, record: &MemoryRecord) -> Result<bool, StoreError> {
        let blobs: Vec<i64> = self.sql(|connection| {
            connection
                .prepare_cached("SELECT DISTINCT record FROM memory WHERE cache_key_hash = ?1 AND withdrawn = 1")?
                .query_map([record.cache_key_hash()], |row| row.get(0))?
                .collect()
        })?;
        for blob in blobs {
            let earlier: MemoryRecord = self.json(blob)?;
            // The number of the concern is the asking story's affair.
            let earlier = Verdict { concern_id: record.verdict().concern_id, ..earlier.verdict().clone() };
            if earlier == *record.verdict() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        newsroom::{FactCheckRecord, MemoryRecord, Status, Verdict},
        ports::{Commit, Memory as _, Records as _},
        store::testing::{AT, open, opening_of, store},
    };

    const KEY: &str = "0123456789abcdef";

    fn record(concern_id: u32, rationale: &str) -> MemoryRecord {
        let text = || "x".to_owned();
        MemoryRecord::FactCheck(FactCheckRecord {
            timestamp: AT.into(),
            article_id: text(),
            concern_id,
            prompt: text(),
            query: text(),
            normalized_query: text(),
            model_name: text(),
            kb_index_version: text(),
            cache_key_hash: KEY.into(),
            kb_response: text(),
            verdict: Verdict {
                concern_id,
                misleading: true,
                status: Status::Rewrite,
                rationale: rationale.into(),
                suggested_fix: None,
                evidence: None,
                citations: None,
            },
        })
    }

    #[tokio::test]
    async fn an_overruled_verdict_is_not_offered_again_whoever_gives_it() {
        let (_folder, store) = store();
        let run = open(&store, opening_of("park", "R1", "Text."), None).await;
        let keep = |record: MemoryRecord| {
            store.commit(run, Commit { at: AT.into(), memory: vec![record], ..Commit::default() })
        };
        keep(record(1, "so")).await.unwrap();
        assert_eq!(store.recall(KEY).await.unwrap(), Some(record(1, "so")));
        let overruled = Commit { at: AT.into(), withdrawn: vec![KEY.into()], ..Commit::default() };
        store.commit(run, overruled).await.unwrap();
        assert_eq!(store.recall(KEY).await.unwrap(), None);
        keep(record(7, "so")).await.unwrap();
        assert_eq!(store.recall(KEY).await.unwrap(), None, "the same verdict on another story's concern");
        keep(record(2, "otherwise")).await.unwrap();
        assert_eq!(store.recall(KEY).await.unwrap(), Some(record(2, "otherwise")));
    }
}
