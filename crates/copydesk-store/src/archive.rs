//! Runs, journals, calls and events read back for screens and tables.

use std::collections::HashMap;

use crate::engine::parameters::Parameters;
use crate::prelude::*;

use super::{
    audit::audit, call_log, columns::priority, events, journal, passage_use::sharing, replies::of_story,
    versions::next_version,
};
use copydesk_core::ports::{Archive, Audit, CallRow, CallText, Logged, SignedOff, Tail, Times, WorkProgress};
use copydesk_newsroom::{Entry, EventRecord, ListedRun, RunState, SharingStory, Usage, fold_name};
use copydesk_text::same_person;

const COLUMNS: &str = "run.id, story.channel, story.slug, coalesce(run.headline, run.title), run.desk, run.run_id, run.state, story.current_run = run.id,
    run.rounds, run.open_concerns, run.flags, run.prompt_tokens, run.completion_tokens, run.opened_at, run.updated_at, run.error,
    run.waits, run.signed_by, story.priority, story.paused, run.max_rounds, before.run_id, coalesce(run.stands_since, run.updated_at), run.settled_by,
    story.due, story.assigned, run.extract, story.embargo,
    (SELECT killed FROM run AS later WHERE later.story = run.story AND later.id >= run.id AND later.killed IS NOT NULL
         ORDER BY later.id LIMIT 1),
    run.accused, EXISTS (SELECT 1 FROM reply WHERE reply.story = story.id), story.folded, run.version";

/// All runs, with their stories. CROSS JOIN keeps SQLite to this order, so that each join goes by a key.
const RUNS: &str =
    "FROM run CROSS JOIN story ON story.id = run.story LEFT JOIN run AS before ON before.id = run.took_over";

/// The current run of each story.
const CURRENT: &str =
    "FROM story CROSS JOIN run ON run.id = story.current_run LEFT JOIN run AS before ON before.id = run.took_over";

#[async_trait]
impl Archive for Store {
    async fn spent(&self, run: RunKey) -> Result<Vec<(String, Usage)>, StoreError> {
        self.read(move |db| call_log::spent(db, run)).await
    }

    async fn list(&self, all: bool) -> Result<Vec<(RunKey, ListedRun)>, StoreError> {
        let from = if all { RUNS } else { CURRENT };
        self.read(move |db| runs(db, from, "ORDER BY run.updated_at DESC, run.id DESC", [])).await
    }

    async fn listed(&self, keys: &[RunKey]) -> Result<Vec<(RunKey, ListedRun)>, StoreError> {
        let keys = keys.to_vec();
        self.read(move |db| {
            let mut found = Vec::with_capacity(keys.len());
            for key in &keys {
                found.append(&mut runs(db, RUNS, "WHERE run.id = ?1", [key.0])?);
            }
            Ok(found)
        })
        .await
    }

    async fn runs_of(&self, story: &str) -> Result<Vec<(RunKey, ListedRun)>, StoreError> {
        let folded = fold_name(story);
        let of_story = "WHERE run.story = (SELECT id FROM story WHERE folded = ?1) ORDER BY run.id DESC";
        self.read(move |db| runs(db, RUNS, of_story, [&folded])).await
    }

    async fn find(&self, name: &str) -> Result<Vec<(RunKey, ListedRun)>, StoreError> {
        let (name, folded) = (name.to_owned(), fold_name(name));
        let named =
            "WHERE run.run_id = ?1 OR story.folded = ?2 OR substr(story.folded, instr(story.folded, '/') + 1) = ?2
             ORDER BY story.current_run = run.id DESC, run.id DESC";
        self.read(move |db| runs(db, RUNS, named, [&name, &folded])).await
    }

    async fn tail(&self, after: i64) -> Result<Tail, StoreError> {
        self.read(move |db| events::tail(db, after)).await
    }

    async fn entries_after(&self, run: RunKey, seq: i64) -> Result<Vec<(i64, Entry)>, StoreError> {
        self.read(move |db| journal::entries_after(db, run, seq)).await
    }

    async fn call_log(&self, run: RunKey) -> Result<Vec<CallRow>, StoreError> {
        self.read(move |db| call_log::call_log(db, run)).await
    }

    async fn times(&self, run: RunKey) -> Result<HashMap<Step, Times>, StoreError> {
        self.read(move |db| journal::times(db, run)).await
    }

    async fn call_text(&self, run: RunKey, step: Step, attempt: u32) -> Result<Option<CallText>, StoreError> {
        self.read(move |db| call_log::call_text(db, run, step, attempt)).await
    }

    async fn events(&self, run: RunKey) -> Result<Vec<EventRecord>, StoreError> {
        self.read(move |db| events::events_of(db, run)).await
    }

    async fn events_after(&self, after: i64) -> Result<Vec<Logged>, StoreError> {
        self.read(move |db| events::events_after(db, after)).await
    }

    async fn sharing(&self, run: RunKey) -> Result<Vec<SharingStory>, StoreError> {
        self.read(move |db| sharing(db, run)).await
    }

    async fn chain_head(&self) -> Result<String, StoreError> {
        self.read(events::chain_head).await
    }

    async fn audit_with(&self, signed: Vec<SignedOff>, progress: WorkProgress) -> Result<Audit, StoreError> {
        let head = self.head();
        self.upkeep(move |db| audit(db, head.as_ref(), &signed, &progress)).await
    }
}

fn runs(
    db: &Database,
    from: &str,
    which: &str,
    parameters: impl Parameters,
) -> Result<Vec<(RunKey, ListedRun)>, DbFault> {
    db.rows(&format!("SELECT {COLUMNS} {from} {which}"), parameters, |row| {
        let (key, mut run) = listed(row)?;
        let accused: Vec<String> = serde_json::from_str(row.get_ref(29)?.as_str()?).unwrap_or_default();
        let asked = if row.get(30)? { of_story(db, row.get_ref(31)?.as_str()?)? } else { Vec::new() };
        let unasked = |name: &String| !asked.iter().any(|(_, reply)| same_person(&reply.name, name));
        run.unasked = accused.into_iter().filter(unasked).collect();
        run.replies_due = asked.into_iter().map(|(_, reply)| reply).filter(|reply| reply.answer.is_none()).collect();
        if run.version == 0 {
            run.version = next_version(db, key)?;
        }
        Ok((key, run))
    })
}

fn listed(row: &DbRow<'_>) -> rusqlite::Result<(RunKey, ListedRun)> {
    let (channel, slug): (String, String) = (row.get(1)?, row.get(2)?);
    let flags: String = row.get(10)?;
    let killed: Option<String> = row.get(28)?;
    let listed = ListedRun {
        story: format!("{channel}/{slug}"),
        title: row.get(3)?,
        desk: row.get(4)?,
        run: row.get(5)?,
        state: state(&row.get::<String>(6)?),
        current: row.get(7)?,
        rounds: row.get(8)?,
        open_concerns: row.get(9)?,
        flags: serde_json::from_str(&flags).unwrap_or_default(),
        prompt_tokens: natural(row.get(11)?),
        completion_tokens: natural(row.get(12)?),
        opened_at: row.get(13)?,
        updated_at: row.get(14)?,
        error: row.get(15)?,
        waits: row.get(16)?,
        signed_by: row.get(17)?,
        version: row.get::<Option<u32>>(32)?.unwrap_or(0),
        priority: priority(row.get(18)?),
        paused: row.get(19)?,
        max_rounds: row.get(20)?,
        took_over: row.get(21)?,
        stands_since: row.get(22)?,
        settled_by: row.get(23)?,
        due: row.get(24)?,
        assigned: row.get(25)?,
        extract: row.get(26)?,
        embargo: row.get(27)?,
        unasked: Vec::new(),
        replies_due: Vec::new(),
        withdrawn: killed.and_then(|killed| serde_json::from_str(&killed).ok()),
    };
    Ok((RunKey(row.get(0)?), listed))
}

/// A state that only a later version knows is none that can be resumed.
fn state(name: &str) -> RunState {
    name.parse().unwrap_or(RunState::Superseded)
}
