//! Reads what a trace of a run shows.

use std::collections::{HashMap, HashSet};

use super::{
    call_log::call_rows,
    columns::{count, read_step, times_in},
    events::given_up,
    secrecy::secrecy_in,
};
use crate::prelude::*;
use copydesk_core::ports::{Times, ToolEnd, TracedRun, TracedStep, TracedTool};

impl Store {
    /// A run by its name, with some of its steps. None if it was deleted.
    ///
    /// # Errors
    /// [`StoreError`] as everywhere.
    pub async fn traced(&self, run: &str, steps: &[Step]) -> Result<Option<TracedRun>, StoreError> {
        let (run, steps) = (run.to_owned(), steps.to_vec());
        self.read(move |db| traced(db, &run, &steps)).await
    }
}

fn traced(db: &Database, run: &str, steps: &[Step]) -> Result<Option<TracedRun>, DbFault> {
    let sql = "SELECT run.id, opened_at, secrecy FROM run JOIN story ON story.id = run.story WHERE run_id = ?1";
    let found = db.one(sql, [run], |row| Ok((row.get::<i64>(0)?, row.get(1)?, secrecy_in(row.get_ref(2)?)?)))?;
    let Some((id, opened_at, secrecy)) = found else { return Ok(None) };
    let key = RunKey(id);
    let done = db.rows("SELECT step, at, waited_ms, worked_ms FROM journal WHERE run = ?1", [id], |row| {
        Ok((read_step(row.get_ref(0)?.as_str()?)?, (row.get(1)?, times_in(row, 2)?)))
    })?;
    let mut done: HashMap<Step, (String, Times)> = done.into_iter().collect();
    let given_up = given_up(db, key)?;
    let mut calls = call_rows(db, key)?;
    let mut tools = tools(db, key)?;
    let mut seen = HashSet::new();
    let mut traced = Vec::new();
    for step in steps.iter().copied().filter(|step| seen.insert(*step)) {
        let calls: Vec<_> = calls.extract_if(.., |call| call.step == step).collect();
        let tools = tools.remove(&step).unwrap_or_default();
        let (ended_at, times) = done.remove(&step).map_or_else(Default::default, |(at, times)| (Some(at), times));
        if ended_at.is_some() || !calls.is_empty() || !tools.is_empty() {
            traced.push(TracedStep { step, ended_at, failed: given_up.contains(&step), times, calls, tools });
        }
    }
    Ok(Some(TracedRun { key, secrecy, opened_at, steps: traced }))
}

fn tools(db: &Database, run: RunKey) -> Result<HashMap<Step, Vec<TracedTool>>, DbFault> {
    let mut tools: HashMap<Step, Vec<TracedTool>> = HashMap::new();
    let sql =
        "SELECT step, attempt, tool, state, ended_at, worked_ms FROM tool_call WHERE run = ?1 ORDER BY step, attempt";
    db.each(sql, [run.0], |row| {
        let state = row.get_ref(3)?.as_str()?;
        let tool = TracedTool {
            attempt: row.get(1)?,
            tool: row.get(2)?,
            // The table allows no other state than these.
            end: state.parse().unwrap_or(ToolEnd::Lost),
            ended_at: row.get(4)?,
            worked_ms: count(row, 5)?,
        };
        tools.entry(read_step(row.get_ref(0)?.as_str()?)?).or_default().push(tool);
        Ok(())
    })?;
    Ok(tools)
}
