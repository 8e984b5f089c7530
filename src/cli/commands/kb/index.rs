//! `copydesk kb index`: the index is made what the folder and the stories are, vectors too.

use std::time::{Duration, Instant};

use serde_json::json;

use super::status::{stock_json, stock_words, with_vectors};
use crate::cli::prelude::*;
use crate::cli::wiring::embedder;
use crate::knowledge::{self, VectorError};
use crate::ports::{Embedder, Index as _, Shelf as _, Stock};
use crate::text::count;

#[derive(Debug, Args)]
pub(crate) struct IndexArgs {
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Try once more to read the files that stopped their reader.
    #[arg(long)]
    again: bool,
}

/// Ctrl-C leaves what is done, and says how far that is.
pub(crate) async fn index(settings: &Settings, store: &Store, arguments: &IndexArgs) -> Result<Exit> {
    tokio::select! {
        ended = bring_up_to_date(settings, store, arguments) => ended,
        _ = tokio::signal::ctrl_c() => {
            headless::message(&stopped(&store.stock().await?));
            Ok(Exit::Interrupted)
        }
    }
}

fn stopped(stock: &Stock) -> String {
    let files = count(stock.files, "file");
    let vectors = stock.embedder.as_ref().map_or_else(String::new, |_| format!(", {}", with_vectors(stock)));
    format!("Stopped: {files} read{vectors}. `copydesk kb index` continues from there")
}

async fn bring_up_to_date(settings: &Settings, store: &Store, arguments: &IndexArgs) -> Result<Exit> {
    let generation = &settings.article_generation;
    let base = &generation.knowledge_base;
    if arguments.again {
        store.forget_stopped().await?;
    }
    let (bar, began) = (headless::Bar::new("reading", "files"), Instant::now());
    let refreshed =
        knowledge::refresh(store, base, &generation.encoding, &bar.progress()).await.inspect(|_| bar.end())?;
    headless::messages(pace(refreshed.read, began.elapsed()));
    if refreshed.missing {
        let folder = sanitise::one_line(&base.data_dir.path.display().to_string());
        let nothing = format!(
            "the folder {folder} does not exist: make it and put the files in, or change knowledge_base.data_dir"
        );
        return Err(wrong_use(knowledge::absence(&base.data_dir.path, refreshed.files).unwrap_or(nothing)));
    }
    let mut problems = refreshed.problems.clone();
    let library = wiring::library(settings, store);
    problems.extend(knowledge::shelve_stories(store, store, &library).await?);
    let vectors = vectors(settings, store).await;
    match vectors {
        Ok(refused) => problems.extend(refused),
        Err(error) => problems.push(error.to_string()),
    }
    headless::messages(&problems);
    let stock = store.stock().await?;
    if arguments.json {
        let object = json!({
            "files": refreshed.files, "read": refreshed.read, "forgotten": refreshed.forgotten, "problems": problems,
            "index": stock_json(&stock, &store.version().await?),
        });
        headless::json(&object)?;
    } else {
        let read = count(refreshed.read, "file");
        headless::data(&format!(
            "{read} read, {} unchanged, {} removed.",
            refreshed.files - refreshed.read,
            refreshed.forgotten
        ))?;
        headless::data(&stock_words(&stock, base.embedding.is_some()).join("\n"))?;
    }
    Ok(if problems.is_empty() { Exit::Fine } else { Exit::Failed })
}

/// How long so many files took, and how many that is in a second; none if it was short.
fn pace(files: usize, took: Duration) -> Option<String> {
    let millis = took.as_millis();
    let rate = files as u128 * 1_000 / millis.max(1);
    let took = format!("{}.{} s", millis / 1_000, millis % 1_000 / 100);
    (files > 0 && millis >= 1_000).then(|| format!("Read {} in {took}, {rate} a second", count(files, "file")))
}

/// Makes the vectors that are missing, where an embedder is configured. Returns what is to be said of passages that got none.
async fn vectors(settings: &Settings, store: &Store) -> Result<Vec<String>, VectorError> {
    let Some(embedder): Option<Arc<dyn Embedder>> = embedder::embedder(settings).await? else { return Ok(Vec::new()) };
    let bar = headless::Bar::new("embedding", "passages");
    let waiting = knowledge::waiting(&store.stock().await?, embedder.as_ref());
    bar.at(0, waiting);
    let done = knowledge::embed_all(store, &embedder, &|done| bar.at(done, waiting.max(done))).await;
    bar.end();
    done.map(|done| done.problems)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_took_a_while_says_how_long_and_how_fast() {
        let told = pace(1_500, Duration::from_millis(6_240));
        assert_eq!(told.as_deref(), Some("Read 1500 files in 6.2 s, 240 a second"));
        assert_eq!((pace(9, Duration::from_millis(999)), pace(0, Duration::from_secs(9))), (None, None));
    }
}
