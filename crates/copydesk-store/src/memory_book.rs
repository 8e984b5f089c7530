//! The memory's port: looked up by runs, and looked after by an editor.

use super::{
    blobs::{put_record, record, record_in},
    columns::{counted, usage},
    events::append_event,
    memory::remember,
};
use crate::prelude::*;
use copydesk_core::ports::{Book, Imported, Memory, RecordState, Remembered, Strike};
use copydesk_newsroom::{MemoryRecord, ResearchErrand, Usage};

#[async_trait]
impl Memory for Store {
    async fn recall(&self, cache_key_hash: &str, since: Option<&str>) -> Result<Option<MemoryRecord>, StoreError> {
        let (hash, since) = (cache_key_hash.to_owned(), since.map(str::to_owned));
        self.read(move |db| {
            let found: Option<i64> = db.optional(
                // An imported record has a higher key than a later check of our own.
                "SELECT record FROM memory WHERE cache_key_hash = ?1 AND withdrawn = 0 AND struck_at IS NULL
                 AND (CAST(?2 AS TEXT) IS NULL OR at >= ?2) ORDER BY at DESC, id DESC LIMIT 1",
                params![hash, since],
            )?;
            found.map(|found| record(db, found)).transpose()
        })
        .await
    }

    async fn records_of(&self, run: RunKey) -> Result<Vec<MemoryRecord>, StoreError> {
        self.read(move |db| {
            let found: Vec<i64> = db.column("SELECT record FROM memory WHERE run = ?1 ORDER BY id", [run.0])?;
            found.into_iter().map(|found| record(db, found)).collect()
        })
        .await
    }

    async fn book(&self, hash: &str) -> Result<Book, StoreError> {
        let hash = hash.to_owned();
        self.read(move |db| book(db, &hash)).await
    }

    async fn strike(&self, cache_key_hash: &str, strike: Strike) -> Result<u64, StoreError> {
        let hash = cache_key_hash.to_owned();
        self.write(move |db| {
            let struck =
                "struck_by = ?2, struck_at = ?3, struck_why = ?4 WHERE cache_key_hash = ?1 AND struck_at IS NULL";
            let values = params![hash, strike.by, strike.at, strike.reason];
            let (by, reason) = (strike.by.clone(), strike.reason.clone());
            let event = Event::MemoryStruck { by, cache_key_hash: hash.clone(), reason };
            mark(db, &hash, struck, values, &event, &strike.at)
        })
        .await
    }

    async fn restore(&self, cache_key_hash: &str, by: &str, at: &str) -> Result<u64, StoreError> {
        let (hash, by, at) = (cache_key_hash.to_owned(), by.to_owned(), at.to_owned());
        self.write(move |db| {
            let restored = "struck_by = NULL, struck_at = NULL, struck_why = NULL
                 WHERE cache_key_hash = ?1 AND struck_at IS NOT NULL";
            let event = Event::MemoryRestored { by, cache_key_hash: hash.clone() };
            mark(db, &hash, restored, params![hash], &event, &at)
        })
        .await
    }

    async fn import(&self, records: Vec<MemoryRecord>, by: &str, at: &str) -> Result<Vec<Imported>, StoreError> {
        let (by, at) = (by.to_owned(), at.to_owned());
        self.write(move |db| import(db, &records, by, &at)).await
    }

    async fn spent_on(&self, record: &MemoryRecord) -> Result<Option<Usage>, StoreError> {
        let record = record.clone();
        self.read(move |db| spent_on(db, &record)).await
    }
}

/// The records under keys that begin with `hash`, the latest first.
fn book(db: &Database, hash: &str) -> Result<Book, DbFault> {
    let mut book = Book::default();
    db.each(
        "SELECT size, packed, body, run.run_id, withdrawn, struck_by, struck_at, struck_why
         FROM memory CROSS JOIN blob ON blob.id = memory.record LEFT JOIN run ON run.id = memory.run
         WHERE substr(cache_key_hash, 1, length(?1)) = ?1 ORDER BY memory.at DESC, memory.id DESC",
        [hash],
        |row| {
            match readable(record_in(db, row, 0))? {
                Some(record) => {
                    book.records.push(Remembered { record, run: row.get(3)?, standing: standing(row)? });
                }
                None => book.unreadable += 1,
            }
            Ok(())
        },
    )?;
    Ok(book)
}

/// Changes the records under a key as `change` says, with the event. Returns how many it changed.
fn mark(
    db: &Database,
    hash: &str,
    change: &str,
    values: impl crate::engine::parameters::Parameters,
    event: &Event,
    at: &str,
) -> Result<u64, DbFault> {
    // The log of the run that made the latest check tells of it, so that it goes when the story is deleted. If all records under the key were
    // imported, the house's log tells of it.
    let run: Option<i64> = db.optional(
        "SELECT run FROM memory WHERE cache_key_hash = ?1 AND run IS NOT NULL ORDER BY at DESC, id DESC LIMIT 1",
        [hash],
    )?;
    let changed = db.change(&format!("UPDATE memory SET {change}"), values)?;
    if changed > 0 {
        append_event(db, run.map_or(RunKey::HOUSE, RunKey), at, event)?;
    }
    Ok(counted(changed))
}

fn import(db: &Database, records: &[MemoryRecord], by: String, at: &str) -> Result<Vec<Imported>, DbFault> {
    let mut told = Vec::with_capacity(records.len());
    for record in records {
        let text = put_record(db, record)?;
        let known = db.exists(
            "SELECT 1 FROM memory WHERE cache_key_hash = ?1 AND record = (SELECT id FROM text_key WHERE digest = ?2)",
            params![record.cache_key_hash(), text.as_slice()],
        )?;
        told.push(match known {
            true => Imported::Known,
            false if remember(db, None, record)? => Imported::New,
            false => Imported::Struck,
        });
    }
    let new = told.iter().filter(|told| **told != Imported::Known).count();
    if new > 0 {
        append_event(db, RunKey::HOUSE, at, &Event::MemoryImported { by, records: counted(new) })?;
    }
    Ok(told)
}

fn spent_on(db: &Database, record: &MemoryRecord) -> Result<Option<Usage>, DbFault> {
    let judged: Option<(i64, String)> = db.one(
        // A verdict and its record have the same time.
        "SELECT journal.run, journal.step FROM memory JOIN journal ON journal.run = memory.run AND journal.at = memory.at
         WHERE cache_key_hash = ?1 AND memory.at = ?2 AND journal.step LIKE ?3 LIMIT 1",
        params![record.cache_key_hash(), record.timestamp(), format!("r%.c{}.judge", record.verdict().concern_id)],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    let Some((run, step)) = judged else { return Ok(None) };
    let Ok(Step::Judge { round, concern }) = step.parse() else { return Ok(None) };
    let (search, questions) = (Step::Search { round, concern }, Step::Questions { round, concern });
    let turns = format!("{}.t%", ResearchErrand::Check { round, concern });
    let spent = db.first(
        "SELECT CAST(sum(prompt_tokens) AS BIGINT), CAST(sum(completion_tokens) AS BIGINT), CAST(sum(cached_tokens) AS BIGINT)
         FROM journal WHERE run = ?1 AND (step IN (?2, ?3, ?4) OR step LIKE ?5)",
        params![run, step, search.to_string(), questions.to_string(), turns],
        |row| Ok(usage(row, 0)?),
    )?;
    Ok((spent != Usage::default()).then_some(spent))
}

/// The imported records about the story `folded`, with their keys. No run of the story holds them, but they are deleted with it.
pub(super) fn imported_about(db: &Database, folded: &str) -> Result<Vec<(i64, MemoryRecord)>, DbFault> {
    let mut found = Vec::new();
    db.each(
        "SELECT memory.id, size, packed, body FROM memory CROSS JOIN blob ON blob.id = memory.record
         WHERE memory.run IS NULL ORDER BY memory.id",
        [],
        |row| {
            let record: Option<MemoryRecord> = readable(record_in(db, row, 1))?;
            if let Some(record) = record.filter(|record| record.article_id().to_lowercase() == folded) {
                found.push((row.get(0)?, record));
            }
            Ok(())
        },
    )?;
    Ok(found)
}

/// How a record stands, by its columns `withdrawn` and `struck_…`.
fn standing(row: &DbRow<'_>) -> rusqlite::Result<RecordState> {
    let at: Option<String> = row.get(6)?;
    let text = |column| row.get::<Option<String>>(column).map(Option::unwrap_or_default);
    Ok(match at {
        Some(at) => RecordState::Struck(Strike { by: text(5)?, at, reason: text(7)? }),
        None if row.get(4)? => RecordState::Overruled,
        None => RecordState::Offered,
    })
}

#[cfg(test)]
mod tests;
