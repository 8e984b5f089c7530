//! The memory as an editor looks after it: read as a book, struck out, restored, filled from files.

use async_trait::async_trait;
use rusqlite::{OptionalExtension, Row, params};

use super::{Store, calls::natural, session::Session};
use crate::{
    newsroom::{Event, MemoryRecord, Step, Usage},
    ports::{Book, Imported, MemoryBook, RecordState, Remembered, RunKey, StoreError, Strike},
};

#[async_trait]
impl MemoryBook for Store {
    async fn book(&self) -> Result<Book, StoreError> {
        self.read(|session| session.book("")).await
    }

    async fn book_under(&self, hash: &str) -> Result<Book, StoreError> {
        let hash = hash.to_owned();
        self.read(move |session| session.book(&hash)).await
    }

    async fn strike(&self, cache_key_hash: &str, strike: Strike) -> Result<u64, StoreError> {
        let hash = cache_key_hash.to_owned();
        self.write(move |session| session.strike(&hash, &strike)).await
    }

    async fn restore(&self, cache_key_hash: &str, by: &str, at: &str) -> Result<u64, StoreError> {
        let (hash, by, at) = (cache_key_hash.to_owned(), by.to_owned(), at.to_owned());
        self.write(move |session| session.restore_struck(&hash, &by, &at)).await
    }

    async fn import(&self, records: Vec<MemoryRecord>, by: &str, at: &str) -> Result<Vec<Imported>, StoreError> {
        let (by, at) = (by.to_owned(), at.to_owned());
        self.write(move |session| session.import(&records, &by, &at)).await
    }

    async fn spent_on(&self, record: &MemoryRecord) -> Result<Option<Usage>, StoreError> {
        let record = record.clone();
        self.read(move |session| session.spent_on(&record)).await
    }
}

impl Session {
    /// The records under keys that begin with `hash`, the latest first.
    fn book(&self, hash: &str) -> Result<Book, StoreError> {
        let mut book = Book::default();
        self.each(
            "SELECT size, packed, body, run.run_id, withdrawn, struck_by, struck_at, struck_why
             FROM memory CROSS JOIN blob ON blob.id = memory.record LEFT JOIN run ON run.id = memory.run
             WHERE substr(cache_key_hash, 1, length(?1)) = ?1 ORDER BY memory.at DESC, memory.id DESC",
            [hash],
            |row| {
                match self.value(row, 0) {
                    Ok(record) => {
                        let (run, standing) = self.columns(|| Ok((row.get(3)?, standing(row)?)))?;
                        book.records.push(Remembered { record, run, standing });
                    }
                    Err(StoreError::Unreadable { .. }) => book.unreadable += 1,
                    Err(error) => return Err(error),
                }
                Ok(())
            },
        )?;
        Ok(book)
    }

    fn strike(&self, hash: &str, strike: &Strike) -> Result<u64, StoreError> {
        let run = self.run_behind(hash)?;
        let struck = self.sql(|connection| {
            connection
                .prepare_cached(
                    "UPDATE memory SET struck_by = ?2, struck_at = ?3, struck_why = ?4
                     WHERE cache_key_hash = ?1 AND struck_at IS NULL",
                )?
                .execute(params![hash, strike.by, strike.at, strike.reason])
        })?;
        if struck > 0 {
            let (by, reason) = (strike.by.clone(), strike.reason.clone());
            let event = Event::MemoryStruck { by, cache_key_hash: hash.to_owned(), reason };
            self.append_event(run, &strike.at, &event)?;
        }
        Ok(counted(struck))
    }

    fn restore_struck(&self, hash: &str, by: &str, at: &str) -> Result<u64, StoreError> {
        let run = self.run_behind(hash)?;
        let restored = self.sql(|connection| {
            connection
                .prepare_cached(
                    "UPDATE memory SET struck_by = NULL, struck_at = NULL, struck_why = NULL
                     WHERE cache_key_hash = ?1 AND struck_at IS NOT NULL",
                )?
                .execute([hash])
        })?;
        if restored > 0 {
            let event = Event::MemoryRestored { by: by.to_owned(), cache_key_hash: hash.to_owned() };
            self.append_event(run, at, &event)?;
        }
        Ok(counted(restored))
    }

    /// The run whose log tells of a record: the one that made the latest check, so that what is said of it goes with its story;
    /// the house where all of them were imported.
    fn run_behind(&self, hash: &str) -> Result<RunKey, StoreError> {
        let run: Option<i64> = self.sql(|connection| {
            connection
                .prepare_cached(
                    "SELECT run FROM memory WHERE cache_key_hash = ?1 AND run IS NOT NULL ORDER BY at DESC, id DESC LIMIT 1",
                )?
                .query_row([hash], |row| row.get(0))
                .optional()
        })?;
        Ok(run.map_or(RunKey::HOUSE, RunKey))
    }

    fn import(&self, records: &[MemoryRecord], by: &str, at: &str) -> Result<Vec<Imported>, StoreError> {
        let mut told = Vec::with_capacity(records.len());
        let mut new = 0;
        for record in records {
            let blob = self.put_json(record)?;
            let known = self.sql(|connection| {
                connection
                    .prepare_cached("SELECT 1 FROM memory WHERE cache_key_hash = ?1 AND record = ?2")?
                    .exists(params![record.cache_key_hash(), blob])
            })?;
            told.push(if known {
                Imported::Known
            } else {
                new += 1;
                if self.remember(None, record)? { Imported::New } else { Imported::Struck }
            });
        }
        if new > 0 {
            let event = Event::MemoryImported { by: by.to_owned(), records: new };
            self.append_event(RunKey::HOUSE, at, &event)?;
        }
        Ok(told)
    }

    fn spent_on(&self, record: &MemoryRecord) -> Result<Option<Usage>, StoreError> {
        let judged: Option<(i64, String)> = self.sql(|connection| {
            connection
                .prepare_cached(
                    // A verdict and its record are of one instant.
                    "SELECT journal.run, journal.step FROM memory JOIN journal ON journal.run = memory.run AND journal.at = memory.at
                     WHERE cache_key_hash = ?1 AND memory.at = ?2 AND journal.step LIKE ?3 LIMIT 1",
                )?
                .query_row(
                    params![
                        record.cache_key_hash(),
                        record.timestamp(),
                        format!("r%.c{}.judge", record.verdict().concern_id)
                    ],
                    |row| Ok((row.get(0)?, row.get(1)?)),
                )
                .optional()
        })?;
        let Some((run, step)) = judged else { return Ok(None) };
        let Ok(Step::Judge { round, concern }) = step.parse() else { return Ok(None) };
        let search = Step::Search { round, concern }.to_string();
        let questions = Step::Questions { round, concern }.to_string();
        let (prompt_tokens, completion_tokens) = self.sql(|connection| {
            connection
                .prepare_cached(
                    "SELECT sum(prompt_tokens), sum(completion_tokens) FROM journal WHERE run = ?1 AND step IN (?2, ?3, ?4)",
                )?
                .query_row(params![run, step, search, questions], |row| Ok((row.get(0)?, row.get(1)?)))
        })?;
        let usage = Usage { prompt_tokens: natural(prompt_tokens), completion_tokens: natural(completion_tokens) };
        Ok((usage != Usage::default()).then_some(usage))
    }

    /// The rows of imported records about the story `folded`: no run of it holds them, and they go with it all the same.
    pub(super) fn imported_about(&self, folded: &str) -> Result<Vec<(i64, MemoryRecord)>, StoreError> {
        let mut found = Vec::new();
        self.each(
            "SELECT memory.id, size, packed, body FROM memory CROSS JOIN blob ON blob.id = memory.record
             WHERE memory.run IS NULL ORDER BY memory.id",
            [],
            |row| {
                // What cannot be read names no story.
                match self.value::<MemoryRecord>(row, 1) {
                    Ok(record) if record.article_id().to_lowercase() == folded => {
                        found.push((self.columns(|| row.get(0))?, record));
                    }
                    Ok(_) | Err(StoreError::Unreadable { .. }) => {}
                    Err(error) => return Err(error),
                }
                Ok(())
            },
        )?;
        Ok(found)
    }
}

/// How a record stands, from its columns `withdrawn` and `struck_…`.
fn standing(row: &Row<'_>) -> rusqlite::Result<RecordState> {
    let (withdrawn, by, at, why): (bool, Option<String>, Option<String>, Option<String>) =
        (row.get(4)?, row.get(5)?, row.get(6)?, row.get(7)?);
    Ok(match at {
        Some(at) => RecordState::Struck(Strike { by: by.unwrap_or_default(), at, reason: why.unwrap_or_default() }),
        None if withdrawn => RecordState::Overruled,
        None => RecordState::Offered,
    })
}

fn counted(rows: usize) -> u64 {
    u64::try_from(rows).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
