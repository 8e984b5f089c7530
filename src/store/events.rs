//! The audit log: a chain of digests, so that nothing can be changed or left out unseen (DESIGN.md, section 6).

use rusqlite::{OptionalExtension, params};
use sha2::{Digest, Sha256};

use super::session::Session;
use crate::{
    newsroom::{Event, EventRecord},
    ports::{Chain, RunKey, StoreError, Tail},
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
            let link = link(&before.unwrap_or_default(), run.0, at, &digest);
            connection
                .prepare_cached("INSERT INTO event (run, at, payload, digest, chain) VALUES (?1, ?2, ?3, ?4, ?5)")?
                .execute(params![run.0, at, payload, digest.as_slice(), link])
        })?;
        Ok(())
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

    /// What happened after the event `after`.
    pub(super) fn tail(&self, after: i64) -> Result<Tail, StoreError> {
        let last: i64 = self.sql(|connection| {
            connection.prepare_cached("SELECT coalesce(max(seq), 0) FROM event")?.query_row([], |row| row.get(0))
        })?;
        let mut runs = Vec::new();
        if last > after {
            runs = self.sql(|connection| {
                connection
                    .prepare_cached("SELECT DISTINCT run FROM event WHERE seq > ?1 AND seq <= ?2 ORDER BY run")?
                    .query_map([after, last], |row| Ok(RunKey(row.get(0)?)))?
                    .collect()
            })?;
        }
        Ok(Tail { last, runs })
    }

    /// The last link, hex.
    pub(super) fn chain_head(&self) -> Result<String, StoreError> {
        let head: Option<Vec<u8>> = self.sql(|connection| {
            connection
                .prepare_cached("SELECT chain FROM event ORDER BY seq DESC LIMIT 1")?
                .query_row([], |row| row.get(0))
                .optional()
        })?;
        Ok(head.map(hex::encode).unwrap_or_default())
    }

    /// Reckons every link and digest anew.
    pub(super) fn verify_chain(&self) -> Result<Chain, StoreError> {
        let mut before = Vec::new();
        let mut events = 0;
        let mut broken = None;
        self.each("SELECT seq, run, at, payload, digest, chain FROM event ORDER BY seq", [], |row| {
            if broken.is_some() {
                return Ok(());
            }
            self.columns(|| {
                let digest = row.get_ref(4)?.as_blob()?;
                let payload = row.get_ref(3)?.as_str_or_null()?;
                let expected = link(&before, row.get(1)?, row.get_ref(2)?.as_str()?, digest);
                let genuine = payload.is_none_or(|payload| Sha256::digest(payload).as_slice() == digest);
                if !genuine || row.get_ref(5)?.as_blob()? != expected.as_slice() {
                    broken = Some(row.get(0)?);
                }
                before = expected;
                events += 1;
                Ok(())
            })
        })?;
        Ok(broken.map_or(Chain::Whole { events }, |seq| Chain::Broken { seq }))
    }
}

/// The link of an event behind the link `before`.
fn link(before: &[u8], run: i64, at: &str, digest: &[u8]) -> Vec<u8> {
    let mut link = Sha256::new();
    link.update(before);
    link.update(run.to_be_bytes());
    link.update(at.as_bytes());
    link.update(digest);
    link.finalize().to_vec()
}

#[cfg(test)]
mod tests {
    use crate::{
        newsroom::{Event, Step},
        ports::{Archive as _, Chain, Commit, Records as _, Tail},
        store::{
            Store,
            session::Session,
            testing::{AT, open, opening_of, store},
        },
    };

    #[tokio::test]
    async fn the_tail_shows_what_another_connection_committed() {
        let (folder, store) = store();
        assert_eq!(store.tail(0).await.unwrap(), Tail::default());
        let first = open(&store, opening_of("park", "R1", "One."), None).await;
        let seen = store.tail(0).await.unwrap();
        assert_eq!(seen, Tail { last: 1, runs: vec![first] });
        assert_eq!(store.tail(seen.last).await.unwrap(), Tail { last: 1, runs: vec![] });

        let other = Store::open(&folder.path().join("copydesk.db")).unwrap();
        let second = open(&other, opening_of("mill", "R2", "Two."), None).await;
        let noted = Event::Noted { step: Step::Draft, message: "a note".into() };
        other
            .commit(first, Commit { at: AT.into(), events: vec![noted.clone(), noted], ..Commit::default() })
            .await
            .unwrap();
        assert_eq!(store.tail(seen.last).await.unwrap(), Tail { last: 4, runs: vec![first, second] });
    }

    #[tokio::test]
    async fn whoever_changes_the_log_breaks_its_chain() {
        for (change, broken) in [
            ("UPDATE event SET payload = replace(payload, 'llm', 'offline') WHERE seq = 2", 2),
            ("UPDATE event SET at = '2020' WHERE seq = 2", 2),
            ("UPDATE event SET run = 9 WHERE seq = 3", 3),
            ("DELETE FROM event WHERE seq = 2", 3),
        ] {
            let (folder, store) = store();
            assert_eq!(store.chain_head().await.unwrap(), "");
            for number in 1..=3 {
                let run_id = format!("R{number}");
                open(&store, opening_of(&run_id, &run_id, "One."), None).await;
            }
            assert_eq!(store.verify_chain().await.unwrap(), Chain::Whole { events: 3 });
            assert_eq!(store.chain_head().await.unwrap().len(), 64);
            let session = Session::open_for_upkeep(&folder.path().join("copydesk.db")).unwrap();
            session.sql(|connection| connection.execute(change, [])).unwrap();
            assert_eq!(store.verify_chain().await.unwrap(), Chain::Broken { seq: broken }, "{change}");
        }
    }
}
