//! Reading the desk back.

use async_trait::async_trait;
use rusqlite::{Row, params};

use super::{Store, calls::natural, session::Session};
use crate::{
    newsroom::{EventRecord, ListedRun, Priority},
    ports::{Archive, RunKey, StoreError},
};

const COLUMNS: &str = "run.id, story.channel, story.slug, run.title, run.desk, run.run_id, run.state, story.current_run = run.id,
    run.rounds, run.open_concerns, run.flags, run.prompt_tokens, run.completion_tokens, run.opened_at, run.updated_at, run.error,
    run.waits, run.signed_by, story.priority, story.paused, run.max_rounds
    FROM run JOIN story ON story.id = run.story";

#[async_trait]
impl Archive for Store {
    async fn list(&self, all: bool) -> Result<Vec<ListedRun>, StoreError> {
        let which = if all { "" } else { "WHERE story.current_run = run.id" };
        let sql = format!("SELECT {COLUMNS} {which} ORDER BY run.updated_at DESC, run.id DESC");
        self.read(move |session| {
            session
                .sql(|connection| connection.prepare_cached(&sql)?.query_map([], |row| Ok(listed(row)?.1))?.collect())
        })
        .await
    }

    async fn find(&self, name: &str) -> Result<Vec<(RunKey, ListedRun)>, StoreError> {
        let folded = name.to_lowercase();
        let name = name.to_owned();
        let sql = format!(
            "SELECT {COLUMNS} WHERE run.run_id = ?1 OR story.folded = ?2 OR substr(story.folded, instr(story.folded, '/') + 1) = ?2
             ORDER BY story.current_run = run.id DESC, run.id DESC"
        );
        self.read(move |session| {
            session
                .sql(|connection| connection.prepare_cached(&sql)?.query_map(params![name, folded], listed)?.collect())
        })
        .await
    }

    async fn chain_head(&self) -> Result<String, StoreError> {
        self.read(Session::chain_head).await
    }

    async fn events(&self, run: RunKey) -> Result<Vec<EventRecord>, StoreError> {
        self.read(move |session| session.events_of(run)).await
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
        state: row.get(6)?,
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
        priority: match row.get(18)? {
            0 => Priority::Low,
            1 => Priority::Normal,
            _ => Priority::High,
        },
        paused: row.get(19)?,
        max_rounds: row.get(20)?,
    };
    Ok((RunKey(row.get(0)?), listed))
}
