//! `copydesk dictionary`: the newsroom's own words, which spelling takes for right: `dictionary.txt` beside the configuration.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;

use super::{Exit, WrongUse, files, settings};
use crate::{
    editorial::topic_file,
    headless,
    style::{listed_words, with_word},
    text::count,
};

/// Arguments of `dictionary`.
#[derive(Debug, Args)]
pub(super) struct DictionaryArguments {
    /// Words to add; without one, the words are listed.
    words: Vec<String>,
}

pub(super) fn dictionary(config: Option<&Path>, arguments: &DictionaryArguments) -> Result<Exit> {
    let settings = settings::load(config)?;
    if arguments.words.is_empty() {
        for word in words(&settings.file)? {
            headless::data(&word)?;
        }
        return Ok(Exit::Fine);
    }
    let added = add_words(&settings.file, &arguments.words)?;
    let file = file(&settings.file);
    headless::message(&format!("Added {} to {}.", count(added, "word"), file.display()));
    Ok(Exit::Fine)
}

/// The words of the dictionary beside the configuration `config`; none where there is no such file.
pub(super) fn words(config: &Path) -> Result<Vec<String>> {
    Ok(listed_words(&text(&file(config))?).map(str::to_owned).collect())
}

/// Adds `words` to the dictionary beside the configuration `config` and returns how many were not there yet. Where one is not a word,
/// none is added.
pub(super) fn add_words(config: &Path, words: &[String]) -> Result<usize> {
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
        files::write_new(&file.canonicalize().unwrap_or(file), &text)?;
    }
    Ok(added)
}

fn file(config: &Path) -> PathBuf {
    config.with_file_name("dictionary.txt")
}

fn text(file: &Path) -> Result<String> {
    if !file.exists() {
        return Ok(String::new());
    }
    let read = files::read_bounded(file)?.and_then(|bytes| topic_file::text(&bytes));
    Ok(read.map_err(|error| WrongUse(format!("{} cannot be read: {error}", file.display())))?)
}
