//! `copydesk doctor --add-keys`: an older configuration gets a later version's keys.

use std::fs;

use anyhow::Context;

use crate::cli::prelude::*;
use crate::cli::wiring::{
    files::{free_name, replace},
    settings::MOST_BYTES,
};
use crate::{config, knowledge::regular};

/// Adds what the template has and `file` lacks, and says so. The file as it was stays beside it. Nothing is written where
/// the result could not be used.
pub(crate) fn add_keys(file: &Path) -> Result<()> {
    let shown = file.display();
    let yaml = regular::read_to_string(file, MOST_BYTES)
        .map_err(|error| WrongUse(format!("the configuration {shown} cannot be read: {error}")))?;
    let wrong = |error: String| WrongUse(format!("{error}\nNothing was added to {shown}."));
    let added = config::add_keys(&yaml).map_err(|error| wrong(error.to_string()))?;
    let current = std::env::current_dir().context("the current folder cannot be read")?;
    config::load(file, &added.yaml, &current).map_err(|error| {
        let text = error.to_string();
        if added.keys.is_empty() {
            WrongUse(text)
        } else {
            wrong(format!("with the missing keys added, {text}; its lines count the added ones"))
        }
    })?;
    if added.keys.is_empty() {
        headless::message(&format!("{shown} has every key. Nothing was added."));
        return Ok(());
    }
    // A link stays a link: what it points to is replaced.
    let real = file.canonicalize().with_context(|| format!("{shown} cannot be found"))?;
    let kept = free_name(&real, ".before-keys");
    fs::copy(&real, &kept).with_context(|| format!("{shown} cannot be kept as it is"))?;
    replace(&real, &added.yaml).with_context(|| format!("{shown} cannot be written"))?;
    headless::message(&format!(
        "Added to {shown}: {}. The old file is kept as {}",
        added.keys.join(", "),
        kept.display()
    ));
    Ok(())
}
