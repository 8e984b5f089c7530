//! Reads the numbers of a day beside the other work: a busy day takes a while.

use std::{sync::Arc, time::Instant};

use jiff::{Timestamp, civil::Date};

use crate::newsroom::hours_of;
use crate::ports::StoreError;
use crate::tui::{
    app::{news::News, ticket::Ticket, trouble::Trouble},
    screens::day::numbers::{DayNumbers, Waiting},
    widgets::words,
    worker::context::{Tools, WorkerContext},
};

/// How many of the slowest calls are listed.
const SLOWEST: usize = 10;

pub(crate) fn read(context: &WorkerContext, ticket: Ticket, date: Date, live: bool) {
    let (news, tools) = (context.news.clone(), Arc::clone(&context.tools));
    tokio::spawn(async move {
        let begun = Instant::now();
        let numbers = numbers(&tools, date, live).await.map(Box::new).map_err(Trouble::from);
        let took = i64::try_from(begun.elapsed().as_millis()).unwrap_or(i64::MAX);
        // If the screen has ended, nobody needs it.
        let _ = news.send(News::Day { ticket, took, numbers });
    });
}

async fn numbers(tools: &Tools, date: Date, live: bool) -> Result<DayNumbers, StoreError> {
    let zone = words::zone();
    let hours = hours_of(date, &zone);
    let bounds: Vec<String> = hours.iter().map(|hour: &Timestamp| format!("{hour:.3}")).collect();
    let read = tools.facts.period(bounds, SLOWEST).await?;
    let waiting = if live {
        let backlog = tools.facts.backlog(tools.clock.now().as_millisecond()).await?;
        Some(Waiting::of(backlog, &tools.pools))
    } else {
        None
    };
    Ok(DayNumbers::of(date, &hours, &zone, read, waiting))
}
