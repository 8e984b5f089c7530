//! The institutional memory's records: kept by runs, and those of an overruled verdict marked.

use super::blobs::{put_record, record};
use crate::prelude::*;
use copydesk_newsroom::{MemoryRecord, Verdict};

/// Marks the records under a key as overruled, so that none of them is offered again.
pub(super) fn withdraw(db: &Database, cache_key_hash: &str) -> Result<(), DbFault> {
    db.write("UPDATE memory SET withdrawn = 1 WHERE cache_key_hash = ?1", [cache_key_hash])
}

/// Keeps a record. If its verdict was overruled or struck before, it is kept but not offered. A run that goes back
/// before that decision finds the same answer again, and an import may bring it back. Returns whether it is offered.
pub(super) fn remember(db: &Database, run: Option<RunKey>, record: &MemoryRecord) -> Result<bool, DbFault> {
    let refused = refused(db, record)?;
    let text = put_record(db, record)?;
    let offered = refused.is_none();
    let RefusedRecord { withdrawn, strike: (by, at, why) } = refused.unwrap_or_default();
    db.write(
        "INSERT INTO memory (cache_key_hash, run, at, record, withdrawn, struck_by, struck_at, struck_why)
         VALUES (?1, ?2, ?3, (SELECT id FROM text_key WHERE digest = ?4), ?5, ?6, ?7, ?8)",
        params![
            record.cache_key_hash(),
            run.map(|run| run.0),
            record.timestamp(),
            text.as_slice(),
            withdrawn,
            by,
            at,
            why
        ],
    )?;
    Ok(offered)
}

/// How a record was taken out of use: overruled at a gate; struck by whom, when, why.
#[derive(Default)]
pub(super) struct RefusedRecord {
    withdrawn: bool,
    strike: (Option<String>, Option<String>, Option<String>),
}

/// How a record with the same key and the same verdict was taken out of use; none if none was.
pub(super) fn refused(db: &Database, asked: &MemoryRecord) -> Result<Option<RefusedRecord>, DbFault> {
    let rows: Vec<(i64, RefusedRecord)> = db.rows(
        "SELECT record, withdrawn, struck_by, struck_at, struck_why FROM memory
         WHERE cache_key_hash = ?1 AND (withdrawn = 1 OR struck_at IS NOT NULL) ORDER BY id DESC",
        [asked.cache_key_hash()],
        |row| {
            let strike = (row.get(2)?, row.get(3)?, row.get(4)?);
            Ok((row.get(0)?, RefusedRecord { withdrawn: row.get(1)?, strike }))
        },
    )?;
    for (blob, refused) in rows {
        let earlier: MemoryRecord = record(db, blob)?;
        // The concern's number is that of the story that asked, so it is not compared.
        let earlier = Verdict { concern_id: asked.verdict().concern_id, ..earlier.verdict().clone() };
        if earlier == *asked.verdict() {
            return Ok(Some(refused));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use crate::testing::{AT, open, opening_of, store};
    use copydesk_core::ports::{Commit, Memory as _, Records as _};
    use copydesk_newsroom::{FactCheckRecord, MemoryRecord, Status, Verdict};

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
