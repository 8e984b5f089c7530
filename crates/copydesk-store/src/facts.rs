//! Numbers of a period, and of what waits: one pass over each table, by time.

use super::{
    blobs::record_in,
    columns::{count, milliseconds, read_pool, read_step, times_in, usage},
    queue::servers_down,
};
use crate::prelude::*;
use copydesk_core::ports::{FactBook, MessageState, PeriodFacts, QueueBacklog, SlowCall, Times, ToolEnd, ToolTried};
use copydesk_newsroom::{AttemptEnd, CallFact, CallLine, Facts, Outcome, Pool, RunState};

#[async_trait]
impl FactBook for Store {
    async fn period(&self, bounds: Vec<String>, slowest: usize) -> Result<PeriodFacts, StoreError> {
        // On a connection of its own: a month takes a while, and a screen waits for the reader.
        self.upkeep(move |db| {
            let mut parts = Parts::new(&bounds);
            // One transaction, so that a step is not counted without its call.
            db.begin_to_read()?;
            let slowest = parts.read(db).and_then(|()| slow(db, parts.whole(), slowest));
            db.set("COMMIT")?;
            Ok(PeriodFacts { parts: parts.facts, slowest: slowest? })
        })
        .await
    }

    async fn backlog(&self, now: i64) -> Result<QueueBacklog, StoreError> {
        self.read(move |db| backlog(db, now)).await
    }
}

/// A period and the parts of it that a row is counted in.
struct Parts<'b> {
    bounds: &'b [String],
    facts: Vec<Facts>,
}

impl<'b> Parts<'b> {
    fn new(bounds: &'b [String]) -> Self {
        Self { bounds, facts: vec![Facts::default(); bounds.len().saturating_sub(1)] }
    }

    /// From the first bound until before the last.
    fn whole(&self) -> [&'b str; 2] {
        [self.bounds.first(), self.bounds.last()].map(|bound| bound.map_or("", String::as_str))
    }

    /// The part of a time. Times of the record are as long as each other, so they stand in the order of their letters.
    fn at(&mut self, time: &str) -> Option<&mut Facts> {
        let part = self.bounds.partition_point(|bound| bound.as_str() <= time);
        self.facts.get_mut(part.checked_sub(1)?)
    }

    fn read(&mut self, db: &Database) -> Result<(), DbFault> {
        calls(db, self)?;
        tools(db, self)?;
        steps(db, self)?;
        events(db, self)
    }
}

/// How an attempt ended: the state of its row, whether the answer was known before, and the bytes of the answer.
fn end_of(state: &str, known: bool, answer_bytes: Option<u64>) -> AttemptEnd {
    match (state, known, answer_bytes) {
        ("answered", true, _) => AttemptEnd::Known,
        ("answered", false, _) => AttemptEnd::Answered,
        (_, _, Some(_)) => AttemptEnd::Unusable,
        (_, _, None) => AttemptEnd::Failed,
    }
}

/// The calls that took longest, found before it is read whose they are.
const SLOWEST: &str = "SELECT slow.run, channel, slug, step, attempt, agent, model, slow.state, answer_bytes, worked_ms
    FROM (SELECT * FROM llm_call
          WHERE ended_at >= ?1 AND ended_at < ?2 AND worked_ms IS NOT NULL
              AND NOT coalesce(reckoned_prompt = 0 AND reckoned_answer = 0, FALSE)
          ORDER BY worked_ms DESC, ended_at LIMIT ?3) AS slow
    CROSS JOIN run ON run.id = slow.run CROSS JOIN story ON story.id = run.story
    ORDER BY worked_ms DESC, ended_at";

fn slow(db: &Database, [from, until]: [&str; 2], most: usize) -> Result<Vec<SlowCall>, DbFault> {
    if most == 0 {
        return Ok(Vec::new());
    }
    db.rows(SLOWEST, params![from, until, whole(most as u64)], |row| {
        Ok(SlowCall {
            run: RunKey(row.get(0)?),
            story: story_key(row.get(1)?, row.get(2)?)?,
            step: read_step(row.get_ref(3)?.as_str()?)?,
            attempt: row.get(4)?,
            agent: row.get(5)?,
            model: row.get(6)?,
            end: end_of(row.get_ref(7)?.as_str()?, false, count(row, 8)?),
            worked_ms: natural(row.get(9)?),
        })
    })
}

fn calls(db: &Database, parts: &mut Parts<'_>) -> Result<(), DbFault> {
    db.each(
        // An answer that an earlier run paid for was reckoned with nothing.
        "SELECT agent, model, host, attempt, repeats, prompt_tokens, completion_tokens, cached_tokens, waited_ms, worked_ms,
             prompt_bytes, answer_bytes, cost, currency, state, coalesce(reckoned_prompt = 0 AND reckoned_answer = 0, FALSE), ended_at
         FROM llm_call WHERE ended_at >= ?1 AND ended_at < ?2",
        parts.whole(),
        |row| {
            let Some(facts) = parts.at(row.get_ref(16)?.as_str()?) else { return Ok(()) };
            let Times { waited_ms, worked_ms } = times_in(row, 8)?;
            let answer_bytes = count(row, 11)?;
            let cost: Option<f64> = row.get(12)?;
            facts.add_call(CallFact {
                line: CallLine { agent: row.get(0)?, model: row.get(1)?, server: row.get(2)? },
                end: end_of(row.get_ref(14)?.as_str()?, row.get(15)?, answer_bytes),
                attempt: row.get(3)?,
                repeats: natural(row.get(4)?),
                usage: usage(row, 5)?,
                waited_ms,
                worked_ms,
                prompt_bytes: count(row, 10)?,
                answer_bytes,
                cost: cost.zip(row.get(13)?),
            });
            Ok(())
        },
    )
}

fn tools(db: &Database, parts: &mut Parts<'_>) -> Result<(), DbFault> {
    let sql =
        "SELECT tool, state, waited_ms, worked_ms, ended_at FROM tool_call WHERE ended_at >= ?1 AND ended_at < ?2";
    db.each(sql, parts.whole(), |row| {
        let Some(facts) = parts.at(row.get_ref(4)?.as_str()?) else { return Ok(()) };
        let tool = facts.tools.entry(row.get(0)?).or_default();
        let state = row.get_ref(1)?.as_str()?;
        match state.parse::<ToolEnd>() {
            Ok(ToolEnd::Done) => tool.done += 1,
            Ok(ToolEnd::Failed) => tool.failed += 1,
            Ok(ToolEnd::Unknown) => tool.unknown += 1,
            Ok(ToolEnd::Lost) | Err(_) => tool.lost += 1,
        }
        let times = times_in(row, 2)?;
        tool.waited.add_known(times.waited_ms);
        tool.worked.add_known(times.worked_ms);
        Ok(())
    })
}

fn steps(db: &Database, parts: &mut Parts<'_>) -> Result<(), DbFault> {
    db.each(
        // An outcome that a run took over from an earlier run keeps that run's times, and was counted there.
        "SELECT step, waited_ms, worked_ms, size, packed, body, journal.at
         FROM journal JOIN run ON run.id = journal.run
         LEFT JOIN blob ON blob.id = journal.outcome AND (step LIKE '%.lookup' OR step LIKE '%.coverage')
         WHERE journal.at >= ?1 AND journal.at < ?2 AND journal.at >= run.opened_at",
        parts.whole(),
        |row| {
            let Some(facts) = parts.at(row.get_ref(6)?.as_str()?) else { return Ok(()) };
            let step = read_step(row.get_ref(0)?.as_str()?)?;
            let times = times_in(row, 1)?;
            let pool = facts.pools.entry(Pool::of(step).name().to_owned()).or_default();
            pool.steps += 1;
            pool.waited.add_known(times.waited_ms);
            pool.worked.add_known(times.worked_ms);
            if !matches!(step, Step::LookUp { .. } | Step::Coverage { .. }) {
                return Ok(());
            }
            match record_in(db, row, 3) {
                Ok(Outcome::LookUp(look_up)) => {
                    facts.look_ups.asked += 1;
                    facts.look_ups.remembered += u64::from(look_up.remembered.is_some());
                    facts.look_ups.retrieved_tokens += look_up.retrieved_tokens.unwrap_or(0);
                    facts.look_ups.source_tokens += look_up.source_tokens.unwrap_or(0);
                }
                Ok(Outcome::Coverage(coverage)) => {
                    let answered = coverage.questions.iter().filter(|question| question.answered).count();
                    facts.coverage.questions += coverage.questions.len() as u64;
                    facts.coverage.answered += answered as u64;
                }
                // A step that failed, or a record that `doctor` finds damaged: the numbers of all others stand.
                Ok(_) | Err(DbFault::Store(StoreError::Unreadable { .. })) => {}
                Err(fault) => return Err(fault),
            }
            Ok(())
        },
    )
}

fn events(db: &Database, parts: &mut Parts<'_>) -> Result<(), DbFault> {
    db.each(
        "SELECT seq, event.at, payload, opened_at FROM event LEFT JOIN run ON run.id = event.run
         WHERE event.at >= ?1 AND event.at < ?2 AND payload IS NOT NULL",
        parts.whole(),
        |row| {
            let at = row.get_ref(1)?.as_str()?;
            let Some(facts) = parts.at(at) else { return Ok(()) };
            let seq: i64 = row.get(0)?;
            let event: Event = serde_json::from_str(row.get_ref(2)?.as_str()?)
                .map_err(|error| unreadable(format!("event {seq}"), error))?;
            let opened: Option<String> = row.get(3)?;
            let ran = match (&event, opened) {
                (Event::RunClosed { .. }, Some(opened)) => {
                    u64::try_from(milliseconds(at)? - milliseconds(&opened)?).ok()
                }
                _ => None,
            };
            facts.add_event(&event, ran);
            Ok(())
        },
    )
}

fn backlog(db: &Database, now: i64) -> Result<QueueBacklog, DbFault> {
    let mut backlog = QueueBacklog { down: servers_down(db, now)?, ..QueueBacklog::default() };
    db.each("SELECT pool, state, count(*) FROM message GROUP BY pool, state ORDER BY pool, state", [], |row| {
        let state = row.get_ref(1)?.as_str()?;
        // The table allows no other state than these.
        if let Ok(state) = state.parse::<MessageState>() {
            backlog.messages.push((read_pool(row.get_ref(0)?.as_str()?)?, state, natural(row.get(2)?)));
        }
        Ok(())
    })?;
    let sql = "SELECT pool, min(since) FROM message WHERE state = 'waiting' GROUP BY pool ORDER BY pool";
    backlog.longest = db.rows(sql, [], |row| Ok((read_pool(row.get_ref(0)?.as_str()?)?, row.get(1)?)))?;
    db.each(
        "SELECT state, waits IS NOT NULL, count(*) FROM story CROSS JOIN run ON run.id = story.current_run GROUP BY 1, 2",
        [],
        |row| {
            let state = row.get_ref(0)?.as_str()?.parse().unwrap_or(RunState::Superseded);
            backlog.count_story(state, row.get(1)?, natural(row.get(2)?));
            Ok(())
        },
    )?;
    Ok(backlog)
}

/// Notes a call of a tool that ended, after those that were made for its step before.
pub(super) fn write_tool_call(db: &Database, run: RunKey, at: &str, tried: &ToolTried) -> Result<(), DbFault> {
    db.write(
        "INSERT INTO tool_call (run, step, attempt, tool, state, ended_at, waited_ms, worked_ms)
         VALUES (?1, ?2, 1 + (SELECT coalesce(max(attempt), 0) FROM tool_call WHERE run = ?1 AND step = ?2),
             ?3, ?4, ?5, ?6, ?7)",
        params![
            run.0,
            tried.step.to_string(),
            tried.tool,
            tried.end.name(),
            at,
            tried.times.waited_ms.map(whole),
            tried.times.worked_ms.map(whole)
        ],
    )
}

#[cfg(test)]
mod tests;
