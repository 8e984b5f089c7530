//! Vectors follow the words: what is indexed and has no vector yet gets one, a batch at a time.

use std::sync::Arc;

use super::chunking;
use crate::ports::{ChildVector, EmbedError, Embedder, Shelf, Stock, StoreError, Unembedded};

/// Passages that get their vectors at once: one transaction, and what is lost where it is interrupted.
const BATCH: usize = 64;

/// Why there are no vectors.
#[derive(Debug, thiserror::Error)]
pub enum VectorError {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The embedder failed. What has its vectors keeps them.
    #[error("{0}; the search goes on by words, and `copydesk kb index` goes on from here")]
    Embedder(#[from] EmbedError),
}

/// How many passages this embedder has to make vectors for: all, where those that are kept are another's.
#[must_use]
pub fn waiting(stock: &Stock, embedder: &dyn Embedder) -> usize {
    let its_own = stock.embedder.as_ref().is_some_and(|(identity, _)| identity == embedder.identity());
    let waiting = if its_own { stock.without_vector } else { stock.passages + stock.story_passages };
    usize::try_from(waiting).unwrap_or(usize::MAX)
}

/// Gives every passage that has none its vectors; those of another embedder are forgotten first. `progress` is told how many passages are
/// done. Interrupted, it goes on the next time.
///
/// # Errors
/// [`VectorError`]; passages done before keep their vectors.
pub async fn embed_all(
    shelf: &dyn Shelf,
    embedder: &Arc<dyn Embedder>,
    progress: &(dyn Fn(usize) + Send + Sync),
) -> Result<usize, VectorError> {
    let mut done = 0;
    let mut prepared = false;
    loop {
        let waiting = shelf.unembedded(BATCH).await?;
        if waiting.is_empty() && prepared {
            return Ok(done);
        }
        if !prepared {
            // The length is only known from a vector.
            let probe = embedder.embed(vec!["length".to_owned()]).await?;
            shelf.set_embedder(embedder.identity(), probe.first().map_or(0, Vec::len)).await?;
            prepared = true;
            continue;
        }
        let (passages, texts) = parts(&waiting);
        let vectors = embedder.embed(texts).await?;
        let vectors = passages.into_iter().zip(vectors).map(|(passage, vector)| ChildVector { passage, vector });
        shelf.keep_vectors(vectors.collect()).await?;
        done += waiting.len();
        progress(done);
    }
}

/// What is embedded: each part under its title, which says what a part speaks of that does not say it itself.
fn parts(waiting: &[Unembedded]) -> (Vec<i64>, Vec<String>) {
    waiting
        .iter()
        .flat_map(|passage| chunking::children(&passage.text).into_iter().map(move |part| (passage, part)))
        .map(|(passage, part)| (passage.passage, format!("{}\n{part}", passage.title)))
        .unzip()
}
