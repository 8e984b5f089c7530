//! Taking away what retention lets go: the same care as in deleting a story, but rows stay, and with them who asked what.

use async_trait::async_trait;
use rusqlite::{Connection, params};

use super::{Store, deletion::delete_texts, session::Session, stories::story_key};
use crate::{
    newsroom::{Event, MemoryRecord, StoryKey},
    ports::{Freed, HeldRun, Lapsed, Resting, Retention, RunKey, StoreError, Taking},
};

/// Stories none of whose runs is open, whose current run has its files and leaves nothing for an editor to decide.
const RESTING: &str = "
    SELECT story.channel, story.slug, max(run.updated_at),
        (SELECT count(*) FROM llm_call JOIN run AS made ON made.id = llm_call.run
         WHERE made.story = story.id AND llm_call.removed_at IS NULL),
        (SELECT count(*) FROM document JOIN passage ON passage.document = document.id
         WHERE document.story = story.id AND passage.embedded = 1)
    FROM story JOIN run ON run.story = story.id JOIN run AS current ON current.id = story.current_run
    WHERE current.state IN ('success', 'failed') AND current.files_written = 1 AND current.waits IS NULL
        AND (current.flags = '[]' OR current.signed_by IS NOT NULL OR current.settled_by IS NOT NULL)
    GROUP BY story.id HAVING sum(run.state = 'open') = 0 ORDER BY max(run.updated_at), story.id";

#[async_trait]
impl Retention for Store {
    async fn resting(&self) -> Result<Vec<Resting>, StoreError> {
        self.read(Session::resting).await
    }

    async fn held_runs(&self, story: &StoryKey) -> Result<Vec<HeldRun>, StoreError> {
        let folded = story.folded();
        self.read(move |session| session.held_runs_of(&folded)).await
    }

    async fn take_texts(&self, stories: Vec<Taking>, by: &str, at: &str, really: bool) -> Result<Freed, StoreError> {
        let (by, at) = (by.to_owned(), at.to_owned());
        self.upkeep(move |session| {
            session.in_one_piece(really, |session| session.take_texts(&stories, &by, &at), |freed| &mut freed.wiped)
        })
        .await
    }

    async fn take_vectors(&self, stories: Vec<StoryKey>, really: bool) -> Result<u64, StoreError> {
        let folded: Vec<String> = stories.iter().map(StoryKey::folded).collect();
        let taken = self.upkeep(move |session| {
            let take = |session: &Session| {
                let mut taken = (0, false);
                for story in &folded {
                    taken.0 += session.let_go_of_vectors(story)?;
                }
                Ok(taken)
            };
            session.in_one_piece(really, take, |taken| &mut taken.1)
        });
        Ok(taken.await?.0)
    }

    async fn drop_expired(&self, before: &str, by: &str, at: &str, really: bool) -> Result<Lapsed, StoreError> {
        let (before, by, at) = (before.to_owned(), by.to_owned(), at.to_owned());
        self.upkeep(move |session| {
            session.in_one_piece(
                really,
                |session| session.drop_expired(&before, &by, &at),
                |lapsed| &mut lapsed.freed.wiped,
            )
        })
        .await
    }
}

impl Session {
    fn resting(&self) -> Result<Vec<Resting>, StoreError> {
        let mut resting = Vec::new();
        self.each(RESTING, [], |row| {
            let (channel, slug) = self.columns(|| Ok((row.get(0)?, row.get(1)?)))?;
            let story = story_key(channel, slug)?;
            resting.push(self.columns(|| {
                let (calls, vectors): (i64, i64) = (row.get(3)?, row.get(4)?);
                let count = |number: i64| u64::try_from(number).unwrap_or(0);
                Ok(Resting { story, changed_at: row.get(2)?, calls: count(calls), vectors: count(vectors) })
            })?);
            Ok(())
        })?;
        Ok(resting)
    }

    /// Does `work` in one transaction, which is undone where it is not meant really; a failure's is undone with the connection. Then
    /// empties the write-ahead log, and notes whether it could.
    fn in_one_piece<T>(
        &self,
        really: bool,
        work: impl FnOnce(&Self) -> Result<T, StoreError>,
        wiped: impl FnOnce(&mut T) -> &mut bool,
    ) -> Result<T, StoreError> {
        let batch = |sql: &str| self.sql(|connection| connection.execute_batch(sql));
        batch("BEGIN IMMEDIATE")?;
        let mut done = work(self)?;
        if !really {
            batch("ROLLBACK")?;
            return Ok(done);
        }
        batch("COMMIT")?;
        let busy = self
            .sql(|connection| connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0)));
        *wiped(&mut done) = busy == Ok(0);
        Ok(done)
    }

    fn take_texts(&self, stories: &[Taking], by: &str, at: &str) -> Result<Freed, StoreError> {
        // What a call without its texts refers to: a prompt of no messages.
        let nothing = self.put_blob(b"[]")?;
        self.sql(|connection| {
            connection.execute_batch(
                "CREATE TEMP TABLE doomed (run INTEGER PRIMARY KEY); CREATE TEMP TABLE candidate (text INTEGER PRIMARY KEY);",
            )
        })?;
        let mut freed = Freed::default();
        for taking in stories {
            let calls = if taking.texts { self.sql(|connection| gather(connection, taking))? } else { 0 };
            freed.calls += calls;
            if calls > 0 || taking.folders > 0 {
                let event = Event::RetentionApplied { by: by.to_owned(), calls, folders: taking.folders, records: 0 };
                let current = "SELECT current_run FROM story WHERE folded = ?1";
                let run = self.sql(|connection| {
                    connection.prepare_cached(current)?.query_row([taking.story.folded()], |row| row.get(0))
                })?;
                self.append_event(RunKey(run), at, &event)?;
            }
        }
        let pairs = self.prompt_parts_of_doomed()?;
        self.sql(|connection| let_go(connection, nothing, at))?;
        (freed.texts, freed.bytes) = self.sql(|connection| delete_texts(connection, &pairs))?;
        Ok(freed)
    }

    fn drop_expired(&self, before: &str, by: &str, at: &str) -> Result<Lapsed, StoreError> {
        let expired = "memory.at < ?1 AND withdrawn = 0 AND struck_at IS NULL
             AND coalesce((SELECT state FROM run WHERE run.id = memory.run), '') <> 'open'";
        let mut lapsed = Lapsed::default();
        self.each(
            &format!(
                "SELECT {expired}, size, packed, body FROM memory CROSS JOIN blob ON blob.id = memory.record
                 WHERE cache_key_hash IN (SELECT cache_key_hash FROM memory WHERE {expired}) ORDER BY memory.id"
            ),
            [before],
            |row| {
                let goes = self.columns(|| row.get(0))?;
                match self.value::<MemoryRecord>(row, 1) {
                    Ok(record) if goes => lapsed.records.push(record),
                    Ok(record) => lapsed.others.push(record),
                    // What cannot be read has no file that anybody could name; its row goes all the same.
                    Err(StoreError::Unreadable { .. }) => {}
                    Err(error) => return Err(error),
                }
                Ok(())
            },
        )?;
        let deleted = self.sql(|connection| {
            connection.execute_batch("CREATE TEMP TABLE candidate (text INTEGER PRIMARY KEY);")?;
            let note = format!("INSERT OR IGNORE INTO temp.candidate SELECT record FROM memory WHERE {expired}");
            connection.execute(&note, [before])?;
            connection.execute(&format!("DELETE FROM memory WHERE {expired}"), [before])
        })?;
        (lapsed.freed.texts, lapsed.freed.bytes) = self.sql(|connection| delete_texts(connection, &[]))?;
        if deleted > 0 {
            let records = u64::try_from(deleted).unwrap_or(u64::MAX);
            let event = Event::RetentionApplied { by: by.to_owned(), calls: 0, folders: 0, records };
            self.append_event(RunKey::HOUSE, at, &event)?;
        }
        Ok(lapsed)
    }
}

/// Notes a story's runs, and the prompts and answers that they still have. Returns of how many calls.
fn gather(connection: &Connection, taking: &Taking) -> rusqlite::Result<u64> {
    let folded = taking.story.folded();
    let runs = "SELECT run.id FROM run JOIN story ON story.id = run.story WHERE story.folded = ?1";
    connection.execute(&format!("INSERT OR IGNORE INTO temp.doomed {runs}"), [&folded])?;
    let calls = format!("FROM llm_call WHERE removed_at IS NULL AND run IN ({runs})");
    for column in ["prompt", "answer"] {
        connection.execute(
            &format!("INSERT OR IGNORE INTO temp.candidate SELECT {column} {calls} AND {column} IS NOT NULL"),
            [&folded],
        )?;
    }
    let calls: i64 = connection.query_row(&format!("SELECT count(*) {calls}"), [&folded], |row| row.get(0))?;
    Ok(u64::try_from(calls).unwrap_or(0))
}

/// Lets the doomed runs' calls go of their texts; a digest of the answer stays beside that of the input.
fn let_go(connection: &Connection, nothing: i64, at: &str) -> rusqlite::Result<()> {
    connection.execute(
        "UPDATE llm_call SET removed_at = ?2, prompt = ?1, answer = NULL,
             answer_digest = (SELECT digest FROM blob WHERE blob.id = llm_call.answer)
         WHERE removed_at IS NULL AND run IN (SELECT run FROM temp.doomed)",
        params![nothing, at],
    )?;
    Ok(())
}

#[cfg(test)]
mod tests;
