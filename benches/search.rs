//! The search: a thousand files indexed; a hundred thousand passages found by their words, by vectors, by both.
//!
//! `cargo bench --bench search`. Texts are made of words whose frequencies fall as those of a language do (Zipf), vectors point anywhere: an
//! index is as slow with them as with others, and nothing has to be fetched. Vectors cost an embedder what it costs; it is not measured here.

#![allow(clippy::unwrap_used, missing_docs, reason = "a bench that meets the unexpected should stop there and say so")]
#![allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "numbers of chance, of which nobody asks more than that they are many"
)]

mod sized;

use std::{fmt::Write as _, sync::LazyLock};

use async_trait::async_trait;
use copydesk::{
    config,
    knowledge::{By, Chunking, Library, refresh},
    newsroom::Tier,
    ports::{
        Area, ChildVector, EmbedError, Embedder, Filter, KnowledgeFile, NewDocument, NewPassage, Query, Shelf as _,
        WorkProgress,
    },
    store::Store,
};
use divan::Bencher;
use sized::sized;
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};

fn passages() -> usize {
    sized(100_000, 400)
}

const DIMENSION: usize = 384;
const WORDS: f64 = 60_000.0;

fn main() {
    divan::main();
}

/// Numbers that look like chance and are the same each time.
struct Chance(u64);

impl Chance {
    /// From 0 to 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A word whose rank is drawn by Zipf's law.
    fn word(&mut self) -> u64 {
        WORDS.powf(self.next()) as u64
    }

    fn text(&mut self, words: usize) -> String {
        (0..words).fold(String::new(), |mut text, place| {
            let end = if place % 18 == 17 { ". " } else { " " };
            write!(text, "w{}{end}", self.word()).unwrap();
            text
        })
    }

    /// Ten words as somebody asks: the most frequent ones, of which a language has some thirty, are no part of a query's words.
    fn question(&mut self) -> String {
        let words = std::iter::repeat_with(|| self.word()).filter(|rank| *rank > 33).take(10);
        words.fold(String::new(), |mut text, word| {
            write!(text, "w{word} ").unwrap();
            text
        })
    }

    fn vector(&mut self) -> Vec<f32> {
        let vector: Vec<f32> = (0..DIMENSION).map(|_| (self.next() + self.next() - 1.0) as f32).collect();
        let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
        vector.into_iter().map(|value| value / length).collect()
    }
}

/// Gives a vector of chance to each text.
struct Anywhere;

#[async_trait]
impl Embedder for Anywhere {
    fn identity(&self) -> &'static str {
        "anywhere"
    }

    async fn embed(&self, texts: Vec<String>) -> Result<Vec<Vec<f32>>, EmbedError> {
        Ok(texts.iter().map(|text| Chance(text.len() as u64 * 7919).vector()).collect())
    }
}

struct Collection {
    _folder: TempDir,
    runtime: Runtime,
    library: Library,
}

static COLLECTION: LazyLock<Collection> = LazyLock::new(|| {
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("index.db")).unwrap();
    runtime.block_on(fill(&store));
    let chunking = Chunking { encoding: "o200k_base".into(), size: 500, overlap: 50 };
    let open = Box::new(|| {
        let embedder: std::sync::Arc<dyn Embedder> = std::sync::Arc::new(Anywhere);
        Box::pin(std::future::ready(Ok(Some(embedder)))) as _
    });
    let library = Library::new(std::sync::Arc::new(store.clone()), std::sync::Arc::new(store), open, chunking);
    Collection { _folder: folder, runtime, library }
});

async fn fill(store: &Store) {
    let mut chance = Chance(7);
    store.set_embedder("anywhere", DIMENSION).await.unwrap();
    for number in 0..passages() / 20 {
        let mut text = String::new();
        let mut passages = Vec::new();
        for _ in 0..20 {
            let start = text.len() as u64;
            text.push_str(&chance.text(110));
            passages.push(NewPassage { start, end: text.len() as u64, heading: String::new(), tokens: 300 });
        }
        let name = format!("file{number}.txt");
        let document = NewDocument {
            name: name.clone(),
            title: chance.text(8),
            tier: Tier::Knowledge,
            credibility: 0.9,
            text,
            passages,
            ..NewDocument::default()
        };
        store
            .index_file(KnowledgeFile { path: name, size: 0, modified: 0, digest: String::new() }, document)
            .await
            .unwrap();
    }
    loop {
        let waiting = store.unembedded(2000).await.unwrap();
        if waiting.is_empty() {
            return;
        }
        let vectors =
            waiting.into_iter().map(|waiting| ChildVector { passage: waiting.passage, vector: chance.vector() });
        store.keep_vectors("anywhere", vectors.collect()).await.unwrap();
    }
}

fn ask(bencher: Bencher<'_, '_>, by: By) {
    let collection = &*COLLECTION;
    // Each kind has questions of its own: the library remembers the answers to earlier ones.
    let mut chance = Chance(99 + by as u64);
    bencher.with_inputs(|| chance.question()).bench_local_values(|text| {
        let query = Query {
            text,
            areas: vec![Area::Knowledge],
            filter: Filter { min_credibility: 0.7, ..Filter::default() },
            count: 10,
        };
        collection.runtime.block_on(collection.library.ranked(&query, by)).unwrap()
    });
}

#[divan::bench(sample_count = 200)]
fn text_of_100_000_passages(bencher: Bencher<'_, '_>) {
    ask(bencher, By::Words);
}

#[divan::bench(sample_count = 200)]
fn dense_of_100_000_passages(bencher: Bencher<'_, '_>) {
    ask(bencher, By::Vectors);
}

#[divan::bench(sample_count = 200)]
fn fused_of_100_000_passages(bencher: Bencher<'_, '_>) {
    ask(bencher, By::Both);
}

/// A thousand files of twelve sentences, some 1,400 bytes, read, cut and indexed by their words; the tokenizer's table is read before.
#[divan::bench(sample_count = 5)]
fn index_1_000_files(bencher: Bencher<'_, '_>) {
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let files = folder.path().join("data/knowledgebase");
    std::fs::create_dir_all(&files).unwrap();
    let mut chance = Chance(3);
    let prose = include_str!("../assets/drafts/miller-park-renovation.md").repeat(2);
    let sentences: Vec<&str> = prose.split_inclusive(". ").collect();
    let count = sized(1000, 10);
    for number in 0..count {
        let from = (chance.next() * sentences.len() as f64 / 2.0) as usize;
        let text = sentences.iter().skip(from).take(12).fold(String::new(), |text, sentence| text + sentence);
        std::fs::write(files.join(format!("file{number}.txt")), text).unwrap();
    }
    let settings = config::load(&folder.path().join("config.yaml"), config::TEMPLATE, folder.path()).unwrap();
    let base = settings.article_generation.knowledge_base;
    assert_eq!(copydesk::text::tokens::count("o200k_base", "warm"), 1);
    let mut number = 0;
    bencher
        .with_inputs(|| {
            number += 1;
            Store::open(&folder.path().join(format!("{number}.db"))).unwrap()
        })
        .bench_local_values(|store| {
            let done = runtime.block_on(refresh(&store, &base, "o200k_base", &WorkProgress::default())).unwrap();
            assert_eq!(done.read, count);
            store
        });
}
