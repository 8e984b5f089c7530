//! A folder's encoder: texts are sorted by length and put into packs, and the cores share the packs.

use std::{
    cmp::Reverse,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use rayon::{
    ThreadPool, ThreadPoolBuilder,
    iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator},
};
use sha2::{Digest, Sha256};

use super::{
    config::{self, Config},
    files::{ModelFolder, WrongFile},
    forward::{Pooling, forward},
    weights::{self, Weights, WeightsFile},
    word_pieces::{self, Pieces, Reads, WordPieces},
};
use crate::llm::batches;

/// Most tokens of a pack, unless one text has more. The values between two layers then stay in the core's cache.
const PACK: usize = 256;
/// Digits of a digest in the identity.
const DIGITS: usize = 16;

/// A folder before its weights are read.
pub(super) struct Opened {
    pub(super) folder: ModelFolder,
    pub(super) config: Config,
    pieces: WordPieces,
    digest: String,
    identity: String,
}

impl Opened {
    /// Opens the folder of a model that is of one of `kinds`.
    pub(super) fn read(path: &Path, kinds: &[&str], reads: Reads) -> Result<Self, WrongFile> {
        let folder = ModelFolder::new(path);
        let sizes = folder.required(config::FILE)?;
        let words = folder.required(word_pieces::FILE)?;
        let config = Config::read(&folder, &sizes, kinds)?;
        let most_tokens = config.most_tokens(&folder)?;
        let pieces = WordPieces::read(&folder, &words, &config, most_tokens, reads)?;
        let digest = folder.digest(weights::FILE)?;
        let rest = hex::encode(Sha256::new().chain_update(&sizes).chain_update(&words).finalize());
        let identity = format!(
            "folder {} {}x{} {most_tokens} tokens, weights {}, words {}",
            config.model_type,
            config.num_hidden_layers,
            config.hidden_size,
            digest.get(..DIGITS).unwrap_or_default(),
            rest.get(..DIGITS).unwrap_or_default()
        );
        Ok(Self { folder, config, pieces, digest, identity })
    }

    /// The first digits of the weights' digest.
    pub(super) fn digest(&self, digits: usize) -> &str {
        self.digest.get(..digits).unwrap_or_default()
    }

    /// An identity on which the model's results depend. It contains no path.
    pub(super) fn identity(&self) -> &str {
        &self.identity
    }
}

/// An encoder with its weights in memory.
pub(super) struct Encoder {
    pub(super) opened: Arc<Opened>,
    weights: Weights,
    /// The model's own threads, so that a search does not wait behind a pack.
    cores: ThreadPool,
}

impl Encoder {
    /// Reads the weights, and of the same file what `more` reads.
    pub(super) fn load<T>(
        opened: Arc<Opened>,
        more: impl FnOnce(&WeightsFile<'_>) -> Result<T, WrongFile>,
    ) -> Result<(Self, T), WrongFile> {
        let folder = &opened.folder;
        let bytes = folder.weights(weights::FILE)?;
        if hex::encode(Sha256::digest(&bytes)) != opened.digest {
            return Err(folder.wrong(weights::FILE, "it has changed since it was opened; start the program again"));
        }
        let file = WeightsFile::of(folder, &bytes)?;
        let (weights, more) = (Weights::read(&file, &opened.config)?, more(&file)?);
        let cores = ThreadPoolBuilder::new()
            .thread_name(|number| format!("encoder {number}"))
            .build()
            .map_err(|error| folder.wrong(weights::FILE, format!("there are no threads to compute with ({error})")))?;
        Ok((Self { opened, weights, cores }, more))
    }

    /// Returns the result of `pooled` for each text, in their order. `split` makes its word pieces, or none if the model cannot read it. If
    /// the caller is gone, it ends early, and its result is not used.
    pub(super) fn encode<T: Sync>(
        &self,
        texts: &[T],
        split: impl Fn(&WordPieces, &T) -> tokenizers::Result<Option<Pieces>> + Sync,
        pooled: Pooling,
        caller_gone: &AtomicBool,
    ) -> Result<Vec<Option<Vec<f32>>>, WrongFile> {
        let Opened { folder, pieces, config, .. } = &*self.opened;
        self.cores.install(|| {
            let split = texts.par_iter().map(|text| split(pieces, text)).collect::<Result<Vec<_>, _>>();
            let split = split.map_err(|problem| {
                folder.wrong(word_pieces::FILE, format!("a text cannot be split into word pieces ({problem})"))
            })?;
            let numbered = split.into_iter().enumerate();
            let mut tokens: Vec<(usize, Pieces)> =
                numbered.filter_map(|(place, pieces)| Some((place, pieces?))).collect();
            tokens.sort_by_key(|(_, tokens)| Reverse(tokens.len()));
            // The longest texts come first; smaller packs keep every thread busy.
            let all: usize = tokens.iter().map(|(_, tokens)| tokens.len()).sum();
            let room = PACK.min(all.div_ceil(self.cores.current_num_threads()));
            let packs = batches(&tokens, usize::MAX, room, |(_, tokens)| tokens.len());
            let done: Vec<Vec<(usize, Vec<f32>)>> = packs
                .par_iter()
                .with_max_len(1)
                .map(|pack| {
                    if caller_gone.load(Ordering::Relaxed) {
                        return Vec::new();
                    }
                    let texts: Vec<&Pieces> = pack.iter().map(|(_, tokens)| tokens).collect();
                    pack.iter().map(|(place, _)| *place).zip(forward(&self.weights, config, &texts, pooled)).collect()
                })
                .collect();
            let mut rows = vec![None; texts.len()];
            for (place, row) in done.into_iter().flatten() {
                if let Some(own) = rows.get_mut(place) {
                    *own = Some(row);
                }
            }
            Ok(rows)
        })
    }
}
