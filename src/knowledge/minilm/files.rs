//! The files of a model's folder, read whole and bounded.

use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

use crate::ports::EmbedError;

/// Most bytes of the weights: a BERT of 24 layers has 1.3 GB.
const MOST_WEIGHTS: u64 = 2 << 30;
/// Most bytes of any other file: tokenizer.json of the largest vocabularies has some 20 MB.
const MOST_OTHER: u64 = 64 << 20;
/// Bytes that are hashed at a time.
const PIECE: usize = 1 << 20;

/// A model's folder.
#[derive(Debug, Clone)]
pub(super) struct Folder(PathBuf);

impl Folder {
    pub(super) fn new(path: &Path) -> Self {
        Self(path.to_owned())
    }

    /// The folder as a message names it.
    pub(super) fn name(&self) -> String {
        self.0.display().to_string()
    }

    /// What is wrong with one of its files.
    pub(super) fn wrong(&self, file: &str, problem: impl Into<String>) -> EmbedError {
        EmbedError::Folder { file: self.0.join(file).display().to_string(), problem: problem.into() }
    }

    /// All bytes of a small file; none where there is no such file.
    pub(super) fn optional(&self, file: &str) -> Result<Option<Vec<u8>>, EmbedError> {
        match File::open(self.0.join(file)) {
            Ok(opened) => self.whole(file, opened, MOST_OTHER).map(Some),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.wrong(file, format!("it cannot be read ({error}); change its permissions"))),
        }
    }

    /// All bytes of a small file that must be there.
    pub(super) fn required(&self, file: &str) -> Result<Vec<u8>, EmbedError> {
        self.optional(file)?.ok_or_else(|| self.missing(file))
    }

    /// All bytes of the weights.
    pub(super) fn weights(&self, file: &str) -> Result<Vec<u8>, EmbedError> {
        self.whole(file, self.open(file)?, MOST_WEIGHTS)
    }

    /// The SHA-256 of the weights, in hex, without holding them.
    pub(super) fn digest(&self, file: &str) -> Result<String, EmbedError> {
        let mut opened = self.open(file)?.take(MOST_WEIGHTS + 1);
        let mut hash = Sha256::new();
        let mut piece = vec![0; PIECE];
        loop {
            let read = opened.read(&mut piece).map_err(|error| self.unreadable(file, &error))?;
            if read == 0 {
                break;
            }
            hash.update(piece.get(..read).unwrap_or_default());
        }
        if opened.limit() == 0 {
            return Err(self.too_large(file, MOST_WEIGHTS));
        }
        Ok(hex::encode(hash.finalize()))
    }

    fn open(&self, file: &str) -> Result<File, EmbedError> {
        File::open(self.0.join(file)).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => self.missing(file),
            _ => self.unreadable(file, &error),
        })
    }

    fn whole(&self, file: &str, opened: File, most: u64) -> Result<Vec<u8>, EmbedError> {
        let mut bytes = Vec::new();
        opened.take(most + 1).read_to_end(&mut bytes).map_err(|error| self.unreadable(file, &error))?;
        if bytes.len() as u64 > most { Err(self.too_large(file, most)) } else { Ok(bytes) }
    }

    fn missing(&self, file: &str) -> EmbedError {
        let problem = if self.0.is_dir() {
            "it is missing; config.json, tokenizer.json and model.safetensors of a sentence-transformers model belong there"
        } else {
            "there is no such folder"
        };
        self.wrong(file, problem)
    }

    fn unreadable(&self, file: &str, error: &std::io::Error) -> EmbedError {
        self.wrong(file, format!("it cannot be read ({error})"))
    }

    fn too_large(&self, file: &str, most: u64) -> EmbedError {
        self.wrong(file, format!("it is larger than {} MB, more than such a model has", most >> 20))
    }
}
