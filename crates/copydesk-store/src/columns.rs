//! How the newsroom's values are stored in columns, and read back.

use crate::engine::DbRow;
use jiff::Timestamp;

use super::database::unreadable;
use super::fault::DbFault;
use copydesk_core::ports::Times;
use copydesk_newsroom::{PathName, Pool, Priority, Step, StoryKey, UnknownStep, Usage};

/// SQLite's integers are signed.
pub(super) fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A count as it was stored. A negative one, which nothing here writes, is read as 0.
pub(super) fn natural(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

/// How many rows a statement changed.
pub(super) fn counted(rows: usize) -> u64 {
    u64::try_from(rows).unwrap_or(u64::MAX)
}

/// A count, if one is known.
pub(super) fn count(row: &DbRow<'_>, column: usize) -> rusqlite::Result<Option<u64>> {
    Ok(row.get::<Option<i64>>(column)?.map(natural))
}

/// The tokens in three columns that follow each other: of the prompt, of the answer, of the prompt in the server's cache.
pub(super) fn usage(row: &DbRow<'_>, first: usize) -> rusqlite::Result<Usage> {
    Ok(Usage {
        prompt_tokens: count(row, first)?,
        completion_tokens: count(row, first + 1)?,
        cached_tokens: count(row, first + 2)?,
    })
}

/// The times in two columns that follow each other: waited, worked.
pub(super) fn times_in(row: &DbRow<'_>, first: usize) -> rusqlite::Result<Times> {
    Ok(Times { waited_ms: count(row, first)?, worked_ms: count(row, first + 1)? })
}

pub(super) fn read_step(name: &str) -> Result<Step, DbFault> {
    name.parse().map_err(|error: UnknownStep| unreadable(format!("a row of {name}"), error))
}

/// A message's step; a message for the whole run has none.
pub(super) fn step_column(step: Option<Step>) -> String {
    step.map_or_else(String::new, |step| step.to_string())
}

pub(super) fn read_step_column(step: &str) -> Result<Option<Step>, DbFault> {
    if step.is_empty() { Ok(None) } else { read_step(step).map(Some) }
}

pub(super) fn read_pool(name: &str) -> Result<Pool, DbFault> {
    name.parse().map_err(|_| unreadable(format!("a message of the pool {name}"), "no pool has that name"))
}

pub(super) fn rank(priority: Priority) -> i64 {
    match priority {
        Priority::Low => 0,
        Priority::Normal => 1,
        Priority::High => 2,
    }
}

pub(super) fn priority(rank: i64) -> Priority {
    match rank {
        0 => Priority::Low,
        1 => Priority::Normal,
        _ => Priority::High,
    }
}

pub(super) fn story_key(channel: String, slug: String) -> Result<StoryKey, DbFault> {
    let name =
        |text: String| PathName::new(text.clone()).map_err(|error| unreadable(format!("the story {text}"), error));
    Ok(StoryKey::new(name(channel)?, name(slug)?))
}

/// A time, ISO 8601, in milliseconds since 1970.
pub(super) fn milliseconds(at: &str) -> Result<i64, DbFault> {
    let time: Timestamp = at.parse().map_err(|error: jiff::Error| unreadable(format!("the time {at}"), error))?;
    Ok(time.as_millisecond())
}
