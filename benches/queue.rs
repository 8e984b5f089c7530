//! A long queue: what a worker's turn costs when 100,000 steps wait.
//!
//!     cargo bench --bench queue [-- MESSAGES]
//!
//! `.ci/benchmarks server` runs it on a PostgreSQL server.
//!
//! A turn takes the first step and commits its end, each in a transaction of its own with its sync, as a worker that begins with a story
//! does (a server need not sync the first); within a story the next step is taken in the commit of the one before. CPU is this process's,
//! over all its threads.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a bench prints its figures, and stops where its own scaffolding breaks"
)]

#[path = "../tests/support/newsroom.rs"]
#[allow(dead_code, reason = "the bench uses its share of the tests' support")]
mod newsroom;
mod sized;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use copydesk::{
    newsroom::{Pool, Step},
    ports::{
        Admission, Breaker, Budget, Commit, Queue as _, QueueChanges, QueuedStep, Records as _, RunKey, ServerLimits,
        Slots,
    },
    store::Store,
};
use newsroom::{Newsroom, psql, server_of_all_desks};
use nix::sys::{
    resource::{UsageWho, getrusage},
    time::TimeValLike,
};
use sized::sized;

const AT: &str = "2026-10-06T12:00:00.000Z";

fn turns() -> u32 {
    sized(500, 20)
}

/// A worker with one place.
struct Place(std::sync::atomic::AtomicBool, Budget);

impl Place {
    fn one() -> Arc<dyn Slots> {
        Arc::new(Self(true.into(), Budget::default()))
    }
}

impl Slots for Place {
    fn worker(&self) -> &'static str {
        "bench"
    }
    fn lease(&self) -> Duration {
        Duration::from_mins(1)
    }
    fn pins(&self) -> &'static str {
        "pins"
    }
    fn only(&self) -> Option<&str> {
        None
    }
    fn give_back(&self) {}
    fn admit(&self, _: RunKey, _: Option<Step>, _: Pool) -> Admission {
        if self.0.swap(false, std::sync::atomic::Ordering::Relaxed) {
            Admission::Admitted
        } else {
            Admission::StoriesFull
        }
    }
    fn limits(&self, _: &str) -> Option<ServerLimits> {
        None
    }
    fn ageing(&self) -> Option<Duration> {
        Some(Duration::from_mins(1))
    }
    fn budget(&self) -> &Budget {
        &self.1
    }
    fn breaker(&self) -> Breaker {
        Breaker { failures: 3, rest: Duration::from_secs(5), longest: Duration::from_mins(1) }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let typed = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let messages: u32 = typed.map_or(sized(100_000, 200), |text| text.parse().expect("a number"));
    let newsroom = Newsroom::offline();
    let on_server = server_of_all_desks().is_some();
    let place = newsroom.path().join("data/copydesk.db");
    newsroom.ran(&["list"]);
    let sql = filled(messages);
    let store = if on_server {
        psql(&newsroom, &sql.replace("x'00'", "'\\x00'").replace("x'7b7d'", "'\\x7b7d'"));
        store_on_server(&newsroom)
    } else {
        rusqlite::Connection::open(&place).and_then(|file| file.execute_batch(&sql)).expect("the rows");
        Store::open(&place).expect("a database")
    };
    let now: i64 = AT.parse::<jiff::Timestamp>().expect("a time").as_millisecond() + 3_600_000;
    let mut claims = Vec::new();
    let (cpu, began) = (cpu(), Instant::now());
    for _ in 0..turns() {
        let claim = Instant::now();
        let taken = store.take(Place::one(), now).await.expect("a step");
        claims.push(claim.elapsed());
        let run = taken.first().expect("a step").run;
        let queue = QueueChanges {
            done: vec![Some(Step::Draft)],
            put: vec![QueuedStep::new(Some(Step::Review { round: 1 }), Pool::Review)],
            ..QueueChanges::default()
        };
        store.commit(run, Commit { at: AT.into(), queue, ..Commit::default() }, None).await.expect("its end");
    }
    let (cpu, wall) = (self::cpu().saturating_sub(cpu), began.elapsed());
    println!("{messages} steps wait; {} turns: take, acknowledge, put in what comes next", turns());
    println!("CPU a turn {:.3} ms (to reach: under 1 ms)", cpu.as_secs_f64() * 1000.0 / f64::from(turns()));
    let syncs = if on_server { "a sync" } else { "two syncs" };
    println!("wall a turn {:.3} ms, {syncs} in it", wall.as_secs_f64() * 1000.0 / f64::from(turns()));
    claims.sort();
    let claim = claims.get(claims.len() / 2).copied().unwrap_or_default();
    println!("wall a claim {:.3} ms, the median (to reach on a server: under 2 ms)", claim.as_secs_f64() * 1000.0);
    if !on_server {
        let size = std::fs::metadata(&place).expect("the file").len();
        println!("a message takes {} bytes of the file, its run and story in them", size / u64::from(messages));
    }
}

/// Statements for stories that wait for their first step, written past the desk.
fn filled(messages: u32) -> String {
    let numbers = format!(
        "WITH RECURSIVE number (n) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT n + 1 FROM number WHERE n < {messages})"
    );
    let pins = sha2_key("pins");
    format!(
        "BEGIN;
         INSERT INTO blob (id, digest, size, packed, body) VALUES (1, x'00', 2, 0, x'7b7d');
         {numbers} INSERT INTO story (id, folded, channel, slug) SELECT n, 'desk/story-' || n, 'desk', 'story-' || n FROM number;
         {numbers} INSERT INTO run (id, story, run_id, title, pins, opening, state, opened_at, updated_at)
             SELECT n, n, 'R' || n, 'A story', 'pins', 1, 'open', '{AT}', '{AT}' FROM number;
         UPDATE story SET current_run = id;
         INSERT INTO message (run, step, pool, state, priority, pins, arrived, since)
             SELECT id, 'draft', 'writer', 'waiting', id % 3, {pins}, id, 1790000000000 FROM run;
         COMMIT;"
    )
}

#[cfg(feature = "postgres")]
fn store_on_server(newsroom: &Newsroom) -> Store {
    // As after a night: the server has counted the rows.
    psql(newsroom, "ANALYZE story, run, message");
    let yaml = newsroom.read("config/config.yaml");
    let url = yaml.lines().find_map(|line| line.strip_prefix("database: ")).expect("an address");
    Store::connect(url).expect("the server")
}

#[cfg(not(feature = "postgres"))]
fn store_on_server(_: &Newsroom) -> Store {
    unreachable!("a bench without the feature `postgres` has no server")
}

/// The key by which messages of these pins are found.
fn sha2_key(pins: &str) -> i64 {
    use sha2::Digest as _;
    sha2::Sha256::digest(pins.as_bytes()).iter().take(8).fold(0, |key, byte| (key << 8) | i64::from(*byte))
}

/// User and system time of this process.
fn cpu() -> Duration {
    let usage = getrusage(UsageWho::RUSAGE_SELF).expect("resource usage");
    let micros = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    Duration::from_micros(u64::try_from(micros).unwrap_or(0))
}
