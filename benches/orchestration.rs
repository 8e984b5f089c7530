//! What orchestration costs: the real binary against a scripted server in this process, with no model to wait for.
//!
//!     cargo bench --bench orchestration [-- LATENCY_MS [FOLDER]]
//!
//! A story is 26 steps and 16 calls: draft, review, parse, map, look-up, five verdicts, claims, gate, feedback, revise, then
//! review to gate again, publish. Each repetition is a newsroom of its own below `target` (or FOLDER): one topic that creates the
//! database, one topic on the database that then exists, fifty topics. Figures are medians; a step's costs are said twice,
//! with the start of the program in them and without (fifty topics less one). Nothing else is subtracted, and a slow
//! machine fails nothing: the cost of its disk's sync stands beside the figures.
//!
//! Folders are deleted at the end only: ext4 without a journal looks at every inode that was freed in the last minute
//! before it takes a new one, so that cleaning up between repetitions would be charged to the next.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a bench prints its figures, and stops where its own scaffolding breaks"
)]

mod gauges;
#[path = "../tests/support/newsroom.rs"]
#[allow(dead_code, reason = "the bench uses its share of the tests' support")]
mod newsroom;
#[allow(dead_code, reason = "each bench tells one of the stories")]
mod script;
#[path = "../tests/support/server.rs"]
#[allow(dead_code, reason = "the bench uses its share of the tests' support")]
mod server;

mod sized;

use std::{
    path::{Path, PathBuf},
    process::Stdio,
    time::{Duration, Instant},
};

use gauges::{cpu_ms, median, milliseconds, peak_mib, sync_ms};
use newsroom::Newsroom;
use script::{House, Script, load, steps, write_topics};
use serde_json::json;
use sized::sized;

const SCRIPT: Script = Script::SecondRoundKeepsAll;

fn repetitions() -> usize {
    sized(9, 1)
}

fn batch_size() -> usize {
    sized(50, 2)
}

fn main() {
    // Cargo adds `--bench` to what a person types after `--`.
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    let latency = Duration::from_millis(arguments.next().map_or(0, |text| text.parse().expect("milliseconds")));
    let folder = PathBuf::from(arguments.next().unwrap_or_else(|| env!("CARGO_TARGET_TMPDIR").to_owned()));
    tempfile::env::override_temp_dir(&folder).expect("the folder is set once");

    let house = House::open(SCRIPT, latency);
    let mut rooms = vec![newsroom(&house)];
    let alone = (0..3).map(|_| run(&house, &rooms[0], 1, Watch::Memory).peak_mib).collect();
    let batch = run(&house, &rooms[0], batch_size(), Watch::Memory).peak_mib;
    let mut runs = Vec::new();
    let mut syncs = vec![sync_ms(&folder)];
    for _ in 0..repetitions() {
        let newsroom = newsroom(&house);
        run(&house, &newsroom, 1, Watch::Time);
        runs.push((run(&house, &newsroom, 1, Watch::Time), run(&house, &newsroom, batch_size(), Watch::Time)));
        syncs.push(sync_ms(&folder));
        rooms.push(newsroom);
    }
    report(latency, &folder, &runs, median(syncs), (median(alone), batch));
}

/// What a run is watched for: a watched memory costs time.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Watch {
    Time,
    Memory,
}

/// One run of the program.
struct Run {
    wall_ms: f64,
    cpu_ms: f64,
    /// From the start of the process until the server had read its first request.
    first_ms: f64,
    steps: f64,
    calls: usize,
    /// The most that it had in memory; where it was watched for that.
    peak_mib: f64,
}

fn newsroom(house: &House) -> Newsroom {
    // The claims are checked, as they are where nobody says otherwise.
    Newsroom::at_with(&house.server.base(), |yaml| {
        yaml.replacen("editor_max_rounds: 3", "editor_max_rounds: 2", 1).replacen(
            "claims:\n  enabled: false",
            "claims:\n  enabled: true",
            1,
        )
    })
}

/// Takes `topics` new topics through the pipeline.
fn run(house: &House, newsroom: &Newsroom, topics: usize, watch: Watch) -> Run {
    let before = steps(newsroom);
    let folder = format!("topics-{before}");
    write_topics(newsroom, &folder, topics);
    house.forget();
    let mut command = newsroom.command(&["run", "--auto", &folder]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let cpu = cpu_ms();
    let began = Instant::now();
    let mut child = command.spawn().expect("the program starts");
    let peak_mib = if watch == Watch::Memory { peak_mib(&mut child) } else { 0.0 };
    let status = child.wait().expect("the program ends");
    let wall_ms = milliseconds(began.elapsed());
    let cpu_ms = cpu_ms() - cpu;
    assert!(status.success(), "every story passes in its second round: {status}");
    let calls = house.server.calls().len();
    assert_eq!(calls, SCRIPT.calls() * topics, "calls");
    Run {
        wall_ms,
        cpu_ms,
        first_ms: milliseconds(house.asked() - began),
        steps: f64::from(steps(newsroom) - before),
        calls,
        peak_mib,
    }
}

fn report(latency: Duration, folder: &Path, runs: &[(Run, Run)], sync: f64, (alone, batch): (f64, f64)) {
    let over = |figure: &dyn Fn(&Run, &Run) -> f64| median(runs.iter().map(|(one, many)| figure(one, many)).collect());
    let first = over(&|one, _| one.first_ms);
    let cpu = over(&|_, many| many.cpu_ms / many.steps);
    let wall = over(&|_, many| many.wall_ms / many.steps);
    let cpu_more = over(&|one, many| (many.cpu_ms - one.cpu_ms) / (many.steps - one.steps));
    let wall_more = over(&|one, many| (many.wall_ms - one.wall_ms) / (many.steps - one.steps));
    let (one_wall, one_cpu) = (over(&|one, _| one.wall_ms), over(&|one, _| one.cpu_ms));
    let stories = over(&|_, many| 60_000.0 * f64::from(u32::try_from(batch_size()).unwrap_or(0)) / many.wall_ms);
    let (one, many) = &runs[0];

    println!(
        "latency {} ms; {} repetitions; one topic: {} steps, {} calls; {} topics: {} steps, {} calls",
        latency.as_millis(),
        runs.len(),
        one.steps,
        one.calls,
        batch_size(),
        many.steps,
        many.calls
    );
    println!("folder {}; its sync (fdatasync of 8 KiB) takes {sync:.2} ms", folder.display());
    let load = load();
    let cores = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
    println!("{cores} cores; load average of the last minute {load} (this bench alone: about 1)\n");
    let line = |what: &str, target: &str, figure: String| println!("{what:<58} {target:>10} {figure:>12}");
    line("", "target", "measured".into());
    line("start to first request, database exists", "< 50 ms", format!("{first:.1} ms"));
    line("peak memory, one topic", "< 40 MiB", format!("{alone:.1} MiB"));
    line(&format!("peak memory, {} topics", batch_size()), "", format!("{batch:.1} MiB"));
    line("CPU a step, program start included", "< 0.5 ms", format!("{cpu:.3} ms"));
    line("CPU a step, without program start", "", format!("{cpu_more:.3} ms"));
    line("wall a step, program start included", "< 2 ms (SSD)", format!("{wall:.3} ms"));
    line("wall a step, without program start", "", format!("{wall_more:.3} ms"));
    line("one topic: wall", "", format!("{one_wall:.1} ms"));
    line("one topic: CPU", "", format!("{one_cpu:.1} ms"));
    line(&format!("stories a minute, {} topics", batch_size()), "", format!("{stories:.0}"));
    let figures = json!({
        "bench": "orchestration", "latency_ms": milliseconds(latency), "repetitions": runs.len(), "sync_ms": sync, "cores": cores, "load": load,
        "first_request_ms": first, "peak_mib": alone, "peak_mib_batch": batch,
        "cpu_ms_per_step": cpu, "cpu_ms_per_step_marginal": cpu_more,
        "wall_ms_per_step": wall, "wall_ms_per_step_marginal": wall_more,
        "one_topic_wall_ms": one_wall, "one_topic_cpu_ms": one_cpu, "stories_per_min": stories,
    });
    println!("\n{figures}");
}
