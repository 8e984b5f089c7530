//! How long it takes to claim a step while very many wait. On request:
//! `.ci/postgres cargo test -p copydesk-store --features postgres --lib claims -- --ignored --nocapture`.

use std::time::Instant;

use super::*;
#[cfg(feature = "postgres")]
use copydesk_core::ports::{RequestLedger as _, RequestStart};

const WAITING: i64 = 100_000;

/// How often the store has waited for its server, without this look; none in a file.
#[cfg(feature = "postgres")]
async fn trips(store: &Store) -> Option<u64> {
    store.write(|db| Ok(db.trips())).await.unwrap()
}

#[cfg(feature = "postgres")]
#[tokio::test]
async fn a_claim_and_a_step_cost_two_round_trips_each() {
    let (_folder, store) = store();
    let run = waits(&store, "park", 0, ask(DRAFT)).await;
    waits(&store, "mill", 1, ask(DRAFT)).await;
    let step = |number| {
        let (draft, review) = (Step::Draft, Step::Review { round: 1 });
        let (done, next) = if number == 1 { (draft, review) } else { (review, Step::Feedback { round: 1 }) };
        let start = Start::Call(Box::new(intent(next, 1, &format!("A long text. {number} ").repeat(30))), started());
        let queue = QueueChanges {
            done: vec![Some(done)],
            put: vec![QueuedStep { start: Some(start), ..ask(Some(next)) }],
            heard: vec![ServerNews { server: SERVER.into(), what: ServerDid::Answered { step: done, tokens: None } }],
            ..QueueChanges::default()
        };
        Commit { queue, at: iso(number), events: vec![started()], ..Commit::default() }
    };
    let mut costs = Vec::new();
    for number in 1..=2 {
        let claim = number == 1;
        let before = trips(&store).await;
        if claim {
            assert_eq!(take(&store, places("a", 1), 2).await, [run]);
        }
        let between = trips(&store).await;
        let slots: Arc<dyn Slots> = Arc::new(Places { aged: true, ..Places::new("a", 1) });
        let committed = store.commit(run, step(number), Some(slots)).await.unwrap();
        assert_eq!(committed.taken.len(), 1);
        costs.push((before, between, trips(&store).await));
    }
    let Some((before, between, _)) = costs.first().and_then(|(a, b, c)| Some(((*a)?, (*b)?, *c))) else { return };
    assert_eq!(between - before, 1 + 2, "a claim, and the look before it");
    // The first time, statements are prepared.
    let Some((Some(before), Some(after))) = costs.last().map(|(_, between, after)| (*between, *after)) else { return };
    assert_eq!(after - before, 1 + 2, "a step, and the look before it");
}

/// How often the server's process for the store's writer has written its log to the disk; none in a file, or if the server does not count.
#[cfg(feature = "postgres")]
async fn log_writes(store: &Store) -> Option<i64> {
    let is_counted = "SELECT current_setting('server_version_num')::bigint >= 180000";
    let process = store
        .write(move |db| {
            if !db.is_on_server() || !db.value::<bool>(is_counted, [])? {
                return Ok(None);
            }
            db.value("SELECT pg_backend_pid() FROM pg_stat_force_next_flush()", []).map(Some)
        })
        .await
        .unwrap();
    let process: i64 = process?;
    let sql =
        "SELECT writes FROM pg_stat_get_backend_io(CAST(?1 AS INTEGER)) WHERE object = 'wal' AND context = 'normal'";
    Some(store.read(move |db| db.first(sql, [process], |row| Ok(row.get(0)?))).await.unwrap())
}

#[cfg(feature = "postgres")]
#[tokio::test]
async fn a_claim_does_not_wait_for_the_servers_disk_but_what_is_written_with_it_does() {
    const CLAIMS: i64 = 20;
    let (_folder, store) = store();
    for number in 0..2 * CLAIMS {
        waits(&store, &format!("park-{number}"), number, ask(DRAFT)).await;
    }
    let Some(before) = log_writes(&store).await else { return };
    for _ in 0..CLAIMS {
        assert_eq!(take(&store, places("a", 1), 100).await.len(), 1);
    }
    let between = log_writes(&store).await.unwrap();
    for _ in 0..CLAIMS {
        // It is entered into the ledger with the next commit.
        let (at, why, host) = (AT.into(), "a page".into(), "a.example".into());
        let request = RequestStart { at, story: None, why, host, port: 443, here: false, bytes_out: 0 };
        store.refuse(request, "confidential");
        assert_eq!(take(&store, places("a", 1), 100).await.len(), 1);
    }
    // Another session may write the log for this one, and this one for another.
    let (alone, with_request) = (between - before, log_writes(&store).await.unwrap() - between);
    assert!(alone < CLAIMS / 2 && with_request > CLAIMS / 2, "{alone} {with_request}");
}

#[tokio::test]
async fn prompts_that_come_with_the_same_new_text_both_have_it() {
    let (_folder, store) = store();
    let run = waits(&store, "park", 0, ask(DRAFT)).await;
    let source = |day: &str| format!("The council met on {day}. ").repeat(20);
    let of = |step, day| intent(step, 1, &source(day));
    let intents = vec![of(Step::Draft, "Monday"), of(Step::Review { round: 1 }, "Tuesday")];
    store.commit(run, Commit { at: iso(1), intents, ..Commit::default() }, None).await.unwrap();
    let parts = "SELECT count(*) FROM prompt_part JOIN blob ON blob.id = part";
    let found: i64 = store.read(|db| db.value(parts, [])).await.unwrap();
    assert_eq!(found, 4);
    assert!(store.audit(vec![]).await.unwrap().flaws.is_empty());
}

#[tokio::test]
#[ignore = "measures"]
#[expect(clippy::print_stdout, reason = "the figure that it measures")]
async fn a_claim_among_a_hundred_thousand_waiting_steps() {
    let (_folder, store) = store();
    let run = waits(&store, "first", 0, ask(DRAFT)).await;
    let numbers = "WITH RECURSIVE n (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM n WHERE n < ?1)";
    store
        .write(move |db| {
            for sql in [
                "INSERT INTO story (id, folded, channel, slug) SELECT n + 1000, 'desk/s' || n, 'desk', 's' || n FROM n",
                "INSERT INTO run (id, story, run_id, title, pins, opening, state, opened_at, updated_at)
                 SELECT n + 1000, n + 1000, 'run ' || n, title, pins, opening, state, opened_at, updated_at FROM n, run WHERE run_id = 'run of first'",
                "INSERT INTO message (id, run, step, pool, asks, tokens, state, priority, pins, arrived, since)
                 SELECT n + 1000, n + 1000, step, pool, asks, tokens, state, priority, pins, arrived + n, since FROM n, message
                 WHERE message.run = (SELECT id FROM run WHERE run_id = 'run of first')",
            ] {
                let (table, select) = sql.split_once(" SELECT ").unwrap();
                db.write(&format!("{table} {numbers} SELECT {select}"), [WAITING])?;
            }
            if db.is_on_server() {
                db.write("ANALYZE message", [])?;
            }
            Ok(())
        })
        .await
        .unwrap();
    let mut taken = Vec::new();
    let mut times = Vec::new();
    for _ in 0..200 {
        let began = Instant::now();
        let slots = Places { limits: HashMap::from([("writer", limits(1_000))]), ..Places::new("a", 1) };
        taken.append(&mut take(&store, Arc::new(slots), 1_000).await);
        times.push(began.elapsed());
    }
    assert!(taken.len() == 200 && taken[0] == run);
    times.sort();
    println!("a claim, of {WAITING} waiting: median {:?}, 95th of 100 {:?}", times[100], times[190]);
}
