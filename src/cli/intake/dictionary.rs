//! The newsroom's own words, which the spelling check accepts: `dictionary.txt` beside the configuration.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::{
    cli::{exit::WrongUse, intake::files},
    editorial::topic_file,
    style::{listed_words, with_word},
};

/// The words of the dictionary beside the configuration `config`; none if there is no such file.
pub(crate) fn words(config: &Path) -> Result<Vec<String>> {
    Ok(listed_words(&text(&file(config))?).map(str::to_owned).collect())
}

/// Adds `words` to the dictionary beside the configuration `config` and returns how many were not there yet. If one is not a word,
/// none is added.
pub(crate) fn add_words(config: &Path, words: &[String]) -> Result<usize> {
    let file = file(config);
    let mut text = text(&file)?;
    let mut added = 0;
    for word in words {
        if let Some(longer) = with_word(&text, word).map_err(|error| WrongUse(error.to_string()))? {
            text = longer;
            added += 1;
        }
    }
    if added > 0 {
        // A link stays a link: what it points to is replaced.
        crate::cli::wiring::files::write_new(&file.canonicalize().unwrap_or(file), &text)?;
    }
    Ok(added)
}

/// The dictionary's file.
pub(crate) fn file(config: &Path) -> PathBuf {
    config.with_file_name("dictionary.txt")
}

fn text(file: &Path) -> Result<String> {
    if !file.exists() {
        return Ok(String::new());
    }
    let read = files::read_bounded(file)?.and_then(|bytes| topic_file::text(&bytes));
    Ok(read.map_err(|error| WrongUse(format!("{} cannot be read: {error}", file.display())))?)
}
