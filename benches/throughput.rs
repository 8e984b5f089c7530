//! Stories a minute: the real binary against a scripted server in this process, beside another program that does the same loop, in
//! interleaved runs on the same server and disk.
//!
//!     cargo bench --bench throughput -- [--peer COMMAND] [--latency MS] [--folder DIR] [--stories N] [--repetitions N] [--at-once N,N]
//!         [--workers]
//!
//! A story is two rounds with five concerns and a third review that finds nothing: 18 calls. The peer is started with `--base URL --db FILE
//! --stories N --conc N --warm 2` and prints a line of JSON with `stories_per_min`, `cpu_ms_per_step` and `peak_rss_mib`, its start not
//! counted; so ours counts from its first request to its end. Figures are medians. The newsroom's configuration is the template's, with
//! the engine, the server, and pools and limits that hold nothing back. "Loop alone" is the same with proof and claims turned off, which
//! the peer does not have. "Observed" is the same with a log file, and with metrics that are read each second.
//!
//! On a server, as `.ci/benchmarks server` runs it, `--workers` has a program of its own for each story at once. The CPU is then that of the
//! programs alone, and nothing is observed. The peer has one program in any case.

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
    collections::BTreeMap,
    io::{Read as _, Write as _},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use gauges::{cpu_ms, median, milliseconds, peak_mib, sync_ms};
use newsroom::{Newsroom, server_of_all_desks};
use script::{House, Script, load, steps, write_topics};
use serde_json::Value;
use sized::sized;

const SCRIPT: Script = Script::ThirdReviewIsEmpty;

/// What a person typed.
struct Arguments {
    peer: Option<Vec<String>>,
    latency: Duration,
    folder: PathBuf,
    stories: usize,
    repetitions: usize,
    at_once: Vec<usize>,
    /// Whether each of the stories at once is a program's own.
    workers: bool,
}

fn arguments() -> Arguments {
    let mut arguments = Arguments {
        peer: None,
        latency: Duration::from_millis(20),
        folder: PathBuf::from(env!("CARGO_TARGET_TMPDIR")),
        stories: sized(60, 2),
        repetitions: sized(3, 1),
        at_once: sized(vec![1, 10], vec![2]),
        workers: false,
    };
    let mut typed = std::env::args().skip(1);
    while let Some(key) = typed.next() {
        let mut value = || typed.next().unwrap_or_else(|| panic!("{key} needs a value"));
        match key.as_str() {
            "--peer" => arguments.peer = Some(value().split_whitespace().map(str::to_owned).collect()),
            "--latency" => arguments.latency = Duration::from_millis(value().parse().expect("milliseconds")),
            "--folder" => arguments.folder = PathBuf::from(value()),
            "--stories" => arguments.stories = value().parse().expect("a number"),
            "--repetitions" => arguments.repetitions = value().parse().expect("a number"),
            "--at-once" => {
                arguments.at_once = value().split(',').map(|count| count.parse().expect("a number")).collect();
            }
            "--workers" => arguments.workers = true,
            // Cargo adds this one.
            "--bench" => {}
            other => panic!("{other} is not known; see the head of this file"),
        }
    }
    arguments
}

/// What of the program works.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Variant {
    /// As the template has it: every draft proved, every claim looked up.
    AsDelivered,
    /// Without proof and claims: what the peer's loop does too.
    LoopAlone,
    /// As delivered, with a log file, and with metrics that are read each second.
    Observed,
}

/// Reads the metrics of a program each second until it is dropped.
struct Scraper(Arc<AtomicBool>);

impl Scraper {
    fn of(port: u16) -> Self {
        let ends = Arc::new(AtomicBool::new(false));
        let ended = Arc::clone(&ends);
        std::thread::spawn(move || {
            while !ended.load(Ordering::Relaxed) {
                if let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)) {
                    let asked = format!("GET /metrics HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n");
                    let mut told = String::new();
                    let read = stream.write_all(asked.as_bytes()).and_then(|()| stream.read_to_string(&mut told));
                    assert!(read.is_err() || told.contains("copydesk_calls_total"), "{told}");
                }
                std::thread::sleep(Duration::from_secs(1));
            }
        });
        Self(ends)
    }
}

impl Drop for Scraper {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// What one run came to.
#[derive(Clone, Copy, Default)]
struct Figures {
    stories_per_min: f64,
    cpu_ms_a_step: f64,
    peak_mib: f64,
    first_ms: f64,
    mib_a_story: f64,
}

fn main() {
    let arguments = arguments();
    tempfile::env::override_temp_dir(&arguments.folder).expect("the folder is set once");
    let house = House::open(SCRIPT, arguments.latency);
    let mut runs: BTreeMap<(usize, &str), Vec<Figures>> = BTreeMap::new();
    let mut syncs = Vec::new();
    // Kept until the end: cleaning up would be charged to the next run.
    let mut rooms = Vec::new();
    for _ in 0..arguments.repetitions {
        for &at_once in &arguments.at_once {
            let stories = if at_once == 1 { (arguments.stories / 6).max(1) } else { arguments.stories.max(at_once) };
            for (name, variant) in [
                ("copydesk", Variant::AsDelivered),
                ("loop alone", Variant::LoopAlone),
                ("observed", Variant::Observed),
            ] {
                if variant == Variant::Observed && server_of_all_desks().is_some() {
                    continue;
                }
                syncs.push(sync_ms(&arguments.folder));
                let (figures, room) = ours(&house, variant, stories, at_once, arguments.workers);
                rooms.push(room);
                runs.entry((at_once, name)).or_default().push(figures);
            }
            if let Some(command) = &arguments.peer {
                let figures = peer(&house, command, &arguments.folder, stories, at_once);
                runs.entry((at_once, "peer")).or_default().push(figures);
            }
        }
    }
    report(&arguments, &runs, median(syncs));
}

/// The real binary, on a database that exists.
fn ours(house: &House, variant: Variant, stories: usize, at_once: usize, workers: bool) -> (Figures, Newsroom) {
    let base = house.server.base();
    // Free a moment ago.
    let free = || TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    let port = (variant == Variant::Observed).then(|| free().expect("a free port").port());
    let newsroom = Newsroom::with(|yaml| {
        let mut yaml = yaml
            .replace("engine: offline", "engine: llm")
            .replace("http://127.0.0.1:1234/v1", &base)
            .replace("    requests_at_once: 16", "    requests_at_once: 1000");
        for pool in ["writer: 8", "editor: 8", "review: 8", "mapping: 8", "specialist: 16", "publisher: 8"] {
            let name = pool.split(':').next().expect("a name");
            yaml = yaml.replace(&format!("    {pool}\n"), &format!("    {name}: 1000\n"));
        }
        match port {
            Some(port) => yaml
                .replace("metrics_addr: null", &format!("metrics_addr: 127.0.0.1:{port}"))
                .replace("log: null", "log: ./data/desk.log"),
            None if variant == Variant::LoopAlone => yaml.replace("  enabled: true", "  enabled: false"),
            None => yaml,
        }
    });
    let _scraper = port.map(Scraper::of);
    batch(house, &newsroom, "warm", 2, 2, false);
    let before = steps(&newsroom);
    let figures = batch(house, &newsroom, "batch", stories, at_once, workers);
    let steps = f64::from(steps(&newsroom) - before);
    let size = ["copydesk.db", "copydesk.db-wal"]
        .iter()
        .filter_map(|name| std::fs::metadata(newsroom.path().join("data").join(name)).ok())
        .map(|file| file.len())
        .sum();
    let figures = Figures {
        cpu_ms_a_step: figures.cpu_ms_a_step / steps,
        mib_a_story: mib(size) / count(stories + 2),
        ..figures
    };
    (figures, newsroom)
}

/// One batch of stories; CPU is of all of it here.
fn batch(house: &House, newsroom: &Newsroom, name: &str, stories: usize, at_once: usize, workers: bool) -> Figures {
    write_topics(newsroom, name, stories);
    house.forget();
    let (places, others) = if workers { (1, at_once - 1) } else { (at_once, 0) };
    let cpu = cpu_ms();
    let others: Vec<_> = (0..others).map(|_| newsroom.start(&["worker", "--concurrency", "1"])).collect();
    let mut command = newsroom.command(&["run", "--auto", "--concurrency", &places.to_string(), name]);
    let began = Instant::now();
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts");
    let peak_mib = peak_mib(&mut child);
    let status = child.wait().expect("the program ends");
    assert!(status.success(), "every story passes in its third round: {status}");
    for mut other in others {
        other.kill().and_then(|()| other.wait()).expect("a worker ends");
    }
    assert_eq!(house.server.calls().len(), SCRIPT.calls() * stories, "calls");
    Figures {
        stories_per_min: 60.0 * count(stories) / house.asked().elapsed().as_secs_f64(),
        cpu_ms_a_step: cpu_ms() - cpu,
        peak_mib,
        first_ms: milliseconds(house.asked() - began),
        mib_a_story: 0.0,
    }
}

fn peer(house: &House, command: &[String], folder: &Path, stories: usize, at_once: usize) -> Figures {
    let place = tempfile::tempdir_in(folder).expect("a folder");
    let database = server_of_all_desks().unwrap_or_else(|| place.path().join("peer.db").display().to_string());
    house.forget();
    let began = Instant::now();
    let done = Command::new(&command[0])
        .args(&command[1..])
        .args(["--base", &house.server.base(), "--db"])
        .arg(&database)
        .args(["--stories", &stories.to_string(), "--conc", &at_once.to_string(), "--warm", "2"])
        .env("LANGSMITH_TRACING", "false")
        .output()
        .expect("the peer starts");
    let said = String::from_utf8_lossy(&done.stdout);
    let line = said.lines().last().unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&done.stderr)));
    let figures: Value = serde_json::from_str(line).expect("a line of JSON");
    let size = std::fs::read_dir(place.path())
        .expect("the folder")
        .filter_map(|entry| entry.ok()?.metadata().ok())
        .map(|file| file.len())
        .sum();
    let figure = |key: &str| figures[key].as_f64().unwrap_or_else(|| panic!("no {key} in {line}"));
    Figures {
        stories_per_min: figure("stories_per_min"),
        cpu_ms_a_step: figure("cpu_ms_per_step"),
        peak_mib: figure("peak_rss_mib"),
        first_ms: milliseconds(house.asked() - began),
        mib_a_story: mib(size) / count(stories + 2),
    }
}

#[expect(clippy::cast_precision_loss, reason = "bytes of a small database")]
fn mib(size: u64) -> f64 {
    size as f64 / 1_048_576.0
}

fn count(number: usize) -> f64 {
    f64::from(u32::try_from(number).expect("a small number"))
}

fn report(arguments: &Arguments, runs: &BTreeMap<(usize, &str), Vec<Figures>>, sync: f64) {
    println!(
        "latency {} ms; a sync (fdatasync of 8 KiB) in {} takes {sync:.2} ms; {} repetitions; {} cores; load average {}",
        arguments.latency.as_millis(),
        arguments.folder.display(),
        arguments.repetitions,
        std::thread::available_parallelism().map_or(0, std::num::NonZero::get),
        load()
    );
    println!(
        "{:>8} {:<10} {:>12} {:>12} {:>10} {:>14} {:>12}",
        "at once", "", "stories/min", "CPU ms/step", "peak MiB", "first call ms", "MiB a story"
    );
    for ((at_once, name), figures) in runs {
        let over = |figure: fn(&Figures) -> f64| median(figures.iter().map(figure).collect());
        println!(
            "{at_once:>8} {name:<10} {:>12.0} {:>12.3} {:>10.1} {:>14.1} {:>12.3}",
            over(|run| run.stories_per_min),
            over(|run| run.cpu_ms_a_step),
            over(|run| run.peak_mib),
            over(|run| run.first_ms),
            over(|run| run.mib_a_story)
        );
    }
}
