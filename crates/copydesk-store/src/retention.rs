//! Removes the texts of calls, vectors and expired records. It takes the same care as deleting a story, but the rows stay, and with them
//! the record of who asked what.

use super::{
    blobs::{put_bytes, record_in},
    columns::counted,
    deletion::{LISTS, delete_texts, prompt_parts_of_doomed},
    events::append_event,
    knowledge::remove_vectors,
    stories::held_runs_of,
};
use crate::prelude::*;
use copydesk_core::ports::{Freed, HeldRun, Lapsed, Resting, Retention, Taking};
use copydesk_newsroom::MemoryRecord;

/// Stories at rest: no run is open, and the current one has its files and leaves nothing for an editor to decide.
const RESTING: &str = "
    SELECT story.channel, story.slug, max(run.updated_at),
        (SELECT count(*) FROM llm_call JOIN run AS made ON made.id = llm_call.run
         WHERE made.story = story.id AND llm_call.removed_at IS NULL),
        (SELECT count(*) FROM document JOIN passage ON passage.document = document.id
         WHERE document.story = story.id AND passage.embedded = 1)
    FROM story JOIN run ON run.story = story.id JOIN run AS current ON current.id = story.current_run
    WHERE current.state IN ('success', 'failed') AND current.files_written = 1 AND current.waits IS NULL
        AND (current.flags = '[]' AND current.accused = '[]' OR current.signed_by IS NOT NULL OR current.settled_by IS NOT NULL)
    GROUP BY story.id HAVING count(*) FILTER (WHERE run.state = 'open') = 0 ORDER BY max(run.updated_at), story.id";

#[async_trait]
impl Retention for Store {
    async fn resting(&self) -> Result<Vec<Resting>, StoreError> {
        self.read(|db| {
            db.rows(RESTING, [], |row| {
                let story = story_key(row.get(0)?, row.get(1)?)?;
                let (calls, vectors) = (natural(row.get(3)?), natural(row.get(4)?));
                Ok(Resting { story, changed_at: row.get(2)?, calls, vectors })
            })
        })
        .await
    }

    async fn held_runs(&self, story: &StoryKey) -> Result<Vec<HeldRun>, StoreError> {
        let folded = story.folded();
        self.read(move |db| held_runs_of(db, &folded)).await
    }

    async fn take_texts(&self, stories: Vec<Taking>, by: &str, at: &str, really: bool) -> Result<Freed, StoreError> {
        let (by, at) = (by.to_owned(), at.to_owned());
        self.upkeep(move |db| {
            let (mut freed, wiped) = in_one_piece(db, really, |db| take_texts(db, &stories, &by, &at))?;
            freed.wiped = wiped;
            Ok(freed)
        })
        .await
    }

    async fn take_vectors(&self, stories: Vec<StoryKey>, really: bool) -> Result<u64, StoreError> {
        self.upkeep(move |db| {
            let take = |db: &Database| stories.iter().map(|story| remove_vectors(db, &story.folded())).sum();
            Ok(in_one_piece(db, really, take)?.0)
        })
        .await
    }

    async fn drop_expired(&self, before: &str, by: &str, at: &str, really: bool) -> Result<Lapsed, StoreError> {
        let (before, by, at) = (before.to_owned(), by.to_owned(), at.to_owned());
        self.upkeep(move |db| {
            let (mut lapsed, wiped) = in_one_piece(db, really, |db| drop_expired(db, &before, &by, &at))?;
            lapsed.freed.wiped = wiped;
            Ok(lapsed)
        })
        .await
    }
}

/// Does `work` in one transaction, and undoes it unless it is meant `really`; the caller closes the connection after a failure, which
/// undoes it too. Returns as well whether deleted content is gone from the write-ahead log.
fn in_one_piece<T>(
    db: &Database,
    really: bool,
    work: impl FnOnce(&Database) -> Result<T, DbFault>,
) -> Result<(T, bool), DbFault> {
    db.begin_to_write()?;
    let done = work(db)?;
    if !really {
        db.set("ROLLBACK")?;
        return Ok((done, false));
    }
    db.commit()?;
    Ok((done, db.empty_log()))
}

fn take_texts(db: &Database, stories: &[Taking], by: &str, at: &str) -> Result<Freed, DbFault> {
    // A call without its texts refers to a prompt of no messages.
    let nothing = put_bytes(db, b"[]")?;
    db.set(LISTS)?;
    let mut freed = Freed::default();
    for taking in stories {
        let calls = if taking.texts { gather(db, taking)? } else { 0 };
        freed.calls += calls;
        if calls > 0 || taking.folders > 0 {
            let event = Event::RetentionApplied { by: by.to_owned(), calls, folders: taking.folders, records: 0 };
            let run = db.value("SELECT current_run FROM story WHERE folded = ?1", [taking.story.folded()])?;
            append_event(db, RunKey(run), at, &event)?;
        }
    }
    let pairs = prompt_parts_of_doomed(db)?;
    // A digest of the answer stays beside that of the input.
    db.write(
        "UPDATE llm_call SET removed_at = ?2, prompt = (SELECT id FROM text_key WHERE digest = ?1), answer = NULL,
             answer_digest = (SELECT digest FROM blob WHERE blob.id = llm_call.answer)
         WHERE removed_at IS NULL AND run IN (SELECT run FROM doomed)",
        params![nothing.as_slice(), at],
    )?;
    (freed.texts, freed.bytes) = delete_texts(db, &pairs)?;
    Ok(freed)
}

/// Notes a story's runs, and the prompts and answers that they still have. Returns how many calls have some.
fn gather(db: &Database, taking: &Taking) -> Result<u64, DbFault> {
    let folded = taking.story.folded();
    let runs = "SELECT run.id FROM run JOIN story ON story.id = run.story WHERE story.folded = ?1";
    db.write(&format!("INSERT INTO doomed {runs} ON CONFLICT DO NOTHING"), [&folded])?;
    let calls = format!("FROM llm_call WHERE removed_at IS NULL AND run IN ({runs})");
    for column in ["prompt", "answer"] {
        let sql =
            format!("INSERT INTO candidate SELECT {column} {calls} AND {column} IS NOT NULL ON CONFLICT DO NOTHING");
        db.write(&sql, [&folded])?;
    }
    db.value(&format!("SELECT count(*) {calls}"), [&folded]).map(natural)
}

fn drop_expired(db: &Database, before: &str, by: &str, at: &str) -> Result<Lapsed, DbFault> {
    let expired = "memory.at < ?1 AND withdrawn = 0 AND struck_at IS NULL
         AND coalesce((SELECT state FROM run WHERE run.id = memory.run), '') <> 'open'";
    let mut lapsed = Lapsed::default();
    db.each(
        &format!(
            "SELECT {expired}, size, packed, body FROM memory CROSS JOIN blob ON blob.id = memory.record
             WHERE cache_key_hash IN (SELECT cache_key_hash FROM memory WHERE {expired}) ORDER BY memory.id"
        ),
        [before],
        |row| {
            let records = if row.get(0)? { &mut lapsed.records } else { &mut lapsed.others };
            // If a record cannot be read, its file's name is unknown. Its row is deleted all the same.
            records.extend(readable::<MemoryRecord>(record_in(db, row, 1))?);
            Ok(())
        },
    )?;
    db.set(LISTS)?;
    db.write(
        &format!("INSERT INTO candidate SELECT record FROM memory WHERE {expired} ON CONFLICT DO NOTHING"),
        [before],
    )?;
    let records = counted(db.change(&format!("DELETE FROM memory WHERE {expired}"), [before])?);
    (lapsed.freed.texts, lapsed.freed.bytes) = delete_texts(db, &[])?;
    if records > 0 {
        let event = Event::RetentionApplied { by: by.to_owned(), calls: 0, folders: 0, records };
        append_event(db, RunKey::HOUSE, at, &event)?;
    }
    Ok(lapsed)
}

#[cfg(test)]
mod tests;
