//! `copydesk dictionary`: lists the newsroom's own words and adds to them.

use crate::cli::intake::dictionary::{add_words, file, words};
use crate::cli::prelude::*;
use crate::text::count;

#[derive(Debug, Args)]
pub(crate) struct DictionaryArgs {
    /// Words to add. Without one, the words are listed.
    words: Vec<String>,
}

pub(crate) fn dictionary(config: Option<&Path>, arguments: &DictionaryArgs) -> Result<Exit> {
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
