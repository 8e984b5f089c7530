//! The audit log: a chain of digests, so that nothing can be changed or left out unseen (DESIGN.md, section 6).

use rusqlite::{OptionalExtension, params};
use sha2::{Digest, Sha256};

use super::session::Session;
use crate::{
    newsroom::{Event, EventRecord},
    ports::{RunKey, StoreError},
};

impl Session {
    /// Appends an event. Runs inside a write transaction, so that the chain has one end.
    pub(super) fn append_event(&self, run: RunKey, at: &str, event: &Event) -> Result<(), StoreError> {
        let payload = serde_json::to_string(event)
            .map_err(|error| StoreError::Unreadable { what: "a new event".into(), detail: error.to_string() })?;
        self.sql(|connection| {
            let before: Option<Vec<u8>> = connection
                .prepare_cached("SELECT chain FROM event ORDER BY seq DESC LIMIT 1")?
                .query_row([], |row| row.get(0))
                .optional()?;
            let digest = Sha256::digest(payload.as_bytes());
            let mut link = Sha256::new();
            link.update(before.unwrap_or_default());
            link.update(run.0.to_be_bytes());
            link.update(at.as_bytes());
            link.update(digest);
            connection
                .prepare_cached("INSERT INTO event (run, at, payload, digest, chain) VALUES (?1, ?2, ?3, ?4, ?5)")?
                .execute(params![run.0, at, payload, digest.as_slice(), link.finalize().as_slice()])
        })?;
        Ok(())
    }

    /// The last link of the chain, hex; empty where nothing is logged.
    pub(super) fn chain_head(&self) -> Result<String, StoreError> {
        let head: Option<Vec<u8>> = self.sql(|connection| {
            connection
                .prepare_cached("SELECT chain FROM event ORDER BY seq DESC LIMIT 1")?
                .query_row([], |row| row.get(0))
                .optional()
        })?;
        Ok(head.map(hex::encode).unwrap_or_default())
    }

    /// A run's events, in order.
    pub(super) fn events_of(&self, run: RunKey) -> Result<Vec<EventRecord>, StoreError> {
        let rows: Vec<(String, String, String, String, Option<String>)> = self.sql(|connection| {
            connection
                .prepare_cached(
                    "SELECT event.at, story.channel, story.slug, run.run_id, event.payload
                     FROM event JOIN run ON run.id = event.run JOIN story ON story.id = run.story
                     WHERE event.run = ?1 ORDER BY event.seq",
                )?
                .query_map([run.0], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?)))?
                .collect()
        })?;
        rows.into_iter()
            .filter_map(|(at, channel, slug, run, payload)| payload.map(|payload| (at, channel, slug, run, payload)))
            .map(|(at, channel, slug, run, payload)| {
                let event = serde_json::from_str(&payload).map_err(|error| StoreError::Unreadable {
                    what: format!("an event of {run}"),
                    detail: error.to_string(),
                })?;
                Ok(EventRecord { at, story: format!("{channel}/{slug}"), run, event })
            })
            .collect()
    }
}
