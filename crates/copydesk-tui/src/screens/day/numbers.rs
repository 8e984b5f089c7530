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
    /// The agents by name, those of one name by model and server.
    pub agents: Vec<AgentNumbers>,
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
    pub ended: u64,
    pub calls: u64,
    pub tokens: u64,
    /// The cost of its calls, in the currency of the same place in [`DayNumbers::currencies`].
    pub costs: Vec<f64>,
}

/// An agent's calls to a model.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentNumbers {
    pub agent: String,
    pub model: String,
    pub calls: u64,
    /// Calls without a usable answer.
    pub failed: u64,
    pub mean_ms: u64,
    pub p95_ms: u64,
    pub sent: u64,
    pub received: u64,
    /// Amounts with their currencies.
    pub costs: Vec<(String, f64)>,
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
        let hours = bounds.iter().zip(&read.parts).map(|(begins, facts)| hour(*begins, zone, facts, &currencies));
        let hours = hours.collect();
        let agents = whole.calls.iter().filter(|(_, calls)| calls.asked() > 0);
        let agents = agents.map(|(line, calls)| agent(&line.agent, &line.model, calls)).collect();
        Self { date, hours, agents, currencies, slowest: read.slowest, waiting, whole }
    }

    /// Whether nothing happened on that day. The queue of now does not count.
    pub fn is_empty(&self) -> bool {
        self.whole == Facts::default()
    }

    /// The cost of the day's calls in a currency.
    pub fn cost(&self, currency: &str) -> f64 {
        self.whole.calls.values().filter_map(|calls| calls.cost.get(currency)).sum()
    }
}

fn hour(begins: Timestamp, zone: &TimeZone, facts: &Facts, currencies: &[String]) -> HourNumbers {
    let sum = |of: fn(&CallFacts) -> u64| facts.calls.values().map(of).fold(0, u64::saturating_add);
    let cost = |currency: &String| facts.calls.values().filter_map(|calls| calls.cost.get(currency)).sum();
    HourNumbers {
        begins,
        hour: begins.to_zoned(zone.clone()).hour(),
        ended: facts.runs.succeeded.saturating_add(facts.runs.failed),
        calls: sum(CallFacts::asked),
        tokens: sum(CallFacts::tokens),
        costs: currencies.iter().map(cost).collect(),
    }
}

fn agent(name: &str, model: &str, calls: &CallFacts) -> AgentNumbers {
    AgentNumbers {
        agent: name.to_owned(),
        model: model.to_owned(),
        calls: calls.asked(),
        failed: calls.unusable.saturating_add(calls.failed),
        mean_ms: calls.worked.sum().checked_div(calls.worked.count()).unwrap_or(0),
        p95_ms: calls.worked.percentile(95).unwrap_or(0),
        sent: calls.prompt_tokens,
        received: calls.completion_tokens,
        costs: calls.cost.iter().map(|(currency, cost)| (currency.clone(), *cost)).collect(),
    }
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
