//! Embedding in process, from a folder of model files as sentence-transformers lays them out (all-MiniLM-L6-v2 and its kind):
//! `config.json`, `tokenizer.json`, `model.safetensors`. No server sees the texts.
//!
//! The model is a BERT (Devlin et al. 2018) whose last layer is averaged over a text's tokens and brought to length 1 (Reimers and
//! Gurevych 2019). If a file asks for something that this code does not compute, the model is refused and the message names the file,
//! because a wrong vector looks like a right one.

mod config;
mod files;
mod forward;
mod kernels;
mod matrix;
mod model;
mod weights;
mod word_pieces;

#[cfg(test)]
mod tests;

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use async_trait::async_trait;
use tokio::{sync::OnceCell, task::spawn_blocking};

use crate::ports::{EmbedError, Embedder};
use model::{Bert, Opened};

/// The embedder of a folder.
///
/// Opening reads the small files and computes the digest of the weights. The weights are read into memory when the first text comes, so
/// that a caller that only asks for the identity does not pay for them.
pub struct Minilm {
    folder: PathBuf,
    opened: Arc<Opened>,
    model: OnceCell<Arc<Bert>>,
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
    async fn model(&self) -> Result<Arc<Bert>, EmbedError> {
        let load = || async {
            let opened = Arc::clone(&self.opened);
            blocking(&self.folder, move || Bert::load(opened)).await.map(Arc::new)
        };
        self.model.get_or_try_init(load).await.cloned()
    }
}

#[async_trait]
impl Embedder for Minilm {
    fn identity(&self) -> &str {
        self.opened.identity()
    }

    async fn embed(&self, texts: Vec<String>) -> Result<Vec<Vec<f32>>, EmbedError> {
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        let model = self.model().await?;
        let caller = Caller::default();
        let gone = Arc::clone(&caller.gone);
        blocking(&self.folder, move || model.embed(&texts, &gone)).await
    }
}

/// Tells the working threads when their caller no longer waits for the vectors.
#[derive(Default)]
struct Caller {
    gone: Arc<AtomicBool>,
}

impl Drop for Caller {
    fn drop(&mut self) {
        self.gone.store(true, Ordering::Relaxed);
    }
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
