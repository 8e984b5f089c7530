//! What is in the queue, for workers that wait and for people.

use rusqlite::{OptionalExtension, params};

use super::{
    super::{
        session::Session,
        stories::{priority, story_key},
    },
    take::{read_pool, read_stored},
};
use crate::{
    newsroom::{Event, Step},
    ports::{Leased, MessageState, Outlook, QueuedMessage, RunKey, StoreError},
};

impl Session {
    pub(super) fn outlook(&self, pins: i64, only: Option<&str>) -> Result<Outlook, StoreError> {
        self.sql(|connection| {
            let waiting = match only {
                Some(story) => connection
                    .prepare_cached(
                        "SELECT EXISTS (SELECT 1 FROM message
                         WHERE run = (SELECT current_run FROM story WHERE folded = ?1) AND state = 'waiting')",
                    )?
                    .query_row([story], |row| row.get(0))?,
                None => connection
                    .prepare_cached(
                        "SELECT EXISTS (SELECT 1 FROM message INDEXED BY message_waiting WHERE state = 'waiting' AND pins = ?1)",
                    )?
                    .query_row([pins], |row| row.get(0))?,
            };
            let due: Option<i64> = connection
                .prepare_cached(
                    "SELECT min(at) FROM (SELECT min(not_before) AS at FROM message WHERE state = 'later'
                     UNION ALL SELECT min(until) FROM message WHERE state = 'leased')",
                )?
                .query_row([], |row| row.get(0))?;
            Ok(Outlook { waiting, due })
        })
    }

    pub(super) fn leases(&self) -> Result<Vec<Leased>, StoreError> {
        let mut leases = Vec::new();
        self.each(
            "SELECT run.id, channel, slug, worker, max(message.since)
             FROM message JOIN run ON run.id = message.run JOIN story ON story.id = run.story
             WHERE message.state = 'leased' GROUP BY run.id, worker",
            [],
            |row| {
                let (channel, slug) = self.columns(|| Ok((row.get(1)?, row.get(2)?)))?;
                let story = story_key(channel, slug)?;
                leases.push(self.columns(|| {
                    Ok(Leased { run: RunKey(row.get(0)?), story, worker: row.get(3)?, since: row.get(4)? })
                })?);
                Ok(())
            },
        )?;
        Ok(leases)
    }

    pub(super) fn let_go(&self, run: RunKey, pins: i64, now: i64) -> Result<(), StoreError> {
        self.sql(|connection| {
            connection
                .prepare_cached(
                    // What a worker has stays its own: where that is gone, it is soon put back, for these pins.
                    "UPDATE message SET pins = ?2, state = iif(state = 'leased', state, 'waiting'),
                         since = iif(state = 'leased', since, ?3), not_before = iif(state = 'leased', not_before, NULL)
                     WHERE run = ?1 AND state <> 'dead'",
                )?
                .execute(params![run.0, pins, now])?;
            let any: Option<i64> = connection
                .prepare_cached("SELECT 1 FROM message WHERE run = ?1 AND state <> 'dead' LIMIT 1")?
                .query_row([run.0], |row| row.get(0))
                .optional()?;
            if any.is_none() {
                connection
                    .prepare_cached(
                        "INSERT INTO message (run, step, pool, state, priority, pins, arrived, since)
                         SELECT run.id, '', 'editor', 'waiting', story.priority, ?2, ?3, ?3
                         FROM run JOIN story ON story.id = run.story WHERE run.id = ?1",
                    )?
                    .execute(params![run.0, pins, now])?;
            }
            Ok(())
        })
    }

    /// Takes the dead letter of a step out, with its event. False where there is none.
    pub(super) fn drop_dead(&self, run: RunKey, step: Step, event: &Event, at: &str) -> Result<bool, StoreError> {
        let dropped = self.sql(|connection| {
            connection
                .prepare_cached("DELETE FROM message WHERE run = ?1 AND step = ?2 AND state = 'dead'")?
                .execute(params![run.0, step.to_string()])
        })?;
        if dropped > 0 {
            self.append_event(run, at, event)?;
        }
        Ok(dropped > 0)
    }

    pub(super) fn messages(&self, state: Option<MessageState>) -> Result<Vec<QueuedMessage>, StoreError> {
        let mut messages = Vec::new();
        // Each state has an index of its own; a state that is bound would use none of them.
        let which = state.map_or_else(String::new, |state| format!("WHERE message.state = '{}'", state.name()));
        let sql = format!(
            "SELECT message.id, message.run, run.run_id, channel, slug, step, pool, message.state, message.priority, since,
                 not_before, redeliveries, worker, message.error
             FROM message JOIN run ON run.id = message.run JOIN story ON story.id = run.story
             {which} ORDER BY message.priority DESC, arrived, message.id"
        );
        self.each(&sql, [], |row| {
            let (channel, slug) = self.columns(|| Ok((row.get(3)?, row.get(4)?)))?;
            let (step, pool, name): (String, String, String) =
                self.columns(|| Ok((row.get(5)?, row.get(6)?, row.get(7)?)))?;
            let (story, step, pool) = (story_key(channel, slug)?, read_stored(&step)?, read_pool(&pool)?);
            let state = MessageState::ALL.into_iter().find(|state| state.name() == name).ok_or_else(|| {
                StoreError::Unreadable { what: "a message".into(), detail: format!("no message is {name}") }
            })?;
            messages.push(self.columns(|| {
                Ok(QueuedMessage {
                    id: row.get(0)?,
                    run: RunKey(row.get(1)?),
                    run_id: row.get(2)?,
                    story,
                    step,
                    pool,
                    state,
                    priority: priority(row.get(8)?),
                    since: row.get(9)?,
                    not_before: row.get(10)?,
                    redeliveries: row.get(11)?,
                    worker: row.get(12)?,
                    error: row.get(13)?,
                })
            })?);
            Ok(())
        })?;
        Ok(messages)
    }
}
