//! Runs and their journals: one transaction a step.

use std::sync::Arc;

use async_trait::async_trait;
use rusqlite::{OptionalExtension, params};

use super::{
    Store,
    calls::{natural, read_step, whole},
    session::Session,
    stories::{priority, rank, story_key},
};
use crate::{
    newsroom::{Answer, Entry, Journal, Usage},
    ports::{Commit, Committed, NewRun, Queued, Records, Room, RunKey, RunSummary, StoreError, StoredRun, Unfinished},
};

#[async_trait]
impl Records for Store {
    async fn open_run(
        &self,
        run: NewRun,
        room: Option<Arc<dyn Room>>,
    ) -> Result<Option<(RunKey, Committed)>, StoreError> {
        self.write(move |session| session.open_run(&run, room.as_deref())).await
    }

    async fn commit(&self, run: RunKey, commit: Commit, room: Option<Arc<dyn Room>>) -> Result<Committed, StoreError> {
        self.write(move |session| session.commit(run, &commit, room.as_deref())).await
    }

    async fn load(&self, run: RunKey) -> Result<StoredRun, StoreError> {
        self.read(move |session| session.load(run)).await
    }

    async fn answer_for(&self, run: RunKey, digest: &str) -> Result<Option<Answer>, StoreError> {
        let digest = digest.to_owned();
        self.read(move |session| session.answer_of(run, &digest)).await
    }

    async fn unfinished(&self) -> Result<Vec<Unfinished>, StoreError> {
        self.read(|session| session.unfinished(None)).await
    }

    async fn files_written(&self, run: RunKey) -> Result<(), StoreError> {
        self.write(move |session| {
            session.sql(|connection| {
                connection.prepare_cached("UPDATE run SET files_written = 1 WHERE id = ?1")?.execute([run.0])?;
                connection.prepare_cached("DELETE FROM message WHERE run = ?1 AND state <> 'dead'")?.execute([run.0])
            })?;
            Ok(())
        })
        .await
    }
}

impl Session {
    fn open_run(&self, run: &NewRun, room: Option<&dyn Room>) -> Result<Option<(RunKey, Committed)>, StoreError> {
        let opening = &run.opening;
        let taken = self.sql(|connection| {
            connection
                .prepare_cached("SELECT 1 FROM run WHERE run_id = ?1")?
                .query_row([&opening.run_id], |_| Ok(()))
                .optional()
        })?;
        if taken.is_some() {
            return Ok(None);
        }
        let story = opening.topic.story();
        let blob = self.put_json(opening)?;
        let key = self.sql(|connection| {
            connection
                .prepare_cached("INSERT INTO story (folded, channel, slug) VALUES (?1, ?2, ?3) ON CONFLICT (folded) DO NOTHING")?
                .execute(params![story.folded(), story.channel.as_str(), story.slug.as_str()])?;
            let story: i64 = connection
                .prepare_cached("SELECT id FROM story WHERE folded = ?1")?
                .query_row([story.folded()], |row| row.get(0))?;
            if let Some(priority) = run.priority {
                connection
                    .prepare_cached("UPDATE story SET priority = ?2 WHERE id = ?1")?
                    .execute(params![story, rank(priority)])?;
            }
            let key = connection
                .prepare_cached(
                    // A key that the log has seen is not given again, though its run may be deleted.
                    "INSERT INTO run (id, story, run_id, title, desk, pins, opening, took_over, batch, state, opened_at, updated_at)
                     VALUES (1 + max(coalesce((SELECT max(id) FROM run), 0), coalesce((SELECT max(run) FROM event), 0)),
                     ?1, ?2, ?3, ?4, ?5, ?6, ?7, coalesce(?9, (SELECT batch FROM run WHERE id = ?7)), 'open', ?8, ?8)",
                )?
                .insert(params![
                    story,
                    opening.run_id,
                    opening.topic.source_metadata.topic_title,
                    opening.desk,
                    opening.pins,
                    blob,
                    run.takes_over.map(|key| key.0),
                    opening.opened_at,
                    run.batch
                ])?;
            connection.prepare_cached("UPDATE story SET current_run = ?2 WHERE id = ?1")?.execute(params![story, key])?;
            // The story has one run at a time that can be gone on with: an older one must not overwrite the newer's result.
            connection
                .prepare_cached("UPDATE run SET state = 'superseded' WHERE story = ?1 AND id <> ?2 AND state = 'open'")?
                .execute(params![story, key])?;
            connection
                .prepare_cached(
                    "DELETE FROM message WHERE run IN (SELECT id FROM run WHERE story = ?1 AND id <> ?2)",
                )?
                .execute(params![story, key])?;
            // Whose vectors retention let go is searched again.
            connection
                .prepare_cached(
                    "UPDATE passage SET embedded = 0
                     WHERE embedded = 2 AND document IN (SELECT id FROM document WHERE story = ?1)",
                )?
                .execute([story])?;
            Ok(RunKey(key))
        })?;
        let committed = self.commit(key, &run.first, room)?;
        Ok(Some((key, committed)))
    }

    fn commit(&self, run: RunKey, commit: &Commit, room: Option<&dyn Room>) -> Result<Committed, StoreError> {
        for key in &commit.repeats {
            self.write_repeat(run, key)?;
        }
        for entry in &commit.entries {
            self.append_entry(run, entry)?;
        }
        // Intents first: an answer that is taken over comes with its intent.
        for intent in &commit.intents {
            self.write_intent(run, &commit.at, intent)?;
        }
        for (key, answer) in &commit.answers {
            self.write_answer(run, &commit.at, key, answer)?;
        }
        for rejected in &commit.rejected {
            self.write_rejected(run, &commit.at, rejected)?;
        }
        for record in &commit.memory {
            self.remember(Some(run), record)?;
        }
        for hash in &commit.withdrawn {
            self.withdraw(hash)?;
        }
        for event in &commit.events {
            self.append_event(run, &commit.at, event)?;
        }
        if let Some(summary) = &commit.summary {
            self.write_summary(run, &commit.at, summary)?;
        }
        self.deal(run, &commit.at, &commit.queue, room)
    }

    fn append_entry(&self, run: RunKey, entry: &Entry) -> Result<(), StoreError> {
        let blob = self.put_json(&entry.outcome)?;
        self.sql(|connection| {
            connection
                .prepare_cached(
                    "INSERT INTO journal (run, seq, step, at, outcome, prompt_tokens, completion_tokens)
                     VALUES (?1, (SELECT coalesce(max(seq), 0) + 1 FROM journal WHERE run = ?1), ?2, ?3, ?4, ?5, ?6)",
                )?
                .execute(params![
                    run.0,
                    entry.step.to_string(),
                    entry.at,
                    blob,
                    whole(entry.usage.prompt_tokens),
                    whole(entry.usage.completion_tokens)
                ])
        })?;
        Ok(())
    }

    fn write_summary(&self, run: RunKey, at: &str, summary: &RunSummary) -> Result<(), StoreError> {
        let flags = serde_json::json!(summary.flags).to_string();
        self.sql(|connection| {
            connection
                .prepare_cached(
                    "UPDATE run SET state = ?2, rounds = ?3, open_concerns = ?4, flags = ?5, prompt_tokens = ?6,
                     completion_tokens = ?7, error = ?8, updated_at = ?9, waits = ?10, signed_by = ?11, max_rounds = ?12,
                     stands_since = CASE WHEN waits IS ?10 AND state = ?2 THEN coalesce(stands_since, updated_at) ELSE ?9 END WHERE id = ?1 AND state <> 'superseded'",
                )?
                .execute(params![
                    run.0,
                    summary.state.as_str(),
                    summary.rounds,
                    summary.open_concerns,
                    flags,
                    whole(Some(summary.prompt_tokens)),
                    whole(Some(summary.completion_tokens)),
                    summary.error,
                    at,
                    summary.waits,
                    summary.signed_by,
                    summary.max_rounds
                ])
        })?;
        Ok(())
    }

    fn load(&self, run: RunKey) -> Result<StoredRun, StoreError> {
        let (opening, took_over): (i64, Option<i64>) = self.sql(|connection| {
            connection
                .prepare_cached("SELECT opening, took_over FROM run WHERE id = ?1")?
                .query_row([run.0], |row| Ok((row.get(0)?, row.get(1)?)))
        })?;
        let mut journal = Journal::new(self.json(opening)?);
        for (_, entry) in self.entries_after(run, 0)? {
            journal.push(entry);
        }
        Ok(StoredRun { journal, calls: self.calls_of(run)?, took_over: took_over.map(RunKey) })
    }

    /// The entries of a run's journal after its `seq`th.
    pub(super) fn entries_after(&self, run: RunKey, seq: i64) -> Result<Vec<(i64, Entry)>, StoreError> {
        let mut entries = Vec::new();
        self.each(
            "SELECT seq, step, at, prompt_tokens, completion_tokens, size, packed, body
             FROM journal CROSS JOIN blob ON blob.id = journal.outcome WHERE run = ?1 AND seq > ?2 ORDER BY seq",
            [run.0, seq],
            |row| {
                let (seq, step, at): (i64, String, String) =
                    self.columns(|| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
                let usage = self.columns(|| {
                    Ok(Usage { prompt_tokens: natural(row.get(3)?), completion_tokens: natural(row.get(4)?) })
                })?;
                let unreadable = |error: StoreError| match error {
                    StoreError::Unreadable { detail, .. } => {
                        StoreError::Unreadable { what: format!("step {step}"), detail }
                    }
                    other => other,
                };
                let outcome = self.value(row, 5).map_err(unreadable)?;
                entries.push((seq, Entry { step: read_step(&step)?, outcome, at, usage }));
                Ok(())
            },
        )?;
        Ok(entries)
    }

    pub(super) fn unfinished(&self, run: Option<RunKey>) -> Result<Vec<Unfinished>, StoreError> {
        let mut unfinished = Vec::new();
        let which = if run.is_some() { "run.id = ?1" } else { "?1 IS NULL" };
        let sql = format!(
            "SELECT run.id, run.run_id, story.channel, story.slug, run.pins, story.priority, story.paused, run.waits IS NOT NULL,
                 EXISTS (SELECT 1 FROM message WHERE message.run = run.id AND message.state IN ('waiting', 'later')),
                 EXISTS (SELECT 1 FROM message WHERE message.run = run.id AND message.state = 'held')
                     AND NOT EXISTS (SELECT 1 FROM message WHERE message.run = run.id AND message.state NOT IN ('held', 'dead'))
             FROM run JOIN story ON story.id = run.story
             WHERE (run.state = 'open' OR (run.files_written = 0 AND run.state <> 'superseded'))
             AND story.current_run = run.id AND {which} ORDER BY story.priority DESC, run.id"
        );
        self.each(&sql, [run.map(|run| run.0)], |row| {
            let (channel, slug) = self.columns(|| Ok((row.get(2)?, row.get(3)?)))?;
            let story = story_key(channel, slug)?;
            unfinished.push(self.columns(|| {
                Ok(Unfinished {
                    key: RunKey(row.get(0)?),
                    run_id: row.get(1)?,
                    story,
                    pins: row.get(4)?,
                    priority: priority(row.get(5)?),
                    paused: row.get(6)?,
                    waits: row.get(7)?,
                    queued: match (row.get(8)?, row.get(9)?) {
                        (true, _) => Queued::Waits,
                        (false, true) => Queued::Held,
                        (false, false) => Queued::No,
                    },
                })
            })?);
            Ok(())
        })?;
        Ok(unfinished)
    }
}
