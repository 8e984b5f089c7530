//! The numbers of a day as the page shows them, made once from what was read.

use std::collections::BTreeSet;

use jiff::{Timestamp, civil::Date, tz::TimeZone};

use copydesk_core::ports::{MessageState, PeriodFacts, QueueBacklog, SlowCall};
use copydesk_newsroom::{CallFacts, Facts, Pool};

/// The work of a day, and the queue as it is now.
#[derive(Debug, Clone, PartialEq)]
pub struct DayNumbers {
    pub date: Date,
    /// In the order of the day.
    pub hours: Vec<HourNumbers>,
    /// The whole day.
    pub whole: Facts,
    /// The currencies of the day's costs.
    pub currencies: Vec<String>,
    /// The slowest first.
    pub slowest: Vec<SlowCall>,
    /// The queue as it is now; none for a day that is over.
    pub waiting: Option<QueueNow>,
}

/// An hour of the day.
#[derive(Debug, Clone, PartialEq)]
pub struct HourNumbers {
    pub begins: Timestamp,
    /// The hour on the clock, from 0 to 23.
    pub hour: i8,
    pub facts: Facts,
}

/// The queue at the time of reading.
#[derive(Debug, Clone, PartialEq)]
pub struct QueueNow {
    pub pools: Vec<PoolNow>,
    pub backlog: QueueBacklog,
}

/// A pool of the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoolNow {
    pub pool: Pool,
    /// Steps that this program may do at once.
    pub slots: u64,
    /// Steps that a worker has, of this program or of another.
    pub at_work: u64,
    pub waiting: u64,
    /// Steps that are to be tried again at a later time.
    pub later: u64,
    /// Steps of stories that a person stopped or paused.
    pub held: u64,
    /// Since when the step has waited that waits longest, in milliseconds since 1970.
    pub longest: Option<i64>,
}

impl DayNumbers {
    /// The numbers of `date`, from the facts of its hours. `bounds` are the beginnings of the hours and the end of the last one.
    pub fn of(date: Date, bounds: &[Timestamp], zone: &TimeZone, read: PeriodFacts, waiting: Option<QueueNow>) -> Self {
        let mut whole = Facts::default();
        for hour in &read.parts {
            whole.merge(hour);
        }
        let named: BTreeSet<&String> = whole.calls.values().flat_map(|calls| calls.cost.keys()).collect();
        let currencies: Vec<String> = named.into_iter().cloned().collect();
        let hour = |(begins, facts): (&Timestamp, Facts)| HourNumbers {
            begins: *begins,
            hour: begins.to_zoned(zone.clone()).hour(),
            facts,
        };
        let hours = bounds.iter().zip(read.parts).map(hour).collect();
        Self { date, hours, currencies, slowest: read.slowest, waiting, whole }
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
    /// The pools that have slots here, or steps.
    pub fn of(backlog: QueueBacklog, slots: &[(Pool, usize)]) -> Self {
        let pools = Pool::ALL.into_iter().map(|pool| {
            let steps = |wanted: MessageState| {
                let those = backlog.messages.iter().filter(|(of, state, _)| (*of, *state) == (pool, wanted));
                those.map(|(.., number)| number).sum()
            };
            PoolNow {
                pool,
                slots: slots.iter().find(|(of, _)| *of == pool).map_or(0, |(_, slots)| *slots as u64),
                at_work: steps(MessageState::Leased),
                waiting: steps(MessageState::Waiting),
                later: steps(MessageState::Later),
                held: steps(MessageState::Held),
                longest: backlog.longest.iter().find(|(of, _)| *of == pool).map(|(_, since)| *since),
            }
        });
        let pools = pools.filter(|now| now.slots + now.at_work + now.waiting + now.later + now.held > 0).collect();
        Self { pools, backlog }
    }

    /// Stories whose current run is open, those that wait for an editor, and failed ones, as the queue sees them.
    pub fn stories(&self, state: &str, waits: bool) -> u64 {
        self.backlog.stories.iter().filter(|((of, is), _)| *of == state && *is == waits).map(|(_, number)| number).sum()
    }
}
