//! The embedder that the configuration names.

use std::{path::Path, sync::Arc, time::Duration};

use crate::{
    config::{Embedding, Settings},
    knowledge::Open,
    llm::Embeddings,
    ports::{EmbedError, Embedder},
};

/// The configured embedder; none if full text alone serves. A server is not asked yet. A folder's small files are read and the digest
/// of its weights is taken, off the runtime's thread; its weights are read for the first text.
///
/// # Errors
/// [`EmbedError`] if the folder is not what it should be.
pub async fn embedder(settings: &Settings) -> Result<Option<Arc<dyn Embedder>>, EmbedError> {
    match &settings.article_generation.knowledge_base.embedding {
        None => Ok(None),
        Some(Embedding::Server(_)) => Ok(server(settings).map(|server| Arc::new(server) as Arc<dyn Embedder>)),
        Some(Embedding::Folder { model_dir }) => of_folder(model_dir).await.map(Some),
    }
}

/// The embedder of a folder with a model's weights.
///
/// # Errors
/// [`EmbedError`] if its files cannot be used, or this build has no embedding of its own.
#[cfg_attr(not(feature = "embedding"), expect(clippy::unused_async, reason = "the same function as with the feature"))]
pub async fn of_folder(model_dir: &Path) -> Result<Arc<dyn Embedder>, EmbedError> {
    #[cfg(feature = "embedding")]
    return Ok(Arc::new(crate::knowledge::Minilm::open(model_dir).await?));
    #[cfg(not(feature = "embedding"))]
    {
        let _ = model_dir;
        Err(EmbedError::NotBuiltIn)
    }
}

/// Opens the configured embedder when it is asked for.
pub(crate) fn open(settings: Settings) -> Open {
    let settings = Arc::new(settings);
    Box::new(move || {
        let settings = Arc::clone(&settings);
        Box::pin(async move { embedder(&settings).await })
    })
}

/// An embedder that is open already, or that none is.
pub fn opened(embedder: Option<Arc<dyn Embedder>>) -> Open {
    Box::new(move || Box::pin(std::future::ready(Ok(embedder.clone()))))
}

/// The configured embedder, if it is a server.
fn server(settings: &Settings) -> Option<Embeddings> {
    let generation = &settings.article_generation;
    let server = generation.knowledge_base.embedding_server()?;
    Some(
        Embeddings::new(server.clone(), settings.secrets(), settings.privacy.local_only)
            .within(settings.desk.servers.clone()),
    )
}

/// Makes one vector, asking a server once. How many numbers it has; none without an embedder.
///
/// # Errors
/// [`EmbedError`] with what is to be done.
pub(crate) async fn try_out(settings: &Settings) -> Result<Option<usize>, EmbedError> {
    let embedder: Option<Arc<dyn Embedder>> = match server(settings) {
        Some(server) => Some(Arc::new(server.patience(0, Duration::ZERO))),
        None => embedder(settings).await?,
    };
    let Some(embedder) = embedder else { return Ok(None) };
    let vectors = embedder.embed(vec!["The council voted seven to two.".to_owned()]).await?;
    Ok(vectors.first().map(Vec::len))
}
