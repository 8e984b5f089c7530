//! A folder's encoder: texts are sorted by length and put into packs, and the cores share the packs.

use std::{
    cmp::Reverse,
    path::Path,
    sync::{Arc, Weak},
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
    weights::{self, Weights, WeightsFile},
    word_pieces::{self, Pieces, WordPieces},
};
use crate::llm::batches;
use copydesk_core::ports::EmbedError;

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
    /// An identity on which the model's results depend. It contains no path.
    pub(super) identity: String,
}

impl Opened {
    pub(super) fn read(path: &Path) -> Result<Self, EmbedError> {
        let folder = ModelFolder(path.to_owned());
        let sizes = folder.required(config::FILE)?;
        let words = folder.required(word_pieces::FILE)?;
        let config = Config::read(&folder, &sizes)?;
        let most_tokens = config.most_tokens(&folder)?;
        let pieces = WordPieces::read(&folder, &words, &config, most_tokens)?;
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
        Config::check_pooling(&folder)?;
        Ok(Self { folder, config, pieces, digest, identity })
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
    pub(super) fn load(opened: Arc<Opened>) -> Result<Self, EmbedError> {
        let folder = &opened.folder;
        let bytes = folder.weights(weights::FILE)?;
        if hex::encode(Sha256::digest(&bytes)) != opened.digest {
            return Err(folder.wrong(weights::FILE, "it has changed since it was opened; start the program again"));
        }
        let weights = Weights::read(&WeightsFile::of(folder, &bytes)?, &opened.config)?;
        let cores = ThreadPoolBuilder::new()
            .thread_name(|number| format!("encoder {number}"))
            .build()
            .map_err(|error| folder.wrong(weights::FILE, format!("there are no threads to compute with ({error})")))?;
        Ok(Self { opened, weights, cores })
    }

    /// Returns the mean of each text's last layer, in their order. If the caller is gone, it ends early, and its result is not used.
    pub(super) fn encode(&self, texts: &[String], caller: &Weak<()>) -> Result<Vec<Vec<f32>>, EmbedError> {
        let Opened { folder, pieces, config, .. } = &*self.opened;
        self.cores.install(|| {
            let split = texts.par_iter().map(|text| pieces.text(text)).collect::<Result<Vec<_>, _>>();
            let split = split.map_err(|problem| {
                folder.wrong(word_pieces::FILE, format!("a text cannot be split into word pieces ({problem})"))
            })?;
            let mut tokens: Vec<(usize, Pieces)> = split.into_iter().enumerate().collect();
            tokens.sort_by_key(|(_, tokens)| Reverse(tokens.len()));
            // The longest texts come first; smaller packs keep every thread busy.
            let all: usize = tokens.iter().map(|(_, tokens)| tokens.len()).sum();
            let room = PACK.min(all.div_ceil(self.cores.current_num_threads()));
            let packs = batches(&tokens, usize::MAX, room, |(_, tokens)| tokens.len());
            let done: Vec<Vec<(usize, Vec<f32>)>> = packs
                .par_iter()
                .with_max_len(1)
                .map(|pack| {
                    if caller.strong_count() == 0 {
                        return Vec::new();
                    }
                    let texts: Vec<&Pieces> = pack.iter().map(|(_, tokens)| tokens).collect();
                    pack.iter().map(|(place, _)| *place).zip(forward(&self.weights, config, &texts)).collect()
                })
                .collect();
            let mut rows = vec![Vec::new(); texts.len()];
            for (place, row) in done.into_iter().flatten() {
                if let Some(own) = rows.get_mut(place) {
                    *own = row;
                }
            }
            Ok(rows)
        })
    }
}
