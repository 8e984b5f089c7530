//! Embedding in process, with models as sentence-transformers saves them (all-MiniLM-L6-v2 and its kind). Such a model
//! is a BERT whose last layer is averaged over a text's tokens and brought to length 1 (Reimers and Gurevych 2019).

#[cfg(test)]
mod tests;

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Weak},
};

use async_trait::async_trait;
use tokio::{sync::OnceCell, task::spawn_blocking};

use super::model::{Encoder, Opened};
use copydesk_core::ports::{EmbedError, Embedder, normalised};

/// The embedder of a folder.
///
/// Opening reads the small files and computes the digest of the weights. The weights are read into memory when the first text comes, so
/// that a caller that only asks for the identity does not pay for them.
pub struct Minilm {
    folder: PathBuf,
    opened: Arc<Opened>,
    model: OnceCell<Arc<Encoder>>,
}

impl Minilm {
    /// Opens a folder: reads configuration and word pieces, and takes the digest of the weights (a tenth of a second for 90 MB).
    ///
    /// # Errors
    /// [`EmbedError::Folder`] with the file that is missing or not what it should be.
    pub async fn open(folder: &Path) -> Result<Self, EmbedError> {
        let own = folder.to_owned();
        let opened = blocking(folder, move || Opened::read(&own)).await?;
        Ok(Self { folder: folder.to_owned(), opened: Arc::new(opened), model: OnceCell::new() })
    }

    /// The model with its weights. If they cannot be read, the next call tries again.
    async fn model(&self) -> Result<Arc<Encoder>, EmbedError> {
        let load = || async {
            let opened = Arc::clone(&self.opened);
            blocking(&self.folder, move || Encoder::load(opened)).await.map(Arc::new)
        };
        self.model.get_or_try_init(load).await.cloned()
    }
}

#[async_trait]
impl Embedder for Minilm {
    fn identity(&self) -> &str {
        &self.opened.identity
    }

    async fn embed(&self, texts: Vec<String>) -> Result<Vec<Vec<f32>>, EmbedError> {
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        let model = self.model().await?;
        // Dropped when this call ends or is given up: the working threads look whether it is still there.
        let caller = Arc::new(());
        let waiting = Arc::downgrade(&caller);
        blocking(&self.folder, move || embed(&model, &texts, &waiting)).await
    }
}

fn embed(model: &Encoder, texts: &[String], caller: &Weak<()>) -> Result<Vec<Vec<f32>>, EmbedError> {
    let means = model.encode(texts, caller)?;
    if caller.strong_count() == 0 {
        return Ok(Vec::new());
    }
    let vectors = means.into_iter().enumerate().map(|(place, mean)| {
        normalised(mean).map_err(|problem| EmbedError::NoDirection {
            from: model.opened.folder.name(),
            text: place + 1,
            texts: texts.len(),
            problem,
        })
    });
    vectors.collect()
}

/// Runs work off the runtime's threads, which serve stories.
async fn blocking<T: Send + 'static>(
    folder: &Path,
    work: impl FnOnce() -> Result<T, EmbedError> + Send + 'static,
) -> Result<T, EmbedError> {
    spawn_blocking(work).await.unwrap_or_else(|error| {
        Err(EmbedError::BrokeOff { from: folder.display().to_string(), detail: error.to_string() })
    })
}
