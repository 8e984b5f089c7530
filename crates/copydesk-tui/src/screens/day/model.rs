//! The day in numbers: which day is shown, its numbers, made once from what was read, and the call that is open over them.

use jiff::Timestamp;
use jiff::civil::Date;

use crate::app::Ticket;
use crate::widgets::{Page, words};
use copydesk_core::ports::{MessageState, PeriodFacts, QueueBacklog, SlowCall};
use copydesk_newsroom::{CallFacts, Facts, Pool};

/// The part of the page in which the keys move.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DayStage {
    /// They scroll the numbers.
    #[default]
    Numbers,
    /// They select one of the slowest calls.
    Calls,
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

/// The work of a day, and the queue as it is now.
#[derive(Debug, Clone, PartialEq)]
pub struct DayNumbers {
    pub date: Date,
    /// When each hour begins, and what was done in it; in the order of the day.
    pub hours: Vec<(Timestamp, Facts)>,
    /// The whole day.
    pub whole: Facts,
    /// The slowest first.
    pub slowest: Vec<SlowCall>,
    /// The queue as it is now; none for a day that is over.
    pub waiting: Option<QueueNow>,
}

/// The queue at the time of reading.
#[derive(Debug, Clone, PartialEq)]
pub struct QueueNow {
    /// Steps that this program may do at once.
    pub slots: Vec<(Pool, usize)>,
    pub backlog: QueueBacklog,
}

impl DayNumbers {
    /// The numbers of `date`, from the facts of its hours. `bounds` are the beginnings of the hours and the end of the last one.
    pub fn of(date: Date, bounds: &[Timestamp], read: PeriodFacts, waiting: Option<QueueNow>) -> Self {
        let mut whole = Facts::default();
        for hour in &read.parts {
            whole.merge(hour);
        }
        let hours = bounds.iter().copied().zip(read.parts).collect();
        Self { date, hours, whole, slowest: read.slowest, waiting }
    }

    /// Whether nothing happened on that day. The queue of now does not count.
    pub fn is_empty(&self) -> bool {
        self.whole == Facts::default()
    }
}

/// A sum over all calls of some facts.
pub fn sum(facts: &Facts, of: fn(&CallFacts) -> u64) -> u64 {
    facts.calls.values().map(of).fold(0, u64::saturating_add)
}

/// The cost of all calls of some facts in a currency.
pub fn cost(facts: &Facts, currency: &str) -> f64 {
    facts.calls.values().filter_map(|calls| calls.cost.get(currency)).sum()
}

/// Runs that ended.
pub fn ended(facts: &Facts) -> u64 {
    facts.runs.succeeded.saturating_add(facts.runs.failed)
}

impl QueueNow {
    /// Steps of a pool in a state, of this program or of another.
    pub fn steps(&self, pool: Pool, state: MessageState) -> u64 {
        let those = self.backlog.messages.iter().filter(|(of, is, _)| (*of, *is) == (pool, state));
        those.map(|(.., number)| number).sum()
    }

    /// Stories whose current run is open, those that wait for an editor, and failed ones, as the queue sees them.
    pub fn stories(&self, state: &str, waits: bool) -> u64 {
        self.backlog.stories.iter().filter(|((of, is), _)| *of == state && *is == waits).map(|(_, number)| number).sum()
    }
}
