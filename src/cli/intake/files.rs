//! Reads the files that a person names.

use std::{fs, io::Read as _};

use crate::cli::prelude::*;
use crate::editorial::topic_file::{MAX_BYTES, TopicError};
use crate::knowledge::regular;

/// Reads a file that a person named: what it holds, or that it is too large to be read.
///
/// # Errors
/// If it cannot be read at all.
pub fn read_bounded(path: &Path) -> Result<Result<Vec<u8>, TopicError>> {
    let attempt = || -> std::io::Result<Result<Vec<u8>, TopicError>> {
        regular::check(path).map_err(|error| std::io::Error::new(std::io::ErrorKind::InvalidInput, error))?;
        let file = fs::File::open(path)?;
        let size = file.metadata()?.len();
        if size > MAX_BYTES {
            return Ok(Err(TopicError::TooLarge { bytes: size }));
        }
        // It may grow while it is read.
        let mut bytes = Vec::new();
        file.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
        Ok(Ok(bytes))
    };
    attempt().map_err(|error| WrongUse(format!("{} cannot be read: {error}", path.display())).into())
}

/// Whether the file has one of these endings.
pub fn is(path: &Path, endings: &[&str]) -> bool {
    path.extension().is_some_and(|ending| endings.iter().any(|wanted| ending.eq_ignore_ascii_case(wanted)))
}
