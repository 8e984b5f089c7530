//! Reading the desk back.

use async_trait::async_trait;
use rusqlite::{Row, ToSql};

use super::{Store, calls::natural, session::Session, stories::priority};
use crate::{
    newsroom::{Entry, EventRecord, ListedRun, RunState, Step},
    ports::{Archive, CallRow, CallText, Chain, Logged, RunKey, StoreError, Tail},
};

const COLUMNS: &str = "run.id, story.channel, story.slug, run.title, run.desk, run.run_id, run.state, story.current_run = run.id,
    run.rounds, run.open_concerns, run.flags, run.prompt_tokens, run.completion_tokens, run.opened_at, run.updated_at, run.error,
    run.waits, run.signed_by, story.priority, story.paused, run.max_rounds, before.run_id, coalesce(run.stands_since, run.updated_at), run.settled_by";

/// All runs, with their stories. The joins are in this order: by their keys, whatever SQLite thinks of the tables' sizes.
const RUNS: &str =
    "FROM run CROSS JOIN story ON story.id = run.story LEFT JOIN run AS before ON before.id = run.took_over";

/// The current run of each story.
const CURRENT: &str =
    "FROM story CROSS JOIN run ON run.id = story.current_run LEFT JOIN run AS before ON before.id = run.took_over";

#[async_trait]
impl Archive for Store {
    async fn spent(&self, run: RunKey) -> Result<Vec<(String, u64, u64)>, StoreError> {
        self.read(move |session| session.spent(run)).await
    }

    async fn list(&self, all: bool) -> Result<Vec<ListedRun>, StoreError> {
        let from = if all { RUNS } else { CURRENT };
        let found =
            self.read(move |session| session.runs(from, "ORDER BY run.updated_at DESC, run.id DESC", &[])).await?;
        Ok(found.into_iter().map(|(_, run)| run).collect())
    }

    async fn desk(&self) -> Result<Vec<(RunKey, ListedRun)>, StoreError> {
        self.read(|session| session.runs(CURRENT, "ORDER BY run.updated_at DESC, run.id DESC", &[])).await
    }

    async fn listed(&self, runs: &[RunKey]) -> Result<Vec<(RunKey, ListedRun)>, StoreError> {
        let runs = runs.to_vec();
        self.read(move |session| {
            let mut found = Vec::with_capacity(runs.len());
            for run in runs {
                found.append(&mut session.runs(RUNS, "WHERE run.id = ?1", &[&run.0])?);
            }
            Ok(found)
        })
        .await
    }

    async fn runs_of(&self, story: &str) -> Result<Vec<(RunKey, ListedRun)>, StoreError> {
        let folded = story.to_lowercase();
        let of_story = "WHERE run.story = (SELECT id FROM story WHERE folded = ?1) ORDER BY run.id DESC";
        self.read(move |session| session.runs(RUNS, of_story, &[&folded])).await
    }

    async fn find(&self, name: &str) -> Result<Vec<(RunKey, ListedRun)>, StoreError> {
        let folded = name.to_lowercase();
        let name = name.to_owned();
        let named =
            "WHERE run.run_id = ?1 OR story.folded = ?2 OR substr(story.folded, instr(story.folded, '/') + 1) = ?2
             ORDER BY story.current_run = run.id DESC, run.id DESC";
        self.read(move |session| session.runs(RUNS, named, &[&name, &folded])).await
    }

    async fn tail(&self, after: i64) -> Result<Tail, StoreError> {
        self.read(move |session| session.tail(after)).await
    }

    async fn entries_after(&self, run: RunKey, seq: i64) -> Result<Vec<(i64, Entry)>, StoreError> {
        self.read(move |session| session.entries_after(run, seq)).await
    }

    async fn call_log(&self, run: RunKey) -> Result<Vec<CallRow>, StoreError> {
        self.read(move |session| session.call_log(run)).await
    }

    async fn call_text(&self, run: RunKey, step: Step, attempt: u32) -> Result<Option<CallText>, StoreError> {
        self.read(move |session| session.call_text(run, step, attempt)).await
    }

    async fn events(&self, run: RunKey) -> Result<Vec<EventRecord>, StoreError> {
        self.read(move |session| session.events_of(run)).await
    }

    async fn events_after(&self, after: i64) -> Result<Vec<Logged>, StoreError> {
        self.read(move |session| session.events_after(after)).await
    }

    async fn chain_head(&self) -> Result<String, StoreError> {
        self.read(Session::chain_head).await
    }

    async fn verify_chain(&self) -> Result<Chain, StoreError> {
        // Minutes on a large log: not on the lane that screens wait for.
        self.upkeep(Session::verify_chain).await
    }
}

impl Session {
    fn runs(&self, from: &str, which: &str, parameters: &[&dyn ToSql]) -> Result<Vec<(RunKey, ListedRun)>, StoreError> {
        let sql = format!("SELECT {COLUMNS} {from} {which}");
        self.sql(|connection| connection.prepare_cached(&sql)?.query_map(parameters, listed)?.collect())
    }
}

fn listed(row: &Row<'_>) -> rusqlite::Result<(RunKey, ListedRun)> {
    let (channel, slug): (String, String) = (row.get(1)?, row.get(2)?);
    let flags: String = row.get(10)?;
    let listed = ListedRun {
        story: format!("{channel}/{slug}"),
        title: row.get(3)?,
        desk: row.get(4)?,
        run: row.get(5)?,
        state: state(&row.get::<_, String>(6)?),
        current: row.get(7)?,
        rounds: row.get(8)?,
        open_concerns: row.get(9)?,
        flags: serde_json::from_str(&flags).unwrap_or_default(),
        prompt_tokens: natural(row.get(11)?).unwrap_or(0),
        completion_tokens: natural(row.get(12)?).unwrap_or(0),
        opened_at: row.get(13)?,
        updated_at: row.get(14)?,
        error: row.get(15)?,
        waits: row.get(16)?,
        signed_by: row.get(17)?,
        priority: priority(row.get(18)?),
        paused: row.get(19)?,
        max_rounds: row.get(20)?,
        took_over: row.get(21)?,
        stands_since: row.get(22)?,
        settled_by: row.get(23)?,
    };
    Ok((RunKey(row.get(0)?), listed))
}

/// A state that only a later version knows is none that can be resumed.
fn state(name: &str) -> RunState {
    RunState::named(name).unwrap_or(RunState::Superseded)
}
