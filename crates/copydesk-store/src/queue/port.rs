//! The queue's port: each method a transaction.

use std::sync::Arc;

use super::{
    list::{drop_dead, leases, messages, outlook, resume},
    servers::{failing, servers_down},
    take::{key_of, take, wake},
};
use crate::journal::unfinished;
use crate::prelude::*;
use copydesk_core::ports::{
    Failing, Leased, MessageState, Outlook, Queue, QueuedMessage, ServerDown, Slots, Taken, Unfinished,
};

#[async_trait]
impl Queue for Store {
    async fn take(&self, slots: Arc<dyn Slots>, now: i64) -> Result<Vec<Taken>, StoreError> {
        self.write(move |db| {
            // The worker does nothing outward before its next commit, which syncs the claim too. If the machine loses the claim before that,
            // the step waits again, and nothing was done for it yet.
            db.unsynced.set(true);
            db.unheard.set(true);
            wake(db, now)?;
            take(db, &*slots, now)
        })
        .await
    }

    async fn wake(&self, now: i64) -> Result<(), StoreError> {
        self.write(move |db| wake(db, now)).await
    }

    async fn outlook(&self, worker: &str, pins: &str, only: Option<&str>) -> Result<Outlook, StoreError> {
        let (worker, pins, only) = (worker.to_owned(), key_of(pins), only.map(str::to_owned));
        self.read(move |db| outlook(db, &worker, pins, only.as_deref())).await
    }

    async fn put_back(&self, worker: &str, run: RunKey, not_before: Option<i64>, now: i64) -> Result<(), StoreError> {
        let worker = worker.to_owned();
        let state = if not_before.is_some() { MessageState::Later } else { MessageState::Waiting };
        self.write(move |db| {
            db.write(                "UPDATE message SET state = iif(1 = (SELECT paused FROM run JOIN story ON story.id = run.story
                     WHERE run.id = ?1), 'held', ?3), since = ?4, not_before = ?5, worker = NULL, until = NULL, server = NULL
                 WHERE run = ?1 AND state = 'leased' AND worker = ?2",
                params![run.0, worker, state.name(), now, not_before],
            )
        })
        .await
    }

    async fn put_all_back(&self, worker: &str, now: i64) -> Result<(), StoreError> {
        let worker = worker.to_owned();
        self.write(move |db| {
            db.write(                "UPDATE message SET state = iif(1 = (SELECT paused FROM run JOIN story ON story.id = run.story
                     WHERE run.id = message.run), 'held', 'waiting'), since = ?2, not_before = NULL, worker = NULL, until = NULL,
                     server = NULL
                 WHERE state = 'leased' AND worker = ?1",
                params![worker, now],
            )
        })
        .await
    }

    async fn take_out(&self, worker: &str, run: RunKey) -> Result<(), StoreError> {
        let worker = worker.to_owned();
        self.write(move |db| db.write("DELETE FROM message WHERE run = ?1 AND worker = ?2", params![run.0, worker]))
            .await
    }

    async fn renew(&self, worker: &str, until: i64) -> Result<(), StoreError> {
        let worker = worker.to_owned();
        self.write(move |db| {
            db.write("UPDATE message SET until = ?2 WHERE state = 'leased' AND worker = ?1", params![worker, until])
        })
        .await
    }

    async fn leases(&self) -> Result<Vec<Leased>, StoreError> {
        self.read(leases).await
    }

    async fn pass_on(&self, story: &StoryKey) -> Result<(), StoreError> {
        let story = story.folded();
        self.write(move |db| db.write("UPDATE story SET generation = generation + 1 WHERE folded = ?1", [story])).await
    }

    async fn release(&self, worker: &str, run: RunKey, now: i64) -> Result<(), StoreError> {
        let worker = worker.to_owned();
        self.write(move |db| {
            let released = db.change(
                "UPDATE message SET state = 'waiting', since = ?2, worker = NULL, until = NULL, server = NULL
                 WHERE run = ?1 AND state = 'leased' AND worker = ?3",
                params![run.0, now, worker],
            )?;
            // A worker that was only cut off from the server commits nothing more of it.
            let sql = "UPDATE story SET generation = generation + ?2 WHERE id = (SELECT story FROM run WHERE id = ?1)";
            db.write(sql, [run.0, i64::from(released > 0)])
        })
        .await
    }

    async fn mend(&self, pins: &str, now: i64) -> Result<(), StoreError> {
        let pins = pins.to_owned();
        self.write(move |db| {
            db.write(                "INSERT INTO message (run, step, pool, state, priority, pins, arrived, since)
                 SELECT run.id, '', 'editor', iif(story.paused = 1, 'held', 'waiting'), story.priority, ?2, ?3, ?3
                 FROM run JOIN story ON story.current_run = run.id
                 WHERE ((run.state = 'open' AND run.waits IS NULL) OR (run.files_written = 0 AND run.state <> 'superseded'))
                 AND run.pins = ?1 AND run.waits IS NULL
                 AND NOT EXISTS (SELECT 1 FROM message WHERE message.run = run.id AND message.state <> 'dead')",
                params![pins, key_of(&pins), now],
            )
        })
        .await
    }

    async fn hold(&self, run: RunKey, now: i64) -> Result<(), StoreError> {
        self.write(move |db| {
            db.write(
                "UPDATE message SET state = 'held', since = ?2, worker = NULL, until = NULL, server = NULL
                 WHERE run = ?1 AND state IN ('waiting', 'later')",
                params![run.0, now],
            )
        })
        .await
    }

    async fn resume(&self, run: RunKey, pins: &str, now: i64) -> Result<(), StoreError> {
        let pins = key_of(pins);
        self.write(move |db| resume(db, run, pins, now)).await
    }

    async fn unfinished_run(&self, run: RunKey) -> Result<Option<Unfinished>, StoreError> {
        self.read(move |db| Ok(unfinished(db, Some(run))?.pop())).await
    }

    async fn messages(&self, state: Option<MessageState>) -> Result<Vec<QueuedMessage>, StoreError> {
        self.read(move |db| messages(db, state)).await
    }

    async fn drop_dead(&self, run: RunKey, step: Step, by: &str, reason: &str, at: &str) -> Result<bool, StoreError> {
        let (at, event) =
            (at.to_owned(), Event::DeadLetterDropped { step, by: by.to_owned(), reason: reason.to_owned() });
        self.write(move |db| drop_dead(db, run, step, &event, &at)).await
    }

    async fn failing(&self, server: &str, now: i64) -> Result<Failing, StoreError> {
        let server = server.to_owned();
        self.read(move |db| failing(db, &server, now)).await
    }

    async fn servers_down(&self, now: i64) -> Result<Vec<ServerDown>, StoreError> {
        self.read(move |db| servers_down(db, now)).await
    }
}
