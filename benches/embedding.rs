//! What embedding in process costs.
//!
//!     cargo bench --bench embedding -- FOLDER [TEXTS]
//!
//! FOLDER holds a sentence-transformers model. TEXTS is a file of JSON lines with `text` and perhaps `title`, as BEIR's `corpus.jsonl`; of
//! it the first thousand are embedded. Without it, passages of the topics that the repository ships are.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a bench prints its figures, and stops where its own scaffolding breaks"
)]

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use copydesk::{knowledge::Minilm, ports::Embedder};
use serde_json::Value;

const MOST: usize = 1000;
const QUERIES: u32 = 100;

fn main() {
    // Cargo adds `--bench`, and gives what is meant for another bench to all.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let Some(folder) = arguments.first().filter(|argument| Path::new(argument).is_dir()) else {
        println!("not run: name the folder of a model");
        return;
    };
    let texts = arguments.get(1).map_or_else(topics, |file| corpus(Path::new(file)));
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(measure(folder, texts));
}

async fn measure(folder: &str, texts: Vec<String>) {
    let began = Instant::now();
    let embedder = Minilm::open(Path::new(folder)).await.unwrap();
    println!("{}\nopened in {:.0?}", embedder.identity(), began.elapsed());
    let began = Instant::now();
    embedder.embed(vec!["The council voted.".to_owned()]).await.unwrap();
    println!("weights and first vector in {:.0?}", began.elapsed());
    let began = Instant::now();
    let count = u32::try_from(texts.len()).unwrap();
    embedder.embed(texts).await.unwrap();
    println!("{count} texts, {:.1} a second", f64::from(count) / began.elapsed().as_secs_f64());
    let mut each: Vec<Duration> = Vec::new();
    for number in 0..QUERIES {
        let query = format!("Did the council vote to close bridge {number} to lorries at night?");
        let began = Instant::now();
        embedder.embed(vec![query]).await.unwrap();
        each.push(began.elapsed());
    }
    each.sort();
    println!("a query: {:.1?} at the median", each.get(each.len() / 2).unwrap());
}

/// Passages of two paragraphs, over and over.
fn topics() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/topics");
    let texts: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let topic: Value = serde_json::from_slice(&fs::read(entry.unwrap().path()).unwrap()).unwrap();
            topic["source_text"].as_str().unwrap().to_owned()
        })
        .collect();
    let paragraphs: Vec<&str> = texts.iter().flat_map(|text| text.split("\n\n")).collect();
    paragraphs.chunks(2).map(|two| two.join("\n\n")).cycle().take(MOST).collect()
}

fn corpus(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap();
    let rows = text.lines().take(MOST).map(|line| serde_json::from_str::<Value>(line).unwrap());
    rows.map(|row| format!("{} {}", row["title"].as_str().unwrap_or(""), row["text"].as_str().unwrap())).collect()
}
