//! Runs and their journals: one transaction a step.

use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};

use super::{
    blobs::{put_record, record, record_in},
    calls::{answer_of, calls_of, close_call, must_be_written, put_prompt, write_intent, write_repeat},
    columns::{priority, rank, read_step, times_in, usage},
    ends::TextDigest,
    events::{ACCUSED, OUTPUT, PASSAGES, acts_of, append_event_of},
    facts::write_tool_call,
    memory::{refused, remember, withdraw},
    passage_use::{digest_of_uses, keep_uses},
    queue::{deal, rehearse_taking, take_out, turn},
    secrecy,
    versions::number_version,
};
use crate::prelude::*;
use copydesk_core::ports::{
    Commit, Committed, NewRun, QueueState, Records, Rejected, RunSummary, Slots, Start, StoredRun, Times, Unfinished,
};
use copydesk_newsroom::{Answer, CallKey, Entry, Journal, RunState};

/// How long work on a story waits for a database that another program has locked.
const PATIENCE: Duration = Duration::from_mins(10);

#[async_trait]
impl Records for Store {
    async fn open_run(
        &self,
        run: NewRun,
        slots: Option<Arc<dyn Slots>>,
    ) -> Result<Option<(RunKey, Committed)>, StoreError> {
        let run = Arc::new(run);
        let work = || {
            let (run, slots) = (Arc::clone(&run), slots.clone());
            self.write(move |db| open_run(db, &run, slots.as_deref()))
        };
        patiently(slots.is_some(), work).await
    }

    async fn commit(&self, run: RunKey, step: Commit, slots: Option<Arc<dyn Slots>>) -> Result<Committed, StoreError> {
        // A worker may hold an answer that was paid for.
        let waits = slots.is_some() || !step.answers.is_empty();
        let step = Arc::new(step);
        let work = || {
            let (step, slots) = (Arc::clone(&step), slots.clone());
            self.write(move |db| commit(db, run, &step, slots.as_deref()))
        };
        patiently(waits, work).await
    }

    async fn load(&self, run: RunKey) -> Result<StoredRun, StoreError> {
        self.read(move |db| load(db, run)).await
    }

    async fn answer_for(&self, run: RunKey, digest: &str) -> Result<Option<Answer>, StoreError> {
        let digest = digest.to_owned();
        self.read(move |db| answer_of(db, run, &digest)).await
    }

    async fn unfinished(&self) -> Result<Vec<Unfinished>, StoreError> {
        self.read(|db| unfinished(db, None)).await
    }

    async fn files_written(&self, run: RunKey) -> Result<(), StoreError> {
        self.write(move |db| {
            db.write("UPDATE run SET files_written = 1 WHERE id = ?1", [run.0])?;
            db.write("DELETE FROM message WHERE run = ?1 AND state <> 'dead'", [run.0])
        })
        .await
    }
}

/// Writes again as long as another program holds the database or its server is away, if it is worth waiting for: then nothing has been
/// written yet.
async fn patiently<T, W: Future<Output = Result<T, StoreError>>>(
    waits: bool,
    work: impl Fn() -> W,
) -> Result<T, StoreError> {
    let began = Instant::now();
    loop {
        match work().await {
            Err(StoreError::Busy { .. } | StoreError::Away { .. }) if waits && began.elapsed() < PATIENCE => {}
            result => return result,
        }
    }
}

fn open_run(db: &Database, run: &NewRun, slots: Option<&dyn Slots>) -> Result<Option<(RunKey, Committed)>, DbFault> {
    let opening = &secrecy::with_user(db, &run.opening);
    if db.exists("SELECT 1 FROM run WHERE run_id = ?1", [&opening.run_id])? {
        return Ok(None);
    }
    let key = opening.topic.story();
    let text = put_record(db, &**opening)?;
    db.write(
        "INSERT INTO story (folded, channel, slug) VALUES (?1, ?2, ?3) ON CONFLICT (folded) DO NOTHING",
        params![key.folded(), key.channel.as_str(), key.slug.as_str()],
    )?;
    let Some(story) = db.optional::<i64>("SELECT id FROM story WHERE folded = ?1", [key.folded()])? else {
        return Err(secrecy::hidden(db, &key));
    };
    secrecy::keep(db, story, &opening.secrecy)?;
    if let Some(priority) = run.priority {
        db.write("UPDATE story SET priority = ?2 WHERE id = ?1", [story, rank(priority)])?;
    }
    let key: i64 = db.value(
        // A key that the log has seen is not given again, even if its run is deleted.
        "INSERT INTO run (id, story, run_id, title, desk, pins, opening, took_over, batch, extract, state, opened_at, updated_at)
         VALUES (1 + max(coalesce((SELECT max(id) FROM run_key), 0), coalesce((SELECT max(run) FROM log_link), 0)),
         ?1, ?2, ?3, ?4, ?5, (SELECT id FROM text_key WHERE digest = ?6), ?7, coalesce(?9, (SELECT batch FROM run WHERE id = ?7)), ?10,
         'open', ?8, ?8) RETURNING id",
        params![
            story,
            opening.run_id,
            opening.topic.source_metadata.topic_title,
            opening.desk,
            opening.pins,
            text.as_slice(),
            run.takes_over.map(|key| key.0),
            opening.opened_at,
            run.batch,
            opening.extract
        ],
    )?;
    db.write("UPDATE story SET current_run = ?2 WHERE id = ?1", [story, key])?;
    // A story has one run at a time that can be resumed: an older one must not overwrite the newer one's result.
    db.write("UPDATE run SET state = 'superseded' WHERE story = ?1 AND id <> ?2 AND state = 'open'", [story, key])?;
    db.write("DELETE FROM message WHERE run IN (SELECT id FROM run WHERE story = ?1 AND id <> ?2)", [story, key])?;
    // The story is searched again, so passages whose vectors retention removed need new ones.
    db.write(
        "UPDATE passage SET embedded = 0
         WHERE embedded = 2 AND document IN (SELECT id FROM document WHERE story = ?1)",
        [story],
    )?;
    let committed = commit(db, RunKey(key), &run.first, slots)?;
    Ok(Some((RunKey(key), committed)))
}

fn commit(db: &Database, run: RunKey, commit: &Commit, slots: Option<&dyn Slots>) -> Result<Committed, DbFault> {
    let at = &commit.at;
    take_out(db, run, &commit.queue)?;
    rehearse(db, run, commit, slots);
    let turn = turn(db, run, at, commit.queue.arrived)?;
    // A program may have hung for so long that another took the story over.
    if commit.generation.is_some_and(|generation| generation != turn.generation) {
        return Err(StoreError::TakenOver { story: turn.story }.into());
    }
    commit.repeats.iter().try_for_each(|key| write_repeat(db, run, key))?;
    let times = |step| commit.times.get(step).copied().unwrap_or_default();
    let mut outputs = HashMap::new();
    for entry in &commit.entries {
        outputs.insert(entry.step, append_entry(db, run, entry, times(&entry.step))?);
    }
    closes(commit).try_for_each(|key| must_be_written(db, run, key))?;
    // Intents first: an answer that is taken over comes with its intent.
    commit.intents.iter().try_for_each(|intent| write_intent(db, run, at, intent))?;
    let numbers = |key| commit.numbers.get(key).cloned().unwrap_or_default();
    for (key, answer) in &commit.answers {
        close_call(db, run, at, (key, Some(answer), None), &numbers(key))?;
    }
    for Rejected { key, error, answer } in &commit.rejected {
        close_call(db, run, at, (key, answer.as_ref(), Some(error)), &numbers(key))?;
    }
    commit.tools.iter().try_for_each(|tried| write_tool_call(db, run, at, tried))?;
    commit.memory.iter().try_for_each(|record| remember(db, Some(run), record).map(drop))?;
    commit.withdrawn.iter().try_for_each(|hash| withdraw(db, hash))?;
    if let Some(uses) = &commit.passages {
        keep_uses(db, run, uses)?;
    }
    let accused = commit.accused.as_ref().map(|accused| serde_json::json!(accused).to_string());
    if let Some(accused) = &accused {
        db.write("UPDATE run SET accused = ?2 WHERE id = ?1", params![run.0, accused])?;
    }
    for event in &commit.events {
        let output = match event {
            Event::StepDone { step, .. } | Event::Decided { step, .. } => outputs.get(step).map(hex::encode),
            Event::RunOpened { .. } => {
                let opening = "SELECT digest FROM run JOIN blob ON blob.id = opening WHERE run.id = ?1";
                Some(db.first(opening, [run.0], |row| Ok(hex::encode(row.get_ref(0)?.as_blob()?)))?)
            }
            _ => None,
        };
        let rests = matches!(event, Event::GateWaits { .. } | Event::RunClosed { .. });
        let passages = commit.passages.as_deref().filter(|_| rests).map(digest_of_uses);
        let accused = accused.as_deref().filter(|_| rests);
        let beside = [(OUTPUT, output.as_deref()), (PASSAGES, passages.as_deref()), (ACCUSED, accused)];
        append_event_of(db, run, at, event, &beside)?;
    }
    if let Some(summary) = &commit.summary {
        write_summary(db, run, at, summary)?;
    }
    db.unheard.set(slots.is_some() && commit.events.iter().all(concerns_one_story));
    deal(db, &turn, &commit.queue, slots)
}

/// Whether an event is about the work on a story and about nothing that another program waits for.
const fn concerns_one_story(event: &Event) -> bool {
    matches!(
        event,
        Event::CallStarted { .. }
            | Event::CallRepeated { .. }
            | Event::ToolActs { .. }
            | Event::StepDone { .. }
            | Event::VerdictGiven { .. }
            | Event::Noted { .. }
    )
}

/// The calls that a commit closes and did not begin itself.
fn closes(commit: &Commit) -> impl Iterator<Item = &CallKey> {
    let keys = commit.answers.iter().map(|(key, _)| key).chain(commit.rejected.iter().map(|rejected| &rejected.key));
    keys.filter(move |key| !commit.intents.iter().any(|intent| intent.key == **key))
}

/// Asks in advance what a commit will ask.
fn rehearse(db: &Database, run: RunKey, commit: &Commit, slots: Option<&dyn Slots>) {
    let started = commit.queue.put.iter().filter_map(|put| match &put.start {
        Some(Start::Call(intent, _)) => Some(&**intent),
        _ => None,
    });
    db.rehearse(|db| {
        _ = turn(db, run, &commit.at, None);
        _ = db.with_ends(|_| ());
        if let Some(slots) = slots {
            rehearse_taking(db, slots, &commit.at);
        }
        commit.intents.iter().chain(started).for_each(|intent| _ = put_prompt(db, &intent.prompt));
        commit.memory.iter().for_each(|record| _ = refused(db, record));
        closes(commit).for_each(|key| _ = must_be_written(db, run, key));
    });
}

/// Returns the digest of the entry's output.
fn append_entry(db: &Database, run: RunKey, entry: &Entry, times: Times) -> Result<TextDigest, DbFault> {
    let text = put_record(db, &entry.outcome)?;
    let shown = entry.shown.as_ref().and_then(|shown| serde_json::to_string(shown).ok());
    db.write(
        "INSERT INTO journal (run, seq, step, at, outcome, prompt_tokens, completion_tokens, cached_tokens,
             waited_ms, worked_ms, shown)
         VALUES (?1, (SELECT coalesce(max(seq), 0) + 1 FROM journal WHERE run = ?1), ?2, ?3,
             (SELECT id FROM text_key WHERE digest = ?4), ?5, ?6, ?7, ?8, ?9, ?10)",
        params![
            run.0,
            entry.step.to_string(),
            entry.at,
            text.as_slice(),
            entry.usage.prompt_tokens.map(whole),
            entry.usage.completion_tokens.map(whole),
            entry.usage.cached_tokens.map(whole),
            times.waited_ms.map(whole),
            times.worked_ms.map(whole),
            shown
        ],
    )?;
    Ok(text)
}

fn write_summary(db: &Database, run: RunKey, at: &str, summary: &RunSummary) -> Result<(), DbFault> {
    db.write(
        "UPDATE run SET state = ?2, rounds = ?3, open_concerns = ?4, flags = ?5, prompt_tokens = ?6,
         completion_tokens = ?7, error = ?8, updated_at = ?9, waits = ?10, signed_by = ?11, max_rounds = ?12,
         headline = ?13, extract = ?14,
         stands_since = CASE WHEN waits IS NOT DISTINCT FROM ?10 AND state = ?2 THEN coalesce(stands_since, updated_at) ELSE ?9 END WHERE id = ?1 AND state <> 'superseded'",
        params![
            run.0,
            summary.state.as_str(),
            summary.rounds,
            summary.open_concerns,
            serde_json::json!(summary.flags).to_string(),
            whole(summary.prompt_tokens),
            whole(summary.completion_tokens),
            summary.error,
            at,
            summary.waits,
            summary.signed_by,
            summary.max_rounds,
            summary.headline,
            summary.extract
        ],
    )?;
    if summary.state == RunState::Succeeded && summary.signed_by.is_some() { number_version(db, run) } else { Ok(()) }
}

pub(super) fn load(db: &Database, run: RunKey) -> Result<StoredRun, DbFault> {
    let (opening, took_over, generation): (i64, Option<i64>, i64) = db.first(
        "SELECT opening, took_over, generation FROM run JOIN story ON story.id = run.story WHERE run.id = ?1",
        [run.0],
        |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
    )?;
    let mut journal = Journal::new(record(db, opening)?);
    for (_, entry) in entries_after(db, run, 0)? {
        journal.push(entry);
    }
    let took_over = took_over.map(RunKey);
    Ok(StoredRun { journal, calls: calls_of(db, run)?, took_over, acts: acts_of(db, run)?, generation })
}

/// The entries of a run's journal after its `seq`th.
pub(super) fn entries_after(db: &Database, run: RunKey, seq: i64) -> Result<Vec<(i64, Entry)>, DbFault> {
    db.rows(
        "SELECT seq, step, at, prompt_tokens, completion_tokens, cached_tokens, shown, size, packed, body
         FROM journal CROSS JOIN blob ON blob.id = journal.outcome WHERE run = ?1 AND seq > ?2 ORDER BY seq",
        [run.0, seq],
        |row| {
            let step = row.get_ref(1)?.as_str()?;
            let outcome = record_in(db, row, 7).map_err(|fault| match fault {
                DbFault::Store(StoreError::Unreadable { detail, .. }) => unreadable(format!("step {step}"), detail),
                other => other,
            })?;
            let shown: Option<String> = row.get(6)?;
            let shown = shown.as_deref().map(serde_json::from_str).transpose();
            let shown = shown.map_err(|error| unreadable(format!("step {step}"), error.to_string()))?;
            Ok((row.get(0)?, Entry { step: read_step(step)?, outcome, at: row.get(2)?, usage: usage(row, 3)?, shown }))
        },
    )
}

/// How long each step of a run took.
pub(super) fn times(db: &Database, run: RunKey) -> Result<HashMap<Step, Times>, DbFault> {
    let rows = db.rows("SELECT step, waited_ms, worked_ms FROM journal WHERE run = ?1", [run.0], |row| {
        Ok((read_step(row.get_ref(0)?.as_str()?)?, times_in(row, 1)?))
    })?;
    Ok(rows.into_iter().collect())
}

/// Runs that can be resumed, or that one if it can be.
pub(super) fn unfinished(db: &Database, run: Option<RunKey>) -> Result<Vec<Unfinished>, DbFault> {
    let which = if run.is_some() { "run.id = ?1" } else { "CAST(?1 AS TEXT) IS NULL" };
    let sql = format!(
        "SELECT run.id, run.run_id, story.channel, story.slug, run.pins, story.priority, story.paused, run.waits IS NOT NULL,
             EXISTS (SELECT 1 FROM message WHERE message.run = run.id AND message.state IN ('waiting', 'later')),
             EXISTS (SELECT 1 FROM message WHERE message.run = run.id AND message.state = 'held')
                 AND NOT EXISTS (SELECT 1 FROM message WHERE message.run = run.id AND message.state NOT IN ('held', 'dead'))
         FROM run JOIN story ON story.id = run.story
         WHERE (run.state = 'open' OR (run.files_written = 0 AND run.state <> 'superseded'))
         AND story.current_run = run.id AND {which} ORDER BY story.priority DESC, run.id"
    );
    db.rows(&sql, [run.map(|run| run.0)], |row| {
        Ok(Unfinished {
            key: RunKey(row.get(0)?),
            run_id: row.get(1)?,
            story: story_key(row.get(2)?, row.get(3)?)?,
            pins: row.get(4)?,
            priority: priority(row.get(5)?),
            paused: row.get(6)?,
            waits: row.get(7)?,
            queued: match (row.get(8)?, row.get(9)?) {
                (true, _) => QueueState::Waits,
                (false, true) => QueueState::Held,
                (false, false) => QueueState::No,
            },
        })
    })
}
