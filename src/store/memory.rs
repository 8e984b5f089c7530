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
    async fn recall(&self, cache_key_hash: &str, since: Option<&str>) -> Result<Option<MemoryRecord>, StoreError> {
        let (hash, since) = (cache_key_hash.to_owned(), since.map(str::to_owned));
        self.read(move |session| {
            let blob: Option<i64> = session.sql(|connection| {
                connection
                    .prepare_cached(
                        // An imported record has a higher number than a later check of our own.
                        "SELECT record FROM memory WHERE cache_key_hash = ?1 AND withdrawn = 0 AND struck_at IS NULL
                         AND (?2 IS NULL OR at >= ?2) ORDER BY at DESC, id DESC LIMIT 1",
                    )?
                    .query_row(params![hash, since], |row| row.get(0))
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

    /// Keeps a record. One whose verdict was overruled or struck before is kept and not offered: a run that goes back before that
    /// decision finds the same answer again, and an import may bring it back. Returns whether it may be offered.
    pub(super) fn remember(&self, run: Option<RunKey>, record: &MemoryRecord) -> Result<bool, StoreError> {
        let refused = self.refused(record)?;
        let blob = self.put_json(record)?;
        let offered = refused.is_none();
        let Refused { withdrawn, strike } = refused.unwrap_or_default();
        let (by, at, why) = strike.unwrap_or_default();
        self.sql(|connection| {
            connection
                .prepare_cached(
                    "INSERT INTO memory (cache_key_hash, run, at, record, withdrawn, struck_by, struck_at, struck_why)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                )?
                .execute(params![
                    record.cache_key_hash(),
                    run.map(|run| run.0),
                    record.timestamp(),
                    blob,
                    withdrawn,
                    by,
                    at,
                    why
                ])
        })?;
        Ok(offered)
    }

    /// How a record under the same key that says the same was taken out of use; none where none was.
    fn refused(&self, record: &MemoryRecord) -> Result<Option<Refused>, StoreError> {
        let rows: Vec<(i64, Refused)> = self.sql(|connection| {
            connection
                .prepare_cached(
                    "SELECT record, withdrawn, struck_by, struck_at, struck_why FROM memory
                     WHERE cache_key_hash = ?1 AND (withdrawn = 1 OR struck_at IS NOT NULL) ORDER BY id DESC",
                )?
                .query_map([record.cache_key_hash()], |row| {
                    let strike = Some((row.get(2)?, row.get(3)?, row.get(4)?));
                    Ok((row.get(0)?, Refused { withdrawn: row.get(1)?, strike }))
                })?
                .collect()
        })?;
        for (blob, refused) in rows {
            let earlier: MemoryRecord = self.json(blob)?;
            // The number of the concern is the asking story's affair.
            let earlier = Verdict { concern_id: record.verdict().concern_id, ..earlier.verdict().clone() };
            if earlier == *record.verdict() {
                return Ok(Some(refused));
            }
        }
        Ok(None)
    }
}

/// How a record was taken out of use: overruled at a gate; struck by whom, when, why.
#[derive(Default)]
struct Refused {
    withdrawn: bool,
    strike: Option<(Option<String>, Option<String>, Option<String>)>,
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
            store.commit(run, Commit { at: AT.into(), memory: vec![record], ..Commit::default() }, None)
        };
        keep(record(1, "so")).await.unwrap();
        assert_eq!(store.recall(KEY, None).await.unwrap(), Some(record(1, "so")));
        let overruled = Commit { at: AT.into(), withdrawn: vec![KEY.into()], ..Commit::default() };
        store.commit(run, overruled, None).await.unwrap();
        assert_eq!(store.recall(KEY, None).await.unwrap(), None);
        keep(record(7, "so")).await.unwrap();
        assert_eq!(store.recall(KEY, None).await.unwrap(), None, "the same verdict on another story's concern");
        keep(record(2, "otherwise")).await.unwrap();
        assert_eq!(store.recall(KEY, None).await.unwrap(), Some(record(2, "otherwise")));
    }
}
