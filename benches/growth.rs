//! How costs grow: whole commands of the real binary on a desk, a source, a story and a crowd of more and more sizes.
//!
//!     cargo bench --bench growth
//!
//! Each chart has the median of some runs for each size, and the slope of a straight line through the logarithms of sizes and times: 1 is a
//! time that grows as the size does, 0 one that does not grow. A start of the program is in each time.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a bench that meets the unexpected should stop there and say so"
)]

#[allow(dead_code, reason = "each bench uses its share")]
mod fixture;
#[path = "../tests/support/newsroom.rs"]
#[allow(dead_code, reason = "the bench uses its share of the tests' support")]
mod newsroom;

mod sized;

use std::{
    process::Stdio,
    time::{Duration, Instant},
};

use fixture::Size;
use newsroom::Newsroom;
use sized::sized;

const DRAFT: &str = "The council voted seven to two on Tuesday to renovate the park. It sets $240,000 aside.\n";

fn main() {
    stories();
    sources();
    concerns();
    programs();
}

/// One more story, from its draft to its record, in a desk that has so many.
fn stories() {
    let times = sized(vec![10, 100, 1_000, 10_000], vec![3, 30]).into_iter().map(|stories| {
        let newsroom = Newsroom::offline();
        newsroom.ran(&["list"]);
        fixture::with_store(&newsroom.path().join("data/copydesk.db"), async |store| {
            fixture::desk(&store, stories).await;
        });
        let took = median(sized(7, 1), |turn| {
            let topic =
                newsroom.topic_with(|topic| topic["source_metadata"]["topic_slug"] = format!("more-{turn}").into());
            took(&newsroom, &["run", "--auto", topic.to_str().unwrap()])
        });
        (stories, took)
    });
    chart("one more story in a desk of so many stories", times.collect());
}

/// A source may have 16 MB: more than this comes in several files.
const FILE_BYTES: usize = 10_000_000;

/// A short draft, checked against sources of so many bytes.
fn sources() {
    let sizes = sized(vec![10_000, 100_000, 1_000_000, 10_000_000, 50_000_000], vec![1_000, 10_000]);
    let times = sizes.into_iter().map(|bytes| {
        let newsroom = Newsroom::offline();
        newsroom.write("draft.md", DRAFT.as_bytes());
        let mut command = vec!["check".to_owned(), "draft.md".to_owned()];
        let prose = fixture::prose(bytes);
        let mut rest = prose.as_str();
        while !rest.is_empty() {
            let (text, after) = rest.split_at(rest.floor_char_boundary(FILE_BYTES));
            let name = format!("source-{}.txt", after.len());
            newsroom.write(&name, text.as_bytes());
            command.extend(["--source".to_owned(), name]);
            rest = after;
        }
        let command: Vec<&str> = command.iter().map(String::as_str).collect();
        (bytes, median(sized(5, 1), |_| took(&newsroom, &command)))
    });
    chart("a short draft, checked against sources of so many bytes", times.collect());
}

/// A story of three drafts with so many concerns, read and shown.
fn concerns() {
    let times = sized(vec![5, 50, 500], vec![2, 5]).into_iter().map(|concerns| {
        let newsroom = Newsroom::offline();
        newsroom.ran(&["list"]);
        let count = u32::try_from(concerns).unwrap();
        let size = Size { source_bytes: 20_000, drafts: 3, concerns: count, events: 100 };
        fixture::with_store(&newsroom.path().join("data/copydesk.db"), async |store| {
            fixture::large_story(&store, "large", size).await;
        });
        (concerns, median(sized(7, 1), |_| took(&newsroom, &["show", "large"])))
    });
    chart("a story with so many concerns, shown", times.collect());
}

/// So many programs that each work a story on one desk, at once: the time of all of them for a story.
fn programs() {
    let times = sized(vec![1, 5, 10, 20], vec![1, 2]).into_iter().map(|programs| {
        let newsroom = Newsroom::offline();
        newsroom.ran(&["list"]);
        let each = median(sized(5, 1), |turn| {
            let topics = (0..programs).map(|number| {
                let slug = format!("story-{turn}-{number}");
                let topic = newsroom.topic_with(|topic| topic["source_metadata"]["topic_slug"] = slug.clone().into());
                newsroom.write(&format!("{slug}.json"), &std::fs::read(topic).unwrap())
            });
            let topics: Vec<_> = topics.collect();
            let began = Instant::now();
            let started = topics.iter().map(|topic| {
                let mut command = newsroom.command(&["run", "--auto", topic.to_str().unwrap()]);
                command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
            });
            for mut program in started.collect::<Vec<_>>() {
                assert!(program.wait().unwrap().success());
            }
            began.elapsed()
        });
        (programs, each)
    });
    chart("so many programs on one desk, each with a story, until the last has ended", times.collect());
}

/// How long one command takes as a whole. Findings are no failure.
fn took(newsroom: &Newsroom, arguments: &[&str]) -> Duration {
    let mut command = newsroom.command(arguments);
    let began = Instant::now();
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
    assert!(matches!(status.code(), Some(0 | 1)), "{arguments:?}: {status}");
    began.elapsed()
}

fn median(times: usize, run: impl FnMut(usize) -> Duration) -> Duration {
    let mut took: Vec<_> = (0..times).map(run).collect();
    took.sort();
    took[took.len() / 2]
}

#[expect(clippy::cast_precision_loss, reason = "sizes are far below 2^52")]
fn chart(what: &str, rows: Vec<(usize, Duration)>) {
    let points: Vec<(f64, f64)> =
        rows.iter().map(|(size, took)| ((*size as f64).ln(), took.as_secs_f64().ln())).collect();
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / points.len() as f64;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let slope = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum::<f64>()
        / points.iter().map(|point| (point.0 - x).powi(2)).sum::<f64>();
    println!("{what}; slope {slope:.2}");
    let most = rows.iter().map(|row| row.1).max().unwrap_or_default();
    for (size, took) in rows {
        // At most 40 blocks.
        let blocks = took.as_micros() * 40 / most.as_micros().max(1);
        let bar = "█".repeat(usize::try_from(blocks).unwrap_or(0).max(1));
        println!("{size:>10} {:>9.1} ms {bar}", took.as_secs_f64() * 1000.0);
    }
    println!();
}
