//! The numbers of a day as the page shows them, made once from what was read.

use jiff::{Timestamp, civil::Date};

use copydesk_core::ports::{MessageState, PeriodFacts, QueueBacklog, SlowCall};
use copydesk_newsroom::{CallFacts, Facts, Pool};

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
