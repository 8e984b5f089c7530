//! Reads the files of a model's folder, each up to a size limit.

use std::{
    fs::File,
    io::{ErrorKind, Read, Take},
    path::PathBuf,
};

use crate::knowledge::file::digest;
use copydesk_core::ports::EmbedError;

/// Most bytes of the weights: a BERT of 24 layers has 1.3 GB.
const MOST_WEIGHTS: u64 = 2 << 30;
/// Most bytes of any other file: tokenizer.json of the largest vocabularies has some 20 MB.
const MOST_OTHER: u64 = 64 << 20;

#[derive(Debug, Clone)]
pub(super) struct ModelFolder(pub(super) PathBuf);

impl ModelFolder {
    /// The folder's name in messages.
    pub(super) fn name(&self) -> String {
        self.0.display().to_string()
    }

    /// The error for one of its files.
    pub(super) fn wrong(&self, file: &str, problem: impl Into<String>) -> EmbedError {
        EmbedError::Folder { file: self.0.join(file).display().to_string(), problem: problem.into() }
    }

    /// All bytes of a small file; none if there is no such file.
    pub(super) fn optional(&self, file: &str) -> Result<Option<Vec<u8>>, EmbedError> {
        self.open(file, MOST_OTHER)?.map(|opened| self.whole(file, opened)).transpose()
    }

    /// All bytes of a small file that must be there.
    pub(super) fn required(&self, file: &str) -> Result<Vec<u8>, EmbedError> {
        self.optional(file)?.ok_or_else(|| self.missing(file))
    }

    /// All bytes of the weights.
    pub(super) fn weights(&self, file: &str) -> Result<Vec<u8>, EmbedError> {
        let opened = self.open(file, MOST_WEIGHTS)?.ok_or_else(|| self.missing(file))?;
        self.whole(file, opened)
    }

    /// The SHA-256 of the weights, in hex, without holding them.
    pub(super) fn digest(&self, file: &str) -> Result<String, EmbedError> {
        let opened = self.open(file, MOST_WEIGHTS)?.ok_or_else(|| self.missing(file))?;
        digest(opened).map_err(|error| self.unreadable(file, &error))
    }

    /// Opens a file that is not too large, bounded in case it grows; none if there is no such file.
    fn open(&self, file: &str, most: u64) -> Result<Option<Take<File>>, EmbedError> {
        let opened = match File::open(self.0.join(file)) {
            Ok(opened) => opened,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(self.unreadable(file, &error)),
        };
        let size = opened.metadata().map_err(|error| self.unreadable(file, &error))?.len();
        if size > most {
            let (size, most) = (size >> 20, most >> 20);
            return Err(self.wrong(file, format!("it has {size} MB, and no such model has more than {most} MB there")));
        }
        Ok(Some(opened.take(most)))
    }

    fn whole(&self, file: &str, mut opened: Take<File>) -> Result<Vec<u8>, EmbedError> {
        let mut bytes = Vec::new();
        opened.read_to_end(&mut bytes).map_err(|error| self.unreadable(file, &error))?;
        Ok(bytes)
    }

    fn missing(&self, file: &str) -> EmbedError {
        let problem = if self.0.is_dir() {
            "it is missing; config.json, tokenizer.json and model.safetensors of one model belong there"
        } else {
            "there is no such folder"
        };
        self.wrong(file, problem)
    }

    fn unreadable(&self, file: &str, error: &std::io::Error) -> EmbedError {
        self.wrong(file, format!("it cannot be read ({error})"))
    }
}
