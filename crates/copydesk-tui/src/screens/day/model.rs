//! The day in numbers: which day is shown, its numbers, and the call that is open over them.

use jiff::{Timestamp, civil::Date};

use crate::{
    app::ticket::Ticket,
    screens::day::numbers::DayNumbers,
    widgets::{page::Page, words},
};
use copydesk_core::ports::SlowCall;

/// The part of the page in which the keys move.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DayStage {
    /// They scroll the numbers.
    #[default]
    Numbers,
    /// They select one of the slowest calls.
    Calls,
    /// They scroll the texts of a call.
    Text,
}

/// One of the slowest calls, with its prompt and answer.
#[derive(Debug, Clone)]
pub struct OpenCall {
    pub call: SlowCall,
    /// Empty until it is read.
    pub page: Page,
}

#[derive(Debug, Clone, Default)]
pub struct DayPage {
    /// The day that is shown; none for today, also when the day is over.
    pub day: Option<Date>,
    /// The numbers that were read last. They are another day's until the wanted day is read.
    pub numbers: Option<DayNumbers>,
    /// Why the last reading failed.
    pub trouble: Option<String>,
    pub stage: DayStage,
    /// The first row of the numbers in sight.
    pub top: usize,
    /// Whether the selected call is to come into sight.
    pub follows: bool,
    /// Among the slowest calls.
    pub selected: usize,
    pub open: Option<OpenCall>,
    /// The reading that is under way, with its day.
    pub(super) reading: Option<(Ticket, Date)>,
    /// The day of the last reading, when that ended, and how many milliseconds it took; a reading that failed is one, too.
    pub(super) read: Option<(Date, Timestamp, i64)>,
    /// Whether something has happened since it began.
    pub(super) is_stale: bool,
}

impl DayPage {
    /// The day that is wanted.
    pub fn date(&self, now: Timestamp) -> Date {
        self.day.unwrap_or_else(|| words::date(now))
    }

    /// The numbers, if they are those of the wanted day.
    pub fn shown(&self, now: Timestamp) -> Option<&DayNumbers> {
        let date = self.date(now);
        self.numbers.as_ref().filter(|numbers| numbers.date == date)
    }

    /// The slowest calls of the day that was read.
    pub fn slowest(&self, now: Timestamp) -> &[SlowCall] {
        self.shown(now).map_or(&[], |numbers| numbers.slowest.as_slice())
    }
}
