//! `copydesk kb`: the knowledge base and the search: bringing the index up to date, searching, how it stands.

use std::{path::Path, sync::Arc};

use anyhow::Result;
use clap::{Args, Subcommand, ValueEnum};
use jiff::civil::Date;
use serde_json::json;

use super::{Exit, WrongUse, embedder, settings, story, wiring};
use crate::{
    config::Settings,
    headless::{self, Paint},
    knowledge::{self, VectorError},
    newsroom::Tier,
    ports::{Area, Embedder, Filter, Index as _, Passages as _, Query, Stock},
    store::Store,
    text::{count, sanitise},
};

/// Arguments of `kb`.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Bring the index up to date: what changed in the folder is read, what is gone is taken out, vectors are made.
    Index(IndexArguments),
    /// Find the passages that bear on a question or a claim.
    Search(SearchArguments),
    /// Say what is indexed, how, and what is missing.
    Status(StatusArguments),
}

#[derive(Debug, Args)]
struct IndexArguments {
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct StatusArguments {
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct SearchArguments {
    /// What is asked: any text.
    #[arg(required = true)]
    query: Vec<String>,
    /// Where is searched.
    #[arg(long = "in", value_enum, default_value_t, value_name = "WHERE")]
    within: Where,
    /// Only the texts of this story.
    #[arg(long, conflicts_with = "within")]
    story: Option<String>,
    /// The least credibility, from 0 to 1; otherwise `knowledge_base.min_credibility`.
    #[arg(long, value_name = "NUMBER")]
    min_credibility: Option<f64>,
    /// Only what was published on this day or later.
    #[arg(long, value_name = "DAY")]
    from: Option<Date>,
    /// Only what was published on this day or earlier.
    #[arg(long, value_name = "DAY")]
    until: Option<Date>,
    /// Most passages; otherwise `knowledge_base.top_k`.
    #[arg(short = 'k', long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..=200))]
    top: Option<u16>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Where {
    /// Everywhere.
    #[default]
    All,
    /// In the knowledge base.
    Knowledge,
    /// In the sources of stories.
    Sources,
    /// In the desk's articles.
    Articles,
    /// In the pages that searches outside cited.
    Evidence,
}

pub(super) async fn kb(config: Option<&Path>, arguments: Arguments) -> Result<Exit> {
    let settings = settings::load(config)?;
    let store = wiring::store(&settings)?;
    match arguments.what {
        What::Index(arguments) => index(&settings, &store, &arguments).await,
        What::Search(arguments) => search(&settings, &store, &arguments).await,
        What::Status(arguments) => status(&settings, &store, &arguments).await,
    }
}

async fn index(settings: &Settings, store: &Store, arguments: &IndexArguments) -> Result<Exit> {
    let generation = &settings.article_generation;
    let base = &generation.knowledge_base;
    let bar = headless::Bar::new("files");
    let refreshed = knowledge::refresh(store, base, &generation.encoding, &|done, all| bar.at(done, all))
        .await
        .inspect(|_| bar.end())?;
    if refreshed.missing {
        let folder = sanitise::one_line(&base.data_dir.path.display().to_string());
        return Err(WrongUse(format!(
            "the folder {folder} does not exist: make it and put the files in, or change knowledge_base.data_dir"
        ))
        .into());
    }
    let mut problems = refreshed.problems.clone();
    let library = wiring::library(settings, store);
    problems.extend(knowledge::shelve_stories(store, store, &library, &|_| {}).await?);
    let vectors = vectors(settings, store).await;
    if let Err(error) = &vectors {
        problems.push(error.to_string());
    }
    for problem in &problems {
        headless::message(problem);
    }
    let stock = store.stock().await?;
    if arguments.json {
        let object = json!({
            "files": refreshed.files, "read": refreshed.read, "forgotten": refreshed.forgotten, "problems": problems,
            "index": stock_json(&stock, &store.version().await?),
        });
        headless::data(&serde_json::to_string_pretty(&object)?)?;
    } else {
        let read = count(refreshed.read, "file");
        headless::data(&format!(
            "{read} read, {} unchanged, {} taken out.",
            refreshed.files - refreshed.read,
            refreshed.forgotten
        ))?;
        headless::data(&stock_words(&stock).join("\n"))?;
    }
    Ok(if problems.is_empty() { Exit::Fine } else { Exit::Failed })
}

/// Makes the vectors that are missing, where an embedder is configured.
async fn vectors(settings: &Settings, store: &Store) -> Result<(), VectorError> {
    let Some(embedder): Option<Arc<dyn Embedder>> = embedder::embedder(settings).await? else { return Ok(()) };
    let bar = headless::Bar::new("vectors");
    let waiting = usize::try_from(store.stock().await?.without_vector).unwrap_or(usize::MAX);
    let done = knowledge::embed_all(store, &embedder, &|done| bar.at(done, waiting.max(done))).await;
    bar.end();
    done.map(|_| ())
}

async fn search(settings: &Settings, store: &Store, arguments: &SearchArguments) -> Result<Exit> {
    let base = &settings.article_generation.knowledge_base;
    let min_credibility = arguments.min_credibility.unwrap_or(base.min_credibility);
    if !(0.0..=1.0).contains(&min_credibility) {
        return Err(WrongUse("--min-credibility: a number from 0 to 1 belongs there".into()).into());
    }
    let areas = match &arguments.story {
        Some(name) => {
            let (_, run) = story::run(store, name).await?;
            let key = story::key(&run)?;
            vec![Area::Story { story: key, texts: None }]
        }
        None => arguments.within.areas(),
    };
    let query = Query {
        text: arguments.query.join(" "),
        areas,
        filter: Filter {
            min_credibility,
            from: arguments.from.map(|day| day.to_string()),
            until: arguments.until.map(|day| day.to_string()),
        },
        count: arguments.top.map_or(base.top_k, usize::from),
    };
    let found = wiring::library(settings, store).search(&query).await?;
    if let Some(why) = &found.words_only {
        headless::message(&sanitise::one_line(why));
    }
    if arguments.json {
        headless::data(&headless::hits_json(&query.text, &found)?)?;
        return Ok(Exit::Fine);
    }
    if found.hits.is_empty() {
        let stock = store.stock().await?;
        let empty = stock.passages + stock.story_passages == 0;
        headless::message(if empty {
            "Nothing is indexed yet: put files into knowledge_base.data_dir, then copydesk kb index."
        } else {
            "Nothing was found. Fewer conditions (--in all, --min-credibility 0) or other words may find more."
        });
        return Ok(Exit::Fine);
    }
    headless::data(&headless::hits_lines(&found, Paint::Plain))?;
    Ok(Exit::Fine)
}

impl Where {
    fn areas(self) -> Vec<Area> {
        let stories = |tiers: &[Tier]| Area::Stories { tiers: tiers.to_vec() };
        match self {
            Self::All => vec![Area::Knowledge, stories(&[])],
            Self::Knowledge => vec![Area::Knowledge],
            Self::Sources => vec![stories(&[Tier::Source])],
            Self::Articles => vec![stories(&[Tier::Article])],
            Self::Evidence => vec![stories(&[Tier::Evidence])],
        }
    }
}

async fn status(settings: &Settings, store: &Store, arguments: &StatusArguments) -> Result<Exit> {
    let stock = store.stock().await?;
    let version = store.version().await?;
    let base = &settings.article_generation.knowledge_base;
    let configured = base.embedding.is_some();
    if arguments.json {
        let mut object = stock_json(&stock, &version);
        if let Some(object) = object.as_object_mut() {
            object.insert("folder".into(), json!(base.data_dir.path));
            object.insert("embedder_configured".into(), json!(configured));
        }
        headless::data(&serde_json::to_string_pretty(&object)?)?;
        return Ok(Exit::Fine);
    }
    let folder = sanitise::one_line(&base.data_dir.path.display().to_string());
    let mut lines = vec![format!("Folder: {folder}")];
    lines.extend(stock_words(&stock));
    if !configured {
        lines.push("No embedder is configured (knowledge_base.embedding): full text alone serves.".into());
    }
    lines.push(format!("Version of the index: {version}"));
    headless::data(&lines.join("\n"))?;
    Ok(Exit::Fine)
}

fn stock_json(stock: &Stock, version: &str) -> serde_json::Value {
    json!({
        "files": stock.files, "passages": stock.passages, "story_texts": stock.story_texts,
        "story_passages": stock.story_passages, "without_vector": stock.without_vector,
        "embedder": stock.embedder.as_ref().map(|(identity, _)| identity),
        "dimension": stock.embedder.as_ref().map(|(_, length)| length), "kb_index_version": version,
    })
}

fn stock_words(stock: &Stock) -> Vec<String> {
    let mut lines = vec![
        format!("Knowledge base: {} in {}.", count(stock.passages, "passage"), count(stock.files, "file")),
        format!("Stories: {} in {}.", count(stock.story_passages, "passage"), count(stock.story_texts, "text")),
    ];
    if let Some((identity, length)) = &stock.embedder {
        let missing = match stock.without_vector {
            0 => "every passage has its vectors".to_owned(),
            missing => format!("{} without a vector", count(missing, "passage")),
        };
        lines.push(format!("Vectors: {missing}; {length} numbers each, by {}.", sanitise::one_line(identity)));
    }
    lines
}
