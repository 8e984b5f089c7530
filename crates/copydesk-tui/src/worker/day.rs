//! Reads the numbers of a day beside the other work: a busy day takes a while.

use std::time::Instant;

use jiff::{Timestamp, civil::Date};

use crate::app::{News, Ticket, Trouble};
use crate::screens::day::{DayNumbers, QueueNow};
use crate::widgets::words;
use crate::worker::{RequestResult, WorkerContext};
use copydesk_core::ports::{FactBook, StoreError};
use copydesk_newsroom::{Pool, hours_of};

/// How many of the slowest calls are listed.
const SLOWEST: usize = 10;

pub(crate) async fn read(context: WorkerContext, ticket: Ticket, date: Date, live: bool) -> RequestResult {
    let (begun, tools) = (Instant::now(), &context.tools);
    let now = live.then(|| tools.desk.clock.now());
    let numbers = numbers(&*tools.facts, &tools.pools, date, now).await.map(Box::new).map_err(Trouble::from);
    let took = i64::try_from(begun.elapsed().as_millis()).unwrap_or(i64::MAX);
    context.say(News::Day { ticket, took, numbers });
    Ok(())
}

/// The numbers of a day; with what waits `now`, if it is today.
async fn numbers(
    book: &dyn FactBook,
    pools: &[(Pool, usize)],
    date: Date,
    now: Option<Timestamp>,
) -> Result<DayNumbers, StoreError> {
    let hours = hours_of(date, &words::zone());
    let bounds: Vec<String> = hours.iter().map(|hour: &Timestamp| format!("{hour:.3}")).collect();
    let read = book.period(bounds, SLOWEST).await?;
    let waiting = match now {
        Some(now) => Some(QueueNow { slots: pools.to_vec(), backlog: book.backlog(now.as_millisecond()).await? }),
        None => None,
    };
    Ok(DayNumbers::of(date, &hours, read, waiting))
}

#[cfg(test)]
mod tests {
    use async_trait::async_trait;

    use super::*;
    use crate::screens::day::model::ended;
    use copydesk_core::ports::{MessageState, PeriodFacts, QueueBacklog};
    use copydesk_newsroom::Facts;

    /// A run began in each hour but the first; the writer's pool has a step that waits.
    struct Book;

    #[async_trait]
    impl FactBook for Book {
        async fn period(&self, bounds: Vec<String>, slowest: usize) -> Result<PeriodFacts, StoreError> {
            assert_eq!((bounds.len(), slowest), (25, SLOWEST));
            assert_eq!([&*bounds[0], &*bounds[24]], ["2026-10-06T00:00:00.000Z", "2026-10-07T00:00:00.000Z"]);
            let mut parts = vec![Facts::default(); 24];
            for hour in parts.iter_mut().skip(1) {
                hour.runs.succeeded = 1;
            }
            Ok(PeriodFacts { parts, slowest: Vec::new() })
        }

        async fn backlog(&self, now: i64) -> Result<QueueBacklog, StoreError> {
            let messages = vec![(Pool::Writer, MessageState::Waiting, 1)];
            Ok(QueueBacklog { messages, longest: vec![(Pool::Writer, now - 5)], ..QueueBacklog::default() })
        }
    }

    #[tokio::test]
    async fn a_day_is_read_hour_by_hour_and_what_waits_only_for_today() {
        let (date, now) = ("2026-10-06".parse().unwrap(), "2026-10-06T12:00:00Z".parse().unwrap());
        let pools = [(Pool::Review, 2)];
        let today = numbers(&Book, &pools, date, Some(now)).await.unwrap();
        assert_eq!(today.hours.iter().map(|(_, facts)| ended(facts)).sum::<u64>(), 23);
        let one_o_clock = "2026-10-06T13:00:00Z".parse().unwrap();
        assert_eq!((ended(&today.hours[0].1), today.hours[13].0), (0, one_o_clock));
        assert_eq!(today.whole.runs.succeeded, 23);
        let queue = today.waiting.unwrap();
        let steps = [Pool::Writer, Pool::Review].map(|pool| queue.steps(pool, MessageState::Waiting));
        assert_eq!((queue.slots, steps), (vec![(Pool::Review, 2)], [1, 0]));
        assert_eq!(queue.backlog.longest, [(Pool::Writer, now.as_millisecond() - 5)]);
        assert_eq!(numbers(&Book, &pools, date, None).await.unwrap().waiting, None);
    }
}
