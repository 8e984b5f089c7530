//! The institutional memory's records.

use async_trait::async_trait;
use rusqlite::{OptionalExtension, params};

use super::{Store, session::Session};
use crate::{
    newsroom::MemoryRecord,
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

    pub(super) fn remember(&self, run: RunKey, record: &MemoryRecord) -> Result<(), StoreError> {
        let blob = self.put_json(record)?;
        self.sql(|connection| {
            connection
                .prepare_cached("INSERT INTO memory (cache_key_hash, run, at, record) VALUES (?1, ?2, ?3, ?4)")?
                .execute(params![record.cache_key_hash(), run.0, record.timestamp(), blob])
        })?;
        Ok(())
    }
}
