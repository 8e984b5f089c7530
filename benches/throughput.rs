//! Stories a minute: the real binary against a scripted server in this process, beside another program that does the same loop, in
//! interleaved runs on the same server and disk.
//!
//!     cargo bench --bench throughput -- [--peer COMMAND] [--latency MS] [--folder DIR] [--stories N] [--repetitions N] [--at-once N,N]
//!
//! A story is two rounds with five concerns and a third review that finds nothing: 18 calls. The peer is started with `--base URL --db FILE
//! --stories N --conc N --warm 2` and prints a line of JSON with `stories_per_min`, `cpu_ms_per_step` and `peak_rss_mib`, its start not
//! counted; so ours counts from its first request to its end. Figures are medians. The newsroom's configuration is the template's, with
//! the engine, the server, and pools and limits that hold nothing back.

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
#[path = "../tests/support/server.rs"]
#[allow(dead_code, reason = "the bench uses its share of the tests' support")]
mod server;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use gauges::{cpu_ms, median, milliseconds, peak_mib, sync_ms};
use newsroom::Newsroom;
use serde_json::{Value, json};
use server::{Call, Reply, Server};

const CALLS: usize = 18;
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

/// What a person typed.
struct Arguments {
    peer: Option<Vec<String>>,
    latency: Duration,
    folder: PathBuf,
    stories: usize,
    repetitions: usize,
    at_once: Vec<usize>,
}

fn arguments() -> Arguments {
    let mut arguments = Arguments {
        peer: None,
        latency: Duration::from_millis(20),
        folder: PathBuf::from(env!("CARGO_TARGET_TMPDIR")),
        stories: 60,
        repetitions: 3,
        at_once: vec![1, 10],
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
            // Cargo adds this one.
            "--bench" => {}
            other => panic!("{other} is not known; see the head of this file"),
        }
    }
    arguments
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

struct House {
    server: Server,
    asked: Arc<Mutex<Option<Instant>>>,
}

fn main() {
    let arguments = arguments();
    tempfile::env::override_temp_dir(&arguments.folder).expect("the folder is set once");
    let (latency, asked) = (arguments.latency, Arc::<Mutex<Option<Instant>>>::default());
    let first = Arc::clone(&asked);
    let server = Server::start(move |call| {
        first.lock().expect("the first request").get_or_insert_with(Instant::now);
        let whole = Reply::Whole(answer(call));
        if latency.is_zero() { whole } else { Reply::Late(latency, Box::new(whole)) }
    });
    let house = House { server, asked };
    let mut runs: BTreeMap<(usize, &str), Vec<Figures>> = BTreeMap::new();
    let mut syncs = Vec::new();
    // Kept until the end: cleaning up would be charged to the next run.
    let mut rooms = Vec::new();
    for _ in 0..arguments.repetitions {
        for &at_once in &arguments.at_once {
            let stories = if at_once == 1 { (arguments.stories / 6).max(1) } else { arguments.stories.max(at_once) };
            syncs.push(sync_ms(&arguments.folder));
            let (figures, room) = house.ours(stories, at_once);
            rooms.push(room);
            runs.entry((at_once, "copydesk")).or_default().push(figures);
            if let Some(peer) = &arguments.peer {
                let figures = house.peer(peer, &arguments.folder, stories, at_once);
                runs.entry((at_once, "peer")).or_default().push(figures);
            }
        }
    }
    report(&arguments, &runs, median(syncs));
}

impl House {
    fn forget(&self) {
        self.server.forget();
        *self.asked.lock().expect("the first request") = None;
    }

    /// The real binary, on a database that exists.
    fn ours(&self, stories: usize, at_once: usize) -> (Figures, Newsroom) {
        let base = self.server.base();
        let newsroom = Newsroom::with(|yaml| {
            let mut yaml = yaml
                .replace("engine: offline", "engine: llm")
                .replace("http://127.0.0.1:1234/v1", &base)
                .replace("    requests_at_once: 16", "    requests_at_once: 1000");
            for pool in ["writer: 8", "editor: 8", "review: 8", "mapping: 8", "specialist: 16", "publisher: 8"] {
                let name = pool.split(':').next().expect("a name");
                yaml = yaml.replace(&format!("    {pool}\n"), &format!("    {name}: 1000\n"));
            }
            yaml
        });
        self.batch(&newsroom, "warm", 2, 2);
        let before = steps(&newsroom);
        let figures = self.batch(&newsroom, "batch", stories, at_once);
        let steps = f64::from(steps(&newsroom) - before);
        let size: u64 = ["copydesk.db", "copydesk.db-wal"]
            .iter()
            .filter_map(|name| std::fs::metadata(newsroom.path().join("data").join(name)).ok())
            .map(|file| file.len())
            .sum();
        #[expect(clippy::cast_precision_loss, reason = "bytes of a small database")]
        let mib_a_story = size as f64 / 1_048_576.0 / count(stories + 2);
        (Figures { cpu_ms_a_step: figures.cpu_ms_a_step / steps, mib_a_story, ..figures }, newsroom)
    }

    /// CPU is of the whole batch here.
    fn batch(&self, newsroom: &Newsroom, name: &str, stories: usize, at_once: usize) -> Figures {
        for number in 0..stories {
            let topic = topic(&format!("{name}-{number}"));
            newsroom.write(&format!("{name}/{number:04}.json"), topic.to_string().as_bytes());
        }
        self.forget();
        let mut command = newsroom.command(&["run", "--auto", "--concurrency", &at_once.to_string(), name]);
        let cpu = cpu_ms();
        let began = Instant::now();
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts");
        let peak_mib = peak_mib(&mut child);
        let status = child.wait().expect("the program ends");
        assert!(status.success(), "every story passes in its third round: {status}");
        let asked = self.asked.lock().expect("the first request").expect("it asked");
        assert_eq!(self.server.calls().len(), CALLS * stories, "calls");
        Figures {
            stories_per_min: 60.0 * count(stories) / asked.elapsed().as_secs_f64(),
            cpu_ms_a_step: cpu_ms() - cpu,
            peak_mib,
            first_ms: milliseconds(asked - began),
            mib_a_story: 0.0,
        }
    }

    fn peer(&self, command: &[String], folder: &Path, stories: usize, at_once: usize) -> Figures {
        let place = tempfile::tempdir_in(folder).expect("a folder");
        let database = place.path().join("peer.db");
        self.forget();
        let began = Instant::now();
        let done = Command::new(&command[0])
            .args(&command[1..])
            .args(["--base", &self.server.base(), "--db"])
            .arg(&database)
            .args(["--stories", &stories.to_string(), "--conc", &at_once.to_string(), "--warm", "2"])
            .env("LANGSMITH_TRACING", "false")
            .output()
            .expect("the peer starts");
        let said = String::from_utf8_lossy(&done.stdout);
        let line = said.lines().last().unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&done.stderr)));
        let figures: Value = serde_json::from_str(line).expect("a line of JSON");
        let size: u64 = std::fs::read_dir(place.path())
            .expect("the folder")
            .filter_map(|entry| entry.ok()?.metadata().ok())
            .map(|file| file.len())
            .sum();
        let figure = |key: &str| figures[key].as_f64().unwrap_or_else(|| panic!("no {key} in {line}"));
        let asked = self.asked.lock().expect("the first request").expect("it asked");
        #[expect(clippy::cast_precision_loss, reason = "bytes of a small database")]
        let mib_a_story = size as f64 / 1_048_576.0 / count(stories + 2);
        Figures {
            stories_per_min: figure("stories_per_min"),
            cpu_ms_a_step: figure("cpu_ms_per_step"),
            peak_mib: figure("peak_rss_mib"),
            first_ms: milliseconds(asked - began),
            mib_a_story,
        }
    }
}

fn count(number: usize) -> f64 {
    f64::from(u32::try_from(number).expect("a small number"))
}

/// Steps in the journal so far.
fn steps(newsroom: &Newsroom) -> u32 {
    let connection = rusqlite::Connection::open(newsroom.path().join("data/copydesk.db")).expect("the database");
    connection.query_row("SELECT count(*) FROM journal", [], |row| row.get(0)).expect("steps")
}

fn topic(number: &str) -> Value {
    let mut topic: Value = serde_json::from_str(TOPIC).expect("a topic");
    let source = topic["source_text"].as_str().expect("a source").to_owned();
    topic["source_text"] = json!(format!("Minutes no. {number}. {source}"));
    topic["source_metadata"]["topic_slug"] = json!(format!("story-{number}"));
    topic
}

/// What the model says, to either program: five concerns in the first and second round, each about words of its own, three of them
/// upheld; none in the third.
fn answer(call: &Call) -> String {
    let rest = call.user.split_once("Minutes no. ").map_or("", |(_, rest)| rest);
    let story = rest.split_once('.').map_or("", |(number, _)| number);
    let round = (1..=2).rev().find(|round| call.user.contains(&format!("(draft {})", round + 1))).unwrap_or(0) + 1;
    let peer = call.body["model"] == "mock";
    match call.agent.as_str() {
        "writer" => article(story, 1),
        "revision" => article(story, round + 1),
        "article_review" if round > 2 && !peer => String::new(),
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
        _ => verdict(call),
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

fn verdict(call: &Call) -> String {
    let rest = call.user.split_once("CONCERN_ID: ").map_or("", |(_, rest)| rest);
    let concern: u32 = rest.split_whitespace().next().and_then(|number| number.parse().ok()).expect("a concern");
    let upheld = concern <= 3;
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

fn report(arguments: &Arguments, runs: &BTreeMap<(usize, &str), Vec<Figures>>, sync: f64) {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!(
        "latency {} ms; a sync (fdatasync of 8 KiB) in {} takes {sync:.2} ms; {} repetitions; {} cores; load average {}",
        arguments.latency.as_millis(),
        arguments.folder.display(),
        arguments.repetitions,
        std::thread::available_parallelism().map_or(0, std::num::NonZero::get),
        load.split_whitespace().next().unwrap_or("unknown")
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
