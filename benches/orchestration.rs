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

#[path = "../tests/support/newsroom.rs"]
#[allow(dead_code, reason = "the bench uses its share of the tests' support")]
mod newsroom;
#[path = "../tests/support/server.rs"]
#[allow(dead_code, reason = "the bench uses its share of the tests' support")]
mod server;

use std::{
    fs::File,
    io::{Seek, Write},
    path::{Path, PathBuf},
    process::{Child, Stdio},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use newsroom::Newsroom;
use nix::sys::{
    resource::{UsageWho, getrusage},
    time::TimeValLike,
};
use serde_json::{Value, json};
use server::{Call, Reply, Server};

const REPETITIONS: usize = 9;
const BATCH: usize = 50;
/// The source of every topic; each has its number before it, so that no two are one blob.
const TOPIC: &str = include_str!("../assets/topics/miller-park-renovation.json");
const SENTENCES: [&str; 6] = [
    "The council voted seven to two on Tuesday to renovate the park, according to the draft minutes of the meeting.",
    "The plan sets money aside for new paths, lighting and a playground, said the director of parks, Sylvie Marchand.",
    "Work is expected to begin in April and to last nine months, the minutes say.",
    "Two members objected to the cost of the lighting, which makes up a fifth of the budget.",
    "Residents who spoke at the hearing asked for benches and shade along the northern path.",
    "The town will publish the contractors’ bids on its web site before the end of the month.",
];
const EXCERPTS: [&str; 5] =
    ["begin in April", "a fifth of the budget", "A park plan passes", "said the director", "Residents who spoke"];
const AGENTS: [&str; 5] = ["fact_check", "evidence_finding", "opinion", "attribution", "style_review"];

fn main() {
    // Cargo adds `--bench` to what a person types after `--`.
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    let latency = Duration::from_millis(arguments.next().map_or(0, |text| text.parse().expect("milliseconds")));
    let folder = PathBuf::from(arguments.next().unwrap_or_else(|| env!("CARGO_TARGET_TMPDIR").to_owned()));
    tempfile::env::override_temp_dir(&folder).expect("the folder is set once");

    let house = House::open(latency);
    let mut rooms = vec![house.newsroom()];
    let alone = (0..3).map(|_| house.run(&rooms[0], 1, Watch::Memory).peak_mib).collect();
    let batch = house.run(&rooms[0], BATCH, Watch::Memory).peak_mib;
    let mut runs = Vec::new();
    let mut syncs = vec![sync_ms(&folder)];
    for _ in 0..REPETITIONS {
        let newsroom = house.newsroom();
        house.run(&newsroom, 1, Watch::Time);
        runs.push((house.run(&newsroom, 1, Watch::Time), house.run(&newsroom, BATCH, Watch::Time)));
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

/// The server, and when it was first asked.
struct House {
    server: Server,
    asked: Arc<Mutex<Option<Instant>>>,
}

impl House {
    fn open(latency: Duration) -> Self {
        let asked: Arc<Mutex<Option<Instant>>> = Arc::default();
        let first = Arc::clone(&asked);
        let server = Server::start(move |call| {
            first.lock().expect("the first request").get_or_insert_with(Instant::now);
            let whole = Reply::Whole(answer(call));
            if latency.is_zero() { whole } else { Reply::Late(latency, Box::new(whole)) }
        });
        Self { server, asked }
    }

    fn newsroom(&self) -> Newsroom {
        // The claims are checked, as they are where nobody says otherwise.
        Newsroom::at_with(&self.server.base(), |yaml| {
            yaml.replacen("editor_max_rounds: 3", "editor_max_rounds: 2", 1).replacen(
                "claims:\n  enabled: false",
                "claims:\n  enabled: true",
                1,
            )
        })
    }

    /// Takes `topics` new topics through the pipeline.
    fn run(&self, newsroom: &Newsroom, topics: usize, watch: Watch) -> Run {
        let before = steps(newsroom);
        let folder = format!("topics-{before}");
        for number in 0..topics {
            let topic = topic(&format!("{before}-{number}"));
            newsroom.write(&format!("{folder}/{number:03}.json"), topic.to_string().as_bytes());
        }
        self.server.forget();
        *self.asked.lock().expect("the first request") = None;
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
        let asked = self.asked.lock().expect("the first request").expect("it asked");
        let calls = self.server.calls().len();
        assert_eq!(calls, 16 * topics, "calls");
        Run {
            wall_ms,
            cpu_ms,
            first_ms: milliseconds(asked - began),
            steps: f64::from(steps(newsroom) - before),
            calls,
            peak_mib,
        }
    }
}

/// Steps in the journal so far.
fn steps(newsroom: &Newsroom) -> u32 {
    let database = newsroom.path().join("data/copydesk.db");
    if !database.exists() {
        return 0;
    }
    let connection = rusqlite::Connection::open(database).expect("the database");
    connection.query_row("SELECT count(*) FROM journal", [], |row| row.get(0)).expect("steps")
}

fn topic(number: &str) -> Value {
    let mut topic: Value = serde_json::from_str(TOPIC).expect("a topic");
    let source = topic["source_text"].as_str().expect("a source").to_owned();
    topic["source_text"] = json!(format!("Minutes no. {number}. {source}"));
    topic["source_metadata"]["topic_slug"] = json!(format!("story-{number}"));
    topic
}

/// What the model says: five concerns each round, each about words of its own, so that nothing is remembered from another
/// story; the first round's are upheld, the second's are not.
fn answer(call: &Call) -> String {
    let rest = call.user.split_once("Minutes no. ").map_or("", |(_, rest)| rest);
    let story = rest.split_once('.').map_or("", |(number, _)| number);
    let round = if call.user.contains("(draft 2)") { 2 } else { 1 };
    match call.agent.as_str() {
        "writer" => article(story, 1),
        "revision" => article(story, 2),
        "article_review" => EXCERPTS
            .map(|excerpt| format!("- “{excerpt} {story} {round}” unsupported_fact: the source does not say so."))
            .join("\n"),
        "concern_mapping" => {
            let mappings: Vec<Value> = AGENTS
                .iter()
                .zip(1..)
                .map(|(agent, id): (_, u32)| {
                    json!({"concern_id": id, "concern_type": "unsupported_fact", "selected_agent": agent,
                        "confidence": "high", "reason": "Best fit for this kind of concern."})
                })
                .collect();
            json!({ "mappings": mappings }).to_string()
        }
        _ => verdict(call, round),
    }
}

fn article(story: &str, draft: u32) -> String {
    let paragraph = |start: usize| (0..4).map(|next| SENTENCES[(start + next) % 6]).collect::<Vec<_>>().join(" ");
    let body: Vec<String> = (0..8).map(paragraph).collect();
    json!({
        "headline": format!("A park plan passes in {story} (draft {draft})"),
        "alternativeHeadline": "Seven to two",
        "articleBody": body.join("\n\n"),
        "description": "The council approved a renovation.",
    })
    .to_string()
}

fn verdict(call: &Call, round: u32) -> String {
    let rest = call.user.split_once("CONCERN_ID: ").map_or("", |(_, rest)| rest);
    let concern: u32 = rest.split_whitespace().next().and_then(|number| number.parse().ok()).expect("a concern");
    let upheld = round == 1 && concern <= 3;
    json!({
        "concern_id": concern,
        "misleading": upheld,
        "status": if upheld { "REWRITE" } else { "KEEP" },
        "rationale": "The claim was compared with the source text and with the passages; they do not carry it.",
        "suggested_fix": upheld.then_some("State only what the minutes say and name them as the source."),
        "evidence": "Minutes, item 4.",
        "citations": null
    })
    .to_string()
}

fn report(latency: Duration, folder: &Path, runs: &[(Run, Run)], sync: f64, (alone, batch): (f64, f64)) {
    let over = |figure: &dyn Fn(&Run, &Run) -> f64| median(runs.iter().map(|(one, many)| figure(one, many)).collect());
    let first = over(&|one, _| one.first_ms);
    let cpu = over(&|_, many| many.cpu_ms / many.steps);
    let wall = over(&|_, many| many.wall_ms / many.steps);
    let cpu_more = over(&|one, many| (many.cpu_ms - one.cpu_ms) / (many.steps - one.steps));
    let wall_more = over(&|one, many| (many.wall_ms - one.wall_ms) / (many.steps - one.steps));
    let (one_wall, one_cpu) = (over(&|one, _| one.wall_ms), over(&|one, _| one.cpu_ms));
    let stories = over(&|_, many| 60_000.0 * f64::from(u32::try_from(BATCH).unwrap_or(0)) / many.wall_ms);
    let (one, many) = &runs[0];

    println!(
        "latency {} ms; {} repetitions; one topic: {} steps, {} calls; {BATCH} topics: {} steps, {} calls",
        latency.as_millis(),
        runs.len(),
        one.steps,
        one.calls,
        many.steps,
        many.calls
    );
    println!("folder {}; its sync (fdatasync of 8 KiB) takes {sync:.2} ms", folder.display());
    // A core that is shared makes caches cold: CPU rises with it, not only wall.
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split_whitespace().next().unwrap_or("unknown");
    let cores = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
    println!("{cores} cores; load average of the last minute {load} (this bench alone: about 1)\n");
    let line = |what: &str, target: &str, figure: String| println!("{what:<58} {target:>10} {figure:>12}");
    line("", "target", "measured".into());
    line("start to first request, database exists", "< 50 ms", format!("{first:.1} ms"));
    line("peak memory, one topic", "< 40 MiB", format!("{alone:.1} MiB"));
    line(&format!("peak memory, {BATCH} topics"), "", format!("{batch:.1} MiB"));
    line("CPU a step, program start included", "< 0.5 ms", format!("{cpu:.3} ms"));
    line("CPU a step, without program start", "", format!("{cpu_more:.3} ms"));
    line("wall a step, program start included", "< 2 ms (SSD)", format!("{wall:.3} ms"));
    line("wall a step, without program start", "", format!("{wall_more:.3} ms"));
    line("one topic: wall", "", format!("{one_wall:.1} ms"));
    line("one topic: CPU", "", format!("{one_cpu:.1} ms"));
    line(&format!("stories a minute, {BATCH} topics"), "", format!("{stories:.0}"));
    let figures = json!({
        "bench": "orchestration", "latency_ms": milliseconds(latency), "repetitions": runs.len(), "sync_ms": sync, "cores": cores, "load": load,
        "first_request_ms": first, "peak_mib": alone, "peak_mib_batch": batch,
        "cpu_ms_per_step": cpu, "cpu_ms_per_step_marginal": cpu_more,
        "wall_ms_per_step": wall, "wall_ms_per_step_marginal": wall_more,
        "one_topic_wall_ms": one_wall, "one_topic_cpu_ms": one_cpu, "stories_per_min": stories,
    });
    println!("\n{figures}");
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// User and system time of every child that has ended.
fn cpu_ms() -> f64 {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("resource usage");
    let micros = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    milliseconds(Duration::from_micros(u64::try_from(micros).unwrap_or(0)))
}

/// Watches a child's memory until it ends: the high-water mark of its own pages, program text included.
///
/// Not `ru_maxrss`, which a child inherits from the pages that its parent had when it started it.
fn peak_mib(child: &mut Child) -> f64 {
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0.0;
    while child.try_wait().expect("the child's state").is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let kib = text.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
        peak = kib.and_then(|kib| kib.parse().ok()).map_or(peak, |kib: f64| kib / 1024.0);
        std::thread::sleep(Duration::from_micros(500));
    }
    if peak == 0.0 {
        // No /proc here. macOS says bytes.
        let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("resource usage");
        peak = f64::from(u32::try_from(usage.max_rss() >> 10).unwrap_or(u32::MAX)) / 1024.0;
    }
    peak
}

/// What it costs to have 8 KiB on the disk for certain.
fn sync_ms(folder: &Path) -> f64 {
    let path = folder.join(format!("sync-{}", std::process::id()));
    let mut file = File::create(&path).expect("a file");
    let times = (0..40).map(|turn| {
        file.seek(std::io::SeekFrom::Start(turn * 8192)).expect("a place");
        file.write_all(&[7; 8192]).expect("8 KiB");
        let began = Instant::now();
        file.sync_data().expect("a sync");
        milliseconds(began.elapsed())
    });
    let sync = median(times.collect());
    std::fs::remove_file(path).expect("the probe goes");
    sync
}
