//! A time on the command line.

use jiff::tz::TimeZone;

use crate::{
    cli::{exit::WrongUse, wiring::clock::SystemClock},
    newsroom::deadline,
    ports::Clock as _,
};

/// The time that words name in the reader's zone, as ISO 8601 in UTC; none for the word none.
pub(crate) fn when(words: &[String]) -> Result<Option<String>, WrongUse> {
    deadline(&words.join(" "), SystemClock.now(), &TimeZone::system()).map_err(|problem| WrongUse(problem.to_string()))
}
