//! Computes vectors with a folder's model: texts are sorted by length and put into packs, and the cores share the packs.

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
    files::ModelFolder,
    forward::forward,
    weights::{self, Weights},
    word_pieces::{self, WordPieces},
};
use crate::ports::{EmbedError, normalised};

/// Most tokens of a pack, unless one text has more. The values between two layers then stay in the core's cache.
const PACK: usize = 256;
/// Digits of a digest in the identity.
const DIGITS: usize = 16;

/// A folder before its weights are read.
pub(super) struct Opened {
    folder: ModelFolder,
    config: Config,
    pieces: WordPieces,
    digest: String,
    identity: String,
}

impl Opened {
    pub(super) fn read(path: &Path) -> Result<Self, EmbedError> {
        let folder = ModelFolder::new(path);
        let sizes = folder.required(config::FILE)?;
        let words = folder.required(word_pieces::FILE)?;
        let config = Config::read(&folder, &sizes)?;
        Config::check_pooling(&folder)?;
        let most_tokens = config.most_tokens(&folder)?;
        let pieces = WordPieces::read(&folder, &words, &config, most_tokens)?;
        let digest = folder.digest(weights::FILE)?;
        let rest = hex::encode(Sha256::new().chain_update(&sizes).chain_update(&words).finalize());
        let start = |digest: &str| digest.get(..DIGITS).unwrap_or_default().to_owned();
        let identity = format!(
            "folder bert {}x{} {most_tokens} tokens, weights {}, words {}",
            config.num_hidden_layers,
            config.hidden_size,
            start(&digest),
            start(&rest)
        );
        Ok(Self { folder, config, pieces, digest, identity })
    }

    pub(super) fn identity(&self) -> &str {
        &self.identity
    }
}

/// A model with its weights in memory.
pub(super) struct Bert {
    opened: Arc<Opened>,
    weights: Weights,
    /// The model's own threads, so that a search does not wait behind a pack.
    cores: ThreadPool,
}

impl Bert {
    pub(super) fn load(opened: Arc<Opened>) -> Result<Self, EmbedError> {
        let folder = &opened.folder;
        let bytes = folder.weights(weights::FILE)?;
        if hex::encode(Sha256::digest(&bytes)) != opened.digest {
            return Err(folder.wrong(weights::FILE, "it has changed since it was opened; start the program again"));
        }
        let weights = Weights::read(folder, &bytes, &opened.config)?;
        let cores = ThreadPoolBuilder::new()
            .thread_name(|number| format!("embedder {number}"))
            .build()
            .map_err(|error| EmbedError::BrokeOff { from: folder.name(), detail: error.to_string() })?;
        Ok(Self { opened, weights, cores })
    }

    /// One vector for each text. It ends early if the caller is gone, and nobody sees the result then.
    pub(super) fn embed(&self, texts: &[String], caller_gone: &AtomicBool) -> Result<Vec<Vec<f32>>, EmbedError> {
        let Opened { folder, pieces, config, .. } = &*self.opened;
        self.cores.install(|| {
            let mut tokens: Vec<(usize, Vec<u32>)> = texts
                .par_iter()
                .enumerate()
                .map(|(place, text)| Ok((place, pieces.numbers(text)?)))
                .collect::<Result<_, String>>()
                .map_err(|problem| {
                    folder.wrong(word_pieces::FILE, format!("a text cannot be split into word pieces ({problem})"))
                })?;
            tokens.sort_by_key(|(_, tokens)| Reverse(tokens.len()));
            let packs = packs(&tokens, self.cores.current_num_threads());
            let done: Vec<Vec<(usize, Vec<f32>)>> = packs
                .par_iter()
                .with_max_len(1)
                .map(|pack| {
                    if caller_gone.load(Ordering::Relaxed) {
                        return Vec::new();
                    }
                    let texts: Vec<&[u32]> = pack.iter().map(|(_, tokens)| tokens.as_slice()).collect();
                    pack.iter().map(|(place, _)| *place).zip(forward(&self.weights, config, &texts)).collect()
                })
                .collect();
            let mut vectors: Vec<(usize, Vec<f32>)> = done.into_iter().flatten().collect();
            vectors.sort_by_key(|(place, _)| *place);
            let vectors = vectors.into_iter().map(|(place, vector)| {
                normalised(vector).map_err(|problem| EmbedError::NoDirection {
                    from: folder.name(),
                    text: place + 1,
                    texts: texts.len(),
                    problem,
                })
            });
            vectors.collect()
        })
    }
}

/// Divides texts, the longest first, into packs of at most [`PACK`] tokens, or smaller ones if that keeps every thread busy.
fn packs<T>(texts: &[(T, Vec<u32>)], threads: usize) -> Vec<&[(T, Vec<u32>)]> {
    let all: usize = texts.iter().map(|(_, tokens)| tokens.len()).sum();
    let most = PACK.min(all.div_ceil(threads));
    let mut packs = Vec::new();
    let (mut left, mut held, mut size) = (texts, 0, 0);
    for (_, tokens) in texts {
        if held > 0 && size + tokens.len() > most {
            let (pack, others) = left.split_at_checked(held).unwrap_or_default();
            packs.push(pack);
            (left, held, size) = (others, 0, 0);
        }
        held += 1;
        size += tokens.len();
    }
    packs.push(left);
    packs
}
