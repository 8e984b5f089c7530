//! What the screen costs: the real binary in a pseudo-terminal, with the fixtures that the issue names.
//!
//!     cargo bench --bench terminal [-- WHAT ...]
//!
//! WHAT is `keys`, `typing`, `idle` or `open`; all where none is named.
//!
//! `keys`: from before a key is sent until the end of the first synchronised update in which the watched part of the screen is
//! another was read, while a scripted server streams a revision at 200 tokens a second. The story has a 1 MB source, ten drafts, 200
//! concerns, 10,000 events. The time of the pseudo-terminal itself is in it, and is said beside it: that of `cat`.
//! `typing`: the same for letters typed into a draft of 3,000 words, which the proof checks against its source meanwhile.
//! `idle`: what is written and how much of a core is used while nothing happens, with the same story open.
//! `open`: from the start of the process to the end of the first update that shows the desk of 10,000 stories.
//!
//! Nothing is subtracted, and a slow machine fails nothing.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stdout,
    reason = "a bench prints its figures, and stops where its own scaffolding breaks"
)]

mod fixture;
#[path = "../tests/support/newsroom.rs"]
#[allow(dead_code, reason = "the bench uses its share of the tests' support")]
mod newsroom;
#[path = "../tests/support/seat.rs"]
#[allow(dead_code, reason = "the bench uses its share of the tests' support")]
mod seat;
#[path = "../tests/support/server.rs"]
#[allow(dead_code, reason = "the bench uses its share of the tests' support")]
mod server;
#[path = "../tests/support/terminal/mod.rs"]
#[allow(dead_code, reason = "the bench uses its share of the tests' support")]
mod terminal;

mod sized;

use std::{
    fs,
    ops::Range,
    path::PathBuf,
    time::{Duration, Instant},
};

use fixture::Size;
use newsroom::Newsroom;
use serde_json::{Value, json};
use server::{Reply, Server};
use terminal::{Program, Terminal};

use Act::{Press, See};
use sized::sized;

/// Keys, or a text that is waited for.
#[derive(Clone, Copy)]
enum Act {
    Press(&'static str),
    See(&'static str),
}

/// From the start of the program to the large story at its gate.
const TO_THE_STORY: &[Act] = &[See("The large story"), Press("enter"), See("of 200 concerns open")];
/// From there to the page on which keys are measured, with the revision streaming in.
const TO_THE_KEYS: &[Act] = &[
    Press("c"),
    See("Drop your earlier decision?"),
    Press("enter"),
    See("streams"),
    Press("2"),
    See("Concerns of round 10"),
];
/// The keys, over and over. Each changes the watched part.
const KEYS: &[&str] = &["down", "up", "down", "down", "up", "pgdn", "up", "pgup", "down", "up"];
/// The part of the screen that the keys change and the streamed text does not: rows and columns.
const WATCHED: (Range<u16>, Range<u16>) = (2..34, 0..40);
/// The lines of the draft that letters are typed into, from edge to edge: a letter near the right edge moves nothing at the left.
const WATCHED_TEXT: (Range<u16>, Range<u16>) = (17..31, 0..76);
/// The letters, over and over: words as a typist writes them.
const LETTERS: &[&str] = &["\"a\"", "\"b\"", "\"c\"", "\"d\"", "\"e\"", "\" \""];
/// What the desk of 10,000 stories shows once it is there.
const DESK_IS_THERE: &str = "desk/story-0";
/// Leaves the program, from the desk.
const LEAVE: &[Act] = &[Press("q")];

const ROWS: u16 = 36;
const COLS: u16 = 120;

fn stories() -> usize {
    sized(10_000, 200)
}

fn size() -> Size {
    sized(
        Size { source_bytes: 1 << 20, drafts: 10, concerns: 200, events: 10_000 },
        Size { source_bytes: 1 << 14, drafts: 10, concerns: 200, events: 100 },
    )
}

fn presses() -> usize {
    sized(500, 12)
}

fn typed() -> usize {
    sized(300, 6)
}

/// Words of the draft that is typed into.
fn words() -> usize {
    sized(3000, 300)
}

fn openings() -> usize {
    sized(11, 1)
}

fn idle_for() -> Duration {
    sized(Duration::from_secs(20), Duration::from_secs(1))
}

/// A token is four characters; one each 5 ms is 200 a second.
const TOKEN: usize = 4;
const BETWEEN_TOKENS: Duration = Duration::from_millis(5);

fn main() {
    // Cargo adds `--bench` to what a person types after `--`.
    let named: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let wanted = |what: &str| named.is_empty() || named.iter().any(|name| name == what);
    let mut figures = serde_json::Map::new();
    let cores = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
    println!("{ROWS} rows, {COLS} columns; {cores} cores; load average {}\n", load());
    line("", "target", "measured");
    if wanted("keys") || wanted("idle") {
        let house = House::with_the_large_story();
        if wanted("idle") {
            figures.extend(idle(&house));
        }
        if wanted("keys") {
            figures.extend(keys(&house));
        }
    }
    if wanted("typing") {
        figures.extend(typing());
    }
    if wanted("open") {
        figures.extend(open());
    }
    println!("\n{}", Value::Object(figures));
}

type Figures = Vec<(String, Value)>;

/// A newsroom with the large story, and a server that writes without end.
struct House {
    newsroom: Newsroom,
    _server: Server,
}

impl House {
    fn with_the_large_story() -> Self {
        let server = Server::start(|_| Reply::Slow(endless(), TOKEN, BETWEEN_TOKENS));
        let newsroom = Newsroom::at_with(&server.base(), |yaml| {
            // Room for a source of a megabyte and for an answer that takes as long as the measurement.
            yaml.replace("context_window: 32768", "context_window: 4000000")
                .replace("max_tokens: 8192", "max_tokens: 400000")
                .replace("timeout_seconds: 180", "timeout_seconds: 3600")
        });
        let database = newsroom.path().join("data/copydesk.db");
        fixture::with_store(&database, async |store| fixture::large_story(&store, "large", size()).await);
        Self { newsroom, _server: server }
    }

    fn story(&self) -> Terminal {
        let terminal = Terminal::start(&self.newsroom, &[], ROWS, COLS);
        act(&terminal, TO_THE_STORY);
        terminal
    }
}

/// A revision of ten minutes.
fn endless() -> String {
    let words = 200 * 600 * TOKEN / 6;
    let body = fixture::prose(words * 6).replace('"', "'");
    json!({
        "headline": "What streams: the council votes seven to two (draft 11)", "alternativeHeadline": "A park plan passes",
        "articleBody": body, "description": "The council approved a renovation."
    })
    .to_string()
}

fn act(terminal: &Terminal, acts: &[Act]) {
    for act in acts {
        match act {
            Press(keys) => drop(terminal.keys(keys)),
            See(text) => drop(terminal.wait_for(text)),
        }
    }
}

fn keys(house: &House) -> Figures {
    let floor = cat();
    let terminal = house.story();
    act(&terminal, TO_THE_KEYS);
    terminal.watch(WATCHED.0, WATCHED.1);
    let (written, updates, began) = (terminal.raw().len(), terminal.updates(), Instant::now());
    let mut times = Vec::new();
    for (key, number) in KEYS.iter().cycle().zip(0..presses()) {
        // Not in step with what streams in.
        std::thread::sleep(Duration::from_millis(15 + number as u64 * 37 % 50));
        times.push(milliseconds(terminal.time_to_change(key)));
    }
    let seconds = began.elapsed().as_secs_f64();
    let frames = as_f64(terminal.updates() - updates) / seconds;
    let bytes = as_f64((terminal.raw().len() - written) as u64) / seconds / 1024.0;
    times.sort_by(f64::total_cmp);
    let (p50, p99, most) = (share(&times, 50), share(&times, 99), share(&times, 100));
    line(&format!("key to frame, median of {}, while text streams", presses()), "", &format!("{p50:.2} ms"));
    line("key to frame, 99th percentile", "< 5 ms", &format!("{p99:.2} ms"));
    line("key to frame, slowest", "", &format!("{most:.2} ms"));
    line("the pseudo-terminal alone (cat), 99th percentile", "", &format!("{:.2} ms", share(&floor, 99)));
    line("frames a second meanwhile", "", &format!("{frames:.0}"));
    line("written to the terminal meanwhile", "", &format!("{bytes:.0} KiB/s"));
    figures(&[
        ("key_p50_ms", p50),
        ("key_p99_ms", p99),
        ("key_max_ms", most),
        ("cat_p99_ms", share(&floor, 99)),
        ("frames_per_s", frames),
        ("kib_per_s", bytes),
    ])
}

/// Letters typed into a long draft at its gate. Every one of them makes the proof begin anew.
fn typing() -> Figures {
    let newsroom = Newsroom::offline();
    let source = fixture::prose(words() * 8);
    let draft: Vec<&str> = source.split_inclusive(' ').take(words()).collect();
    fs::write(newsroom.path().join("draft.md"), format!("# A long draft\n\n{}", draft.concat())).unwrap();
    fs::write(newsroom.path().join("notes.txt"), &source).unwrap();
    let arguments = ["check", "draft.md", "--source", "notes.txt", "--open"];
    let terminal = Terminal::start(&newsroom, &arguments, ROWS, COLS);
    act(&terminal, &[See("waits for you"), Press("e"), See("esc Cancel")]);
    terminal.watch(WATCHED_TEXT.0, WATCHED_TEXT.1);
    let mut times: Vec<f64> = (0..typed())
        .map(|number| {
            // A quick typist, not in step with the proof.
            std::thread::sleep(Duration::from_millis(40 + number as u64 * 37 % 90));
            milliseconds(terminal.time_to_change(LETTERS[number % LETTERS.len()]))
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let (p50, p99, most) = (share(&times, 50), share(&times, 99), share(&times, 100));
    line(
        &format!("letter to frame, median of {}, while the proof runs on {} words", typed(), words()),
        "",
        &format!("{p50:.2} ms"),
    );
    line("letter to frame, 99th percentile", "< 5 ms", &format!("{p99:.2} ms"));
    line("letter to frame, slowest", "", &format!("{most:.2} ms"));
    figures(&[("typing_p50_ms", p50), ("typing_p99_ms", p99), ("typing_max_ms", most)])
}

/// What a terminal costs whose program only repeats each key, inside an update of its own.
fn cat() -> Vec<f64> {
    let program = Program {
        path: PathBuf::from("/bin/sh"),
        // One byte in, one update out, whose last character is that byte.
        arguments: vec!["-c".into(), "stty raw -echo; printf 'ready'; exec cat".into()],
        folder: std::env::temp_dir(),
        environment: Vec::new(),
    };
    let terminal = Terminal::run(&program, ROWS, COLS);
    terminal.wait_for("ready");
    terminal.watch(0..1, 0..1);
    let mut times: Vec<f64> = (0..presses())
        .map(|number| {
            std::thread::sleep(Duration::from_millis(2));
            let key = format!("\"\x1b[?2026h\x1b[1;1H{}\x1b[?2026l\"", ['a', 'b'][number % 2]);
            milliseconds(terminal.time_to_change(&key))
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times
}

fn idle(house: &House) -> Figures {
    let terminal = house.story();
    terminal.settle(Duration::from_secs(2));
    let (written, updates, used) = (terminal.raw().len(), terminal.updates(), cpu(terminal.pid()));
    std::thread::sleep(idle_for());
    let (bytes, draws) = (terminal.raw().len() - written, terminal.updates() - updates);
    let used = cpu(terminal.pid()).zip(used).map(|(now, before)| now.saturating_sub(before));
    let share = used.map(|used| 100.0 * used.as_secs_f64() / idle_for().as_secs_f64());
    let seconds = idle_for().as_secs();
    line(&format!("idle for {seconds} s: draws"), "0", &format!("{draws}"));
    line(&format!("idle for {seconds} s: bytes written"), "0", &format!("{bytes}"));
    line("idle: share of a core", "< 0.5 %", &share.map_or("unknown".into(), |share| format!("{share:.3} %")));
    let mut figures = figures(&[("idle_draws", as_f64(draws)), ("idle_bytes", as_f64(bytes as u64))]);
    figures.push(("idle_core_percent".into(), json!(share)));
    figures
}

fn open() -> Figures {
    let newsroom = Newsroom::offline();
    let database = newsroom.path().join("data/copydesk.db");
    let began = Instant::now();
    fixture::with_store(&database, async |store| fixture::desk(&store, stories()).await);
    let filled = began.elapsed().as_secs_f64();
    let size = fs::metadata(&database).expect("the database").len() >> 20;
    let mut times: Vec<f64> = (0..openings())
        .map(|_| {
            let terminal = Terminal::start(&newsroom, &[], ROWS, COLS);
            terminal.wait_for(DESK_IS_THERE);
            let updated = terminal.updated().expect("a screen is drawn in synchronised updates");
            act(&terminal, LEAVE);
            assert_eq!(terminal.exit_code(), 0, "it leaves in order");
            milliseconds(updated - terminal.started)
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let (median, most) = (share(&times, 50), share(&times, 100));
    line(
        &format!("a desk of {} stories: open, median of {}", stories(), openings()),
        "< 150 ms",
        &format!("{median:.1} ms"),
    );
    line("the same: open, slowest", "", &format!("{most:.1} ms"));
    line(&format!("(its database: {size} MiB, filled in {filled:.1} s)"), "", "");
    figures(&[("open_median_ms", median), ("open_max_ms", most)])
}

/// Time that all threads of a process were on a core; none where the system does not say.
fn cpu(pid: i32) -> Option<Duration> {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).ok()?;
    let times = tasks.map(|task| {
        let text = fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse::<u64>().ok()
    });
    times.sum::<Option<u64>>().map(Duration::from_nanos)
}

fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().next().unwrap_or("unknown").to_owned()
}

fn line(what: &str, target: &str, figure: &str) {
    println!("{what:<58} {target:>10} {figure:>12}");
}

fn figures(figures: &[(&str, f64)]) -> Figures {
    figures.iter().map(|(name, figure)| ((*name).to_owned(), json!(figure))).collect()
}

/// The smallest figure that so many per cent of all (in order) do not exceed.
fn share(figures: &[f64], percent: usize) -> f64 {
    figures[(figures.len() * percent).div_ceil(100).saturating_sub(1)]
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn as_f64(count: u64) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}
