//! The audit log: a chain of digests, so that nothing can be changed or left out unseen (DESIGN.md, section 6).

use rusqlite::{OptionalExtension, Row, params};
use sha2::{Digest, Sha256};

use super::session::Session;
use crate::{
    newsroom::{Event, EventRecord},
    ports::{Chain, Logged, RunKey, StoreError, Tail},
};

/// Place, run, time, story, the run's name, content.
type LoggedRow = (i64, i64, String, Option<String>, Option<String>, String);

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
        let logged = self.logged("WHERE event.run = ?1 AND payload IS NOT NULL ORDER BY seq", run.0)?;
        Ok(logged.into_iter().map(|logged| logged.record).collect())
    }

    /// The events of all runs after the event `after`, in order.
    pub(super) fn events_after(&self, after: i64) -> Result<Vec<Logged>, StoreError> {
        self.logged("WHERE seq > ?1 AND payload IS NOT NULL ORDER BY seq LIMIT 1000", after)
    }

    fn logged(&self, which: &str, parameter: i64) -> Result<Vec<Logged>, StoreError> {
        let sql = format!(
            "SELECT seq, event.run, event.at, channel || '/' || slug, run.run_id, payload
             FROM event LEFT JOIN run ON run.id = event.run LEFT JOIN story ON story.id = run.story {which}"
        );
        let rows: Vec<LoggedRow> = self.sql(|connection| {
            let columns =
                |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?));
            connection.prepare_cached(&sql)?.query_map([parameter], columns)?.collect()
        })?;
        rows.into_iter()
            .map(|(seq, key, at, story, run, payload)| {
                let event = serde_json::from_str(&payload).map_err(|error| StoreError::Unreadable {
                    what: format!("event {seq}"),
                    detail: error.to_string(),
                })?;
                let (story, run) = (story.unwrap_or_default(), run.unwrap_or_default());
                Ok(Logged { seq, run: RunKey(key), record: EventRecord { at, story, run, event } })
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
            .commit(first, Commit { at: AT.into(), events: vec![noted.clone(), noted], ..Commit::default() }, None)
            .await
            .unwrap();
        assert_eq!(store.tail(seen.last).await.unwrap(), Tail { last: 4, runs: vec![first, second] });
        let told: Vec<_> = store
            .events_after(seen.last)
            .await
            .unwrap()
            .into_iter()
            .map(|logged| (logged.seq, logged.run, logged.record.story, logged.record.run))
            .collect();
        let told_of = |seq, run, story: &str, name: &str| (seq, run, story.to_owned(), name.to_owned());
        assert_eq!(
            told,
            [
                told_of(2, second, "desk/mill", "R2"),
                told_of(3, first, "desk/park", "R1"),
                told_of(4, first, "desk/park", "R1")
            ]
        );
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
