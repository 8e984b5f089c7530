//! `copydesk-eval retrieval`: the search on a collection of questions and texts, by its words, by vectors, by both.

use std::{
    collections::{BTreeMap, HashSet},
    sync::Arc,
    time::Instant,
};

use anyhow::Context as _;
use copydesk::{
    cli::wiring::{self, embedder, settings},
    config::{self, DatabasePlace},
    knowledge::{By, Chunking, Library, Markup, embed_all},
    newsroom::Tier,
    ports::{Area, Embedder, Filter, KnowledgeFile, NewDocument, Query, Shelf as _},
    store::Store,
};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use serde_json::Value;

use crate::prelude::*;
use crate::{
    basis,
    beir::{self, JudgedQuestion},
    evaluation::{TablesAndUnits, count},
    kept::{EvalDone, EvalOutput},
    ranking::{self, Measures},
};

/// Texts that are cut or written at once.
const AT_ONCE: usize = 32;

/// Passages that are ranked. The first ten texts among them are measured: a text can have several passages.
const RANKED: usize = 100;

#[derive(Debug, Args)]
pub(crate) struct RetrievalEvalArgs {
    /// A folder in BEIR's layout: corpus.jsonl, queries.jsonl, qrels/test.tsv.
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// Which judgements are measured: settings are chosen on train, reported on test.
    #[arg(long, value_name = "NAME", default_value = "test")]
    split: String,
    /// Embed with the model in this folder, whatever the configuration says.
    #[arg(long, value_name = "DIR")]
    model_dir: Option<PathBuf>,
    /// Search in this database, which must be empty, such as a new schema of a PostgreSQL server [default: a file that is deleted again].
    #[arg(long, value_name = "PLACE")]
    database: Option<String>,
    #[command(flatten)]
    output: EvalOutput,
}

pub(crate) async fn measure(config: Option<&Path>, arguments: &RetrievalEvalArgs) -> Result<EvalDone> {
    let settings = settings(config)?;
    let house = wiring::house(&settings, "eval retrieval");
    house.during(measured(&settings, arguments)).await
}

async fn measured(settings: &Settings, arguments: &RetrievalEvalArgs) -> Result<EvalDone> {
    let embedder: Option<Arc<dyn Embedder>> = match &arguments.model_dir {
        Some(folder) => Some(embedder::of_folder(folder).await?),
        None => embedder::embedder(settings).await?,
    };
    let (folder, split) = (arguments.data.clone(), arguments.split.clone());
    let judged = tokio::task::spawn_blocking(move || beir::judged(&folder, &split)).await??;
    let own = tempfile::tempdir().context("no temporary folder can be made for the index")?;
    let place = match &arguments.database {
        Some(named) => DatabasePlace::named(named).map_err(|problem| anyhow::anyhow!("--database {problem}"))?,
        None => DatabasePlace::File(own.path().join("index.db")),
    };
    let store = wiring::store_at(&place)?;
    let begun = Instant::now();
    let texts = index(&store, settings, &arguments.data).await?;
    let mut indexed = begun.elapsed().as_secs_f64();
    let library = wiring::library_with(settings, &store, embedder::opened(embedder.clone()));
    let mut asked = Vec::new();
    let mut scores = vec![ask(&library, &judged, By::Words, indexed, &mut asked).await?];
    let mut models = BTreeMap::new();
    if let Some(embedder) = embedder {
        models.insert("embedder".to_owned(), embedder.identity().to_owned());
        let begun = Instant::now();
        let bar = headless::Bar::new("embedding", "passages");
        let done = embed_all(&store, &embedder, &|done| bar.at(done, texts.max(done))).await?;
        bar.end();
        headless::messages(&done.problems);
        indexed += begun.elapsed().as_secs_f64();
        for by in [By::Vectors, By::Both] {
            scores.push(ask(&library, &judged, by, indexed, &mut asked).await?);
        }
    }
    let data = Some(basis::of_data(&arguments.data)?);
    let basis = EvalBasis { models, data, ..basis::of_program("none") };
    let mut evaluation = basis::begun("retrieval", "The search on judged questions", basis);
    (evaluation.tables, evaluation.units) = retrieval_evaluation(&scores, asked);
    evaluation.notes.push(format!("Split: {}.", arguments.split));
    arguments.output.publish(evaluation, Exit::Fine)
}

/// The settings, or the template's if there are none. Nothing is written for a measurement, and none fails because of the platform's
/// folder, which the person did not name.
fn settings(config: Option<&Path>) -> Result<Settings> {
    let file = match settings::find(config)? {
        settings::FoundConfig::File(file) => {
            let named = config.is_some() || file == Path::new(settings::LOCAL);
            match settings::read(&file) {
                Err(error) if !named => {
                    headless::message(&format!("{error:#}\nMeasured with the settings of the template."));
                    file
                }
                read => return read,
            }
        }
        settings::FoundConfig::Nowhere(file) => file,
    };
    settings::parsed(&file, config::TEMPLATE)
}

/// Cuts and indexes every text. Returns how many there are.
async fn index(store: &Store, settings: &Settings, folder: &Path) -> Result<usize> {
    let base = &settings.article_generation.knowledge_base;
    let chunking = Arc::new(Chunking {
        encoding: settings.article_generation.encoding.clone(),
        size: base.chunk_size_tokens,
        overlap: base.chunk_overlap_tokens,
    });
    let bar = headless::Bar::new("reading", "texts");
    let done = stream::iter(beir::corpus(folder)?)
        .map(|text| {
            let chunking = Arc::clone(&chunking);
            async move {
                let text = text?;
                let path = text.id.clone();
                let cut = move || {
                    let passages = chunking.cut(&text.body, Markup::Plain);
                    NewDocument {
                        name: text.id,
                        title: text.title,
                        tier: Tier::Knowledge,
                        credibility: 1.0,
                        passages,
                        text: text.body,
                        ..NewDocument::default()
                    }
                };
                let document = tokio::task::spawn_blocking(cut).await?;
                let file = KnowledgeFile { path, size: 0, modified: 0, digest: String::new() };
                store.index_file(file, document).await?;
                anyhow::Ok(())
            }
        })
        .buffer_unordered(AT_ONCE)
        .inspect_ok(|()| bar.more())
        .try_fold(0, |done, ()| async move { Ok(done + 1) })
        .await?;
    bar.end();
    if done == 0 {
        return Err(wrong_use("corpus.jsonl holds no text"));
    }
    Ok(done)
}

async fn ask(
    library: &Library,
    judged: &[JudgedQuestion],
    by: By,
    index_s: f64,
    asked: &mut Vec<Value>,
) -> Result<RetrievalScores> {
    let mode = match by {
        By::Words => "text",
        By::Vectors => "dense",
        By::Both => "fused",
    };
    let mut measured = Vec::new();
    let mut times = Vec::new();
    for question in judged {
        let query = Query {
            text: question.text.clone(),
            areas: vec![Area::Knowledge],
            filter: Filter::default(),
            count: RANKED,
        };
        let begun = Instant::now();
        let ranking = library.ranked(&query, by).await?;
        if let Some(why) = ranking.words_only {
            // Figures of words alone must not pass for those of vectors.
            anyhow::bail!("the search by vectors cannot be measured: {why}");
        }
        let ms = begun.elapsed().as_secs_f64() * 1000.0;
        times.push(ms);
        let mut seen = HashSet::new();
        // A text stands where the first of its passages does.
        let texts: Vec<&str> = ranking
            .passages
            .iter()
            .map(|ranked| ranked.passage.passage.file.as_str())
            .filter(|name| seen.insert(*name))
            .collect();
        let found = ranking::measure(&texts, &question.grades);
        asked.push(json!({"mode": mode, "measures": found, "ms": ms}));
        measured.extend(found);
    }
    Ok(RetrievalScores {
        mode,
        queries: measured.len(),
        measures: ranking::mean(&measured),
        index_s,
        query_ms_p50: ranking::percentile(&times, 0.5),
        query_ms_p95: ranking::percentile(&times, 0.95),
    })
}

/// The scores of one way of searching.
#[derive(Debug)]
struct RetrievalScores {
    /// `text`, `dense` or `fused`.
    mode: &'static str,
    /// Questions that were measured.
    queries: usize,
    /// The means over them.
    measures: Measures,
    /// Seconds until everything that this way needs was indexed.
    index_s: f64,
    /// Milliseconds a question: the median, and the time that 95 of 100 questions stay below.
    query_ms_p50: f64,
    query_ms_p95: f64,
}

/// The search. A unit is a question by one way of searching.
fn retrieval_evaluation(scores: &[RetrievalScores], asked: Vec<Value>) -> TablesAndUnits {
    let columns = [
        ("questions", ""),
        ("nDCG@10", ""),
        ("recall@5", ""),
        ("recall@10", ""),
        ("MRR@10", ""),
        ("index", "s"),
        ("question p50", "ms"),
        ("question p95", "ms"),
    ];
    let mut table = EvalTable::new("modes", "The search", "mode", &columns);
    for score in scores {
        let Measures { ndcg_10, recall_5, recall_10, mrr_10 } = score.measures;
        let mut cells = vec![count(score.queries)];
        cells.extend([ndcg_10, recall_5, recall_10, mrr_10].map(|value| EvalCell::number(Some(value), 3)));
        let times = [score.index_s, score.query_ms_p50, score.query_ms_p95];
        cells.extend(times.map(|value| EvalCell::number(Some(value), 2)));
        table.add(score.mode, score.mode, "", cells);
    }
    let times = scores.iter().map(|score| json!({"mode": score.mode, "index_s": score.index_s}));
    (vec![table], times.chain(asked).collect())
}
