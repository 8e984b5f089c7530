//! The machine's clock.

use jiff::Timestamp;

use crate::ports::Clock;

/// Tells the machine's time.
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        #[expect(clippy::disallowed_methods, reason = "this is the clock's room")]
        Timestamp::now()
    }
}

/// The time, ISO 8601 in UTC with milliseconds, as the records have it.
pub fn now() -> String {
    format!("{:.3}", SystemClock.now())
}

/// The time as names of files have it: `YYYYMMDDTHHMMSSZ`.
pub(crate) fn stamp() -> String {
    SystemClock.now().strftime("%Y%m%dT%H%M%SZ").to_string()
}

/// The day of this place, `YYYY-MM-DD`.
pub(crate) fn today() -> String {
    SystemClock.now().to_zoned(jiff::tz::TimeZone::system()).date().to_string()
}
