//! The contents of the queue, for waiting workers and for people.

use super::take::not_others;
use crate::prelude::*;
use crate::{
    columns::{priority, read_pool, read_step_column},
    events::append_event,
};
use copydesk_core::ports::{Leased, MessageState, Outlook, QueuedMessage};

pub(super) fn outlook(db: &Database, worker: &str, pins: i64, only: Option<&str>) -> Result<Outlook, DbFault> {
    let waiting = match only {
        Some(_) => "message WHERE run = (SELECT current_run FROM story WHERE folded = ?2) AND state = 'waiting'",
        None => "message INDEXED BY message_waiting WHERE state = 'waiting' AND pins = ?1 AND CAST(?2 AS TEXT) IS NULL",
    };
    let sql = format!(
        "SELECT EXISTS (SELECT 1 FROM {waiting} AND CAST(?1 AS BIGINT) IS NOT NULL {}), (SELECT min(not_before) FROM message WHERE state = 'later'),
             EXISTS (SELECT 1 FROM message INDEXED BY message_leased WHERE state = 'leased')",
        not_others(3)
    );
    db.first(&sql, params![pins, only, worker], |row| {
        Ok(Outlook { waiting: row.get(0)?, due: row.get(1)?, leased: row.get(2)? })
    })
}

pub(super) fn leases(db: &Database) -> Result<Vec<Leased>, DbFault> {
    db.rows(
        "SELECT run.id, channel, slug, worker, max(message.since), max(message.until)
         FROM message JOIN run ON run.id = message.run JOIN story ON story.id = run.story
         WHERE message.state = 'leased' GROUP BY run.id, story.id, worker",
        [],
        |row| {
            let story = story_key(row.get(1)?, row.get(2)?)?;
            Ok(Leased { run: RunKey(row.get(0)?), story, worker: row.get(3)?, since: row.get(4)?, until: row.get(5)? })
        },
    )
}

/// Lets every message of a run be taken, by workers with these pins. A run without one gets a message.
pub(super) fn resume(db: &Database, run: RunKey, pins: i64, now: i64) -> Result<(), DbFault> {
    db.write(
        // A message that a worker has stays leased; if that worker is gone, the message is soon put back, for these pins.
        "UPDATE message SET pins = ?2, state = iif(state = 'leased', state, 'waiting'),
             since = iif(state = 'leased', since, ?3), not_before = iif(state = 'leased', not_before, NULL)
         WHERE run = ?1 AND state <> 'dead'",
        params![run.0, pins, now],
    )?;
    if db.exists("SELECT 1 FROM message WHERE run = ?1 AND state <> 'dead'", [run.0])? {
        return Ok(());
    }
    db.write(
        "INSERT INTO message (run, step, pool, state, priority, pins, arrived, since)
         SELECT run.id, '', 'editor', 'waiting', story.priority, ?2, ?3, ?3
         FROM run JOIN story ON story.id = run.story WHERE run.id = ?1",
        params![run.0, pins, now],
    )
}

/// Removes a failed step's message, with the event. False if there is none.
pub(super) fn drop_dead(db: &Database, run: RunKey, step: Step, event: &Event, at: &str) -> Result<bool, DbFault> {
    let sql = "DELETE FROM message WHERE run = ?1 AND step = ?2 AND state = 'dead'";
    let dropped = db.change(sql, params![run.0, step.to_string()])? > 0;
    if dropped {
        append_event(db, run, at, event)?;
    }
    Ok(dropped)
}

pub(super) fn messages(db: &Database, state: Option<MessageState>) -> Result<Vec<QueuedMessage>, DbFault> {
    // Each state has an index of its own, and SQLite uses none of them for a state that is a parameter.
    let which = state.map_or_else(String::new, |state| format!("WHERE message.state = '{}'", state.name()));
    let sql = format!(
        "SELECT message.id, message.run, run.run_id, channel, slug, step, pool, message.state, message.priority, since,
             not_before, redeliveries, worker, message.error
         FROM message JOIN run ON run.id = message.run JOIN story ON story.id = run.story
         {which} ORDER BY message.priority DESC, arrived, message.id"
    );
    db.rows(&sql, [], |row| {
        let name = row.get_ref(7)?.as_str()?;
        Ok(QueuedMessage {
            id: row.get(0)?,
            run: RunKey(row.get(1)?),
            run_id: row.get(2)?,
            story: story_key(row.get(3)?, row.get(4)?)?,
            step: read_step_column(row.get_ref(5)?.as_str()?)?,
            pool: read_pool(row.get_ref(6)?.as_str()?)?,
            state: name.parse().map_err(|_| unreadable("a message", format!("no message is {name}")))?,
            priority: priority(row.get(8)?),
            since: row.get(9)?,
            not_before: row.get(10)?,
            redeliveries: row.get(11)?,
            worker: row.get(12)?,
            error: row.get(13)?,
        })
    })
}
