//! `copydesk check`: a person's own draft, held against its sources. No model, no network, nothing written.

use std::{
    io::IsTerminal as _,
    path::{Path, PathBuf},
};

use anyhow::Result;
use clap::Args;

use super::{Exit, WrongUse, intake, run};
use crate::{
    headless,
    newsroom::{ArticleResponse, Source},
    proof::{self, Gravity},
    text::sanitise,
};

/// Arguments of `check`.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The draft: Markdown, plain text, or an article in JSON.
    draft: PathBuf,
    /// What it is held against: a text file (.txt, .md), or a folder of them. As often as needed.
    #[arg(long, value_name = "FILE|DIR", required = true)]
    source: Vec<PathBuf>,
    /// Print the ledger as one JSON object.
    #[arg(long)]
    json: bool,
}

pub(super) async fn check(arguments: Arguments) -> Result<Exit> {
    let Arguments { draft, source, json } = arguments;
    let (article, sources) = tokio::task::spawn_blocking(move || read(&draft, &source)).await??;
    let ledger = tokio::task::spawn_blocking(move || proof::ledger(&article, &sources, Gravity::Concern)).await?;
    let paint = run::paint(std::io::stdout().is_terminal());
    let text = if json { headless::ledger_json(&ledger)? } else { headless::ledger_lines(&ledger, paint) };
    headless::data(&text)?;
    Ok(if ledger.findings().next().is_none() { Exit::Fine } else { Exit::Failed })
}

fn read(draft: &Path, sources: &[PathBuf]) -> Result<(ArticleResponse, Vec<Source>)> {
    let article = intake::read_own_draft(draft)?;
    let mut read = Vec::new();
    for source in sources {
        if source.is_dir() {
            read.extend(folder(source)?);
        } else {
            read.push(intake::read_source(source)?);
        }
    }
    Ok((article, read))
}

/// The texts of a folder, by name.
fn folder(path: &Path) -> Result<Vec<Source>> {
    let shown = sanitise::one_line(&path.display().to_string());
    let entries =
        std::fs::read_dir(path).map_err(|error| WrongUse(format!("the folder {shown} cannot be read: {error}")))?;
    let mut files: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| intake::is(path, &["txt", "md"])).collect();
    if files.is_empty() {
        return Err(WrongUse(format!("the folder {shown} holds no text (.txt, .md)")).into());
    }
    files.sort();
    files.iter().map(|file| intake::read_source(file)).collect()
}
