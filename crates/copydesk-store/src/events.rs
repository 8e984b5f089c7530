//! The audit log: a chain of digests, so that every change and every gap shows.

use std::collections::HashSet;

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::prelude::*;
use copydesk_core::ports::{Logged, Tail};
use copydesk_newsroom::EventRecord;

/// The field of an event that holds the digest of its step's output.
pub(super) const OUTPUT: &str = "output";

/// Appends an event. Runs inside a write transaction, so that the chain has one end.
pub(super) fn append_event(db: &Database, run: RunKey, at: &str, event: &Event) -> Result<(), DbFault> {
    append_event_of(db, run, at, event, &[])
}

/// The field of an event that holds the digest of the passages that its run rests on.
pub(super) const PASSAGES: &str = "passages";

/// The field of an event that has the persons whom its run accuses.
pub(super) const ACCUSED: &str = "accused";

/// Appends an event unless the run's log has it, whenever that was. False if it has, or there is no such run.
pub(super) fn append_new(db: &Database, run: RunKey, at: &str, event: &Event) -> Result<bool, DbFault> {
    let payload = payload_of(db, event)?.to_string();
    let is_known = db.exists("SELECT 1 FROM event WHERE run = ?1 AND payload = ?2", params![run.0, payload])?;
    if is_known || !db.exists("SELECT 1 FROM run WHERE id = ?1", [run.0])? {
        return Ok(false);
    }
    append_event(db, run, at, event)?;
    Ok(true)
}

/// Likewise, with digests of what is kept elsewhere (hex), or with that itself, each in a field of its own: it cannot be changed without
/// the log.
pub(super) fn append_event_of(
    db: &Database,
    run: RunKey,
    at: &str,
    event: &Event,
    digests: &[(&str, Option<&str>)],
) -> Result<(), DbFault> {
    let mut payload = payload_of(db, event)?;
    for (field, digest) in digests {
        if let (Some(digest), Some(fields)) = (digest, payload.as_object_mut()) {
            fields.insert((*field).to_owned(), (*digest).into());
        }
    }
    let payload = payload.to_string();
    let digest = Sha256::digest(payload.as_bytes());
    let link = db.with_ends(|ends| {
        ends.event = link(&ends.event, run.0, at, &digest);
        ends.event.clone()
    })?;
    db.write(
        "INSERT INTO event (run, at, payload, digest, chain) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![run.0, at, payload, digest.as_slice(), link],
    )?;
    db.grew.set(true);
    Ok(())
}

/// The field of an event with the user whom the desk's server has let in, beside the configured name of who did it.
const USER: &str = "user";

fn payload_of(db: &Database, event: &Event) -> Result<Value, DbFault> {
    let mut payload = serde_json::to_value(event).map_err(|error| unreadable("a new event", error))?;
    if let (Some(user), Some(fields)) = (db.user(), payload.as_object_mut())
        && fields.contains_key("by")
    {
        fields.insert(USER.to_owned(), user.into());
    }
    Ok(payload)
}

/// An event with its user as part of the name.
fn event_in(payload: &str) -> serde_json::Result<Event> {
    let mut payload: Value = serde_json::from_str(payload)?;
    if let Some(fields) = payload.as_object_mut()
        && let (Some(Value::String(user)), Some(Value::String(by))) = (fields.remove(USER), fields.get_mut("by"))
    {
        *by = format!("{by} (database user {user})");
    }
    serde_json::from_value(payload)
}

/// A run's events, in order.
pub(super) fn events_of(db: &Database, run: RunKey) -> Result<Vec<EventRecord>, DbFault> {
    let logged = logged(db, "WHERE event.run = ?1 AND payload IS NOT NULL ORDER BY seq", run.0)?;
    Ok(logged.into_iter().map(|logged| logged.record).collect())
}

/// The steps of a run for which a tool that acts was called, or was about to be.
pub(super) fn acts_of(db: &Database, run: RunKey) -> Result<HashSet<Step>, DbFault> {
    steps_with(db, run, "tool_acts")
}

/// The steps of a run that were given up. They are in the journal as well, with why.
pub(super) fn given_up(db: &Database, run: RunKey) -> Result<HashSet<Step>, DbFault> {
    steps_with(db, run, "step_dead")
}

fn steps_with(db: &Database, run: RunKey, event: &str) -> Result<HashSet<Step>, DbFault> {
    let which = format!("WHERE event.run = ?1 AND json_extract(payload, '$.event') = '{event}' ORDER BY seq");
    Ok(logged(db, &which, run.0)?.into_iter().filter_map(|logged| logged.record.event.step()).collect())
}

/// The events of all runs after the event `after`, in order.
pub(super) fn events_after(db: &Database, after: i64) -> Result<Vec<Logged>, DbFault> {
    logged(db, "WHERE seq > ?1 AND payload IS NOT NULL ORDER BY seq LIMIT 1000", after)
}

fn logged(db: &Database, which: &str, parameter: i64) -> Result<Vec<Logged>, DbFault> {
    let sql = format!(
        "SELECT seq, event.run, event.at, coalesce(channel || '/' || slug, ''), coalesce(run.run_id, ''), payload
         FROM event LEFT JOIN run ON run.id = event.run LEFT JOIN story ON story.id = run.story {which}"
    );
    db.rows(&sql, [parameter], |row| {
        let seq = row.get(0)?;
        let event = event_in(row.get_ref(5)?.as_str()?).map_err(|error| unreadable(format!("event {seq}"), error))?;
        let record = EventRecord { at: row.get(2)?, story: row.get(3)?, run: row.get(4)?, event };
        Ok(Logged { seq, run: RunKey(row.get(1)?), record })
    })
}

/// The last event, and the runs that have one after the event `after`.
pub(super) fn tail(db: &Database, after: i64) -> Result<Tail, DbFault> {
    let last: i64 = db.value("SELECT coalesce(max(seq), 0) FROM event", [])?;
    let mut runs = Vec::new();
    if last > after {
        let sql = "SELECT DISTINCT run FROM event WHERE seq > ?1 AND seq <= ?2 ORDER BY run";
        runs = db.rows(sql, [after, last], |row| Ok(RunKey(row.get(0)?)))?;
    }
    Ok(Tail { last, runs })
}

/// The last link, hex.
pub(super) fn chain_head(db: &Database) -> Result<String, DbFault> {
    Ok(db.log_end()?.1)
}

/// An event as the table has it.
pub(super) struct RawEvent<'r> {
    pub(super) seq: i64,
    pub(super) run: i64,
    /// None once its story was deleted.
    pub(super) payload: Option<&'r str>,
    /// Whether its story is hidden from the user of the server, so that nothing but its link is known.
    pub(super) hidden: bool,
}

/// Computes every link and digest again, and hands each event on with its link as it must be. Returns the position of the first event
/// that was changed, or before which one is missing.
pub(super) fn walk(
    db: &Database,
    mut take: impl FnMut(&RawEvent<'_>, &[u8]) -> Result<(), DbFault>,
) -> Result<Option<i64>, DbFault> {
    let mut before = Vec::new();
    let mut broken = None;
    let sql =
        "SELECT log_link.seq, log_link.run, log_link.at, payload, log_link.digest, log_link.chain, event.seq IS NULL
        FROM log_link LEFT JOIN event ON event.seq = log_link.seq ORDER BY log_link.seq";
    db.each(sql, [], |row| {
        let (seq, run, hidden) = (row.get(0)?, row.get(1)?, row.get(6)?);
        let (payload, digest) = (row.get_ref(3)?.as_str_or_null()?, row.get_ref(4)?.as_blob()?);
        let expected = link(&before, run, row.get_ref(2)?.as_str()?, digest);
        let genuine = payload.is_none_or(|payload| Sha256::digest(payload).as_slice() == digest);
        if broken.is_none() && (!genuine || row.get_ref(5)?.as_blob()? != expected) {
            broken = Some(seq);
        }
        take(&RawEvent { seq, run, payload, hidden }, &expected)?;
        before = expected;
        Ok(())
    })?;
    Ok(broken)
}

/// The link of an event that follows the link `before`.
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
        Store,
        database::Database,
        testing::{AT, open, opening_of, store_in_a_file},
    };
    use copydesk_core::ports::{Archive as _, Commit, Flaw, Records as _, Tail};
    use copydesk_newsroom::{Event, Step};

    #[tokio::test]
    async fn the_tail_shows_what_another_connection_committed() {
        let (folder, store) = store_in_a_file();
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
            let (folder, store) = store_in_a_file();
            assert_eq!(store.chain_head().await.unwrap(), "");
            for number in 1..=3 {
                let run_id = format!("R{number}");
                open(&store, opening_of(&run_id, &run_id, "One."), None).await;
            }
            let audit = store.audit(vec![]).await.unwrap();
            assert_eq!((audit.events, audit.flaws), (3, vec![]));
            assert_eq!(store.chain_head().await.unwrap().len(), 64);
            let db = Database::open_for_upkeep(&folder.path().join("copydesk.db")).unwrap();
            db.write(change, []).unwrap();
            let flaws = store.audit(vec![]).await.unwrap().flaws;
            assert!(flaws.contains(&Flaw::Broken(broken)), "{change}: {flaws:?}");
        }
    }
}
