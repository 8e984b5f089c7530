//! How long it takes to claim a step while very many wait. On request:
//! `.ci/postgres cargo test -p copydesk-store --features postgres --lib claims -- --ignored --nocapture`.

use std::time::Instant;

use super::*;

const WAITING: i64 = 100_000;

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
