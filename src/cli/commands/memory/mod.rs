//! `copydesk memory`: what the desk remembers of earlier checks.

mod import;

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::{Args, Subcommand};

use crate::{
    cli::{
        exit::{Exit, WrongUse},
        wiring::{self, clock, settings},
    },
    config::Settings,
    headless,
    ports::{Book, MemoryBook, Strike},
    store::Store,
    text::{count, sanitise},
};

#[derive(Debug, Args)]
pub(crate) struct MemoryArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// List the records that can be reused when the same is asked again.
    List {
        /// List expired, outdated, overruled and struck records too.
        #[arg(long)]
        all: bool,
        /// Print a JSON array.
        #[arg(long)]
        json: bool,
    },
    /// Show a record: its question, the story that asked, what was found, the verdict.
    Show {
        /// The record's key, as `memory list` has it, or the beginning of one.
        key: String,
        /// As a JSON array of all records under the key, the latest first.
        #[arg(long)]
        json: bool,
    },
    /// Strike a record: it is not reused again. Verdicts that came from it stay.
    Strike {
        /// The record's key, or the beginning of one.
        key: String,
        /// Your reason. The audit log keeps it with your name.
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// Restore a record that was struck.
    Restore {
        /// The record's key, or the beginning of one.
        key: String,
    },
    /// Read records from files such as a desk leaves below its `data/institutional_memory`.
    Import {
        /// JSON files, or folders of them.
        #[arg(required = true, value_name = "DIR|FILE")]
        paths: Vec<PathBuf>,
    },
}

pub(crate) async fn memory(config: Option<&Path>, arguments: MemoryArgs) -> Result<Exit> {
    let settings = settings::load(config)?;
    let store = wiring::store(&settings)?;
    match arguments.what {
        What::List { all, json } => list(&settings, &store, all, json).await,
        What::Show { key, json } => show(&settings, &store, &key, json).await,
        What::Strike { key, reason } => strike(&settings, &store, &key, &reason).await,
        What::Restore { key } => restore(&settings, &store, &key).await,
        What::Import { paths } => import::import(&settings, &store, paths).await,
    }
}

async fn list(settings: &Settings, store: &Store, all: bool, json: bool) -> Result<Exit> {
    let since = settings::memory_since(settings);
    let since = since.as_deref();
    let Book { mut records, unreadable } = store.book().await?;
    let held = records.len();
    if !all {
        records.retain(|kept| kept.state(since) == "offered");
    }
    if json {
        headless::data(&serde_json::to_string_pretty(&headless::memory_json(&records, since))?)?;
    } else if !records.is_empty() {
        headless::data(&headless::memory_table(&records, since))?;
    } else if held == 0 {
        headless::message("The memory is empty. Fact checks and evidence searches add records.");
    }
    let left = held - records.len();
    if left > 0 && !json {
        let said = if left == 1 { "1 record is" } else { &format!("{left} records are") };
        headless::message(&format!("{said} not reused any more; --all lists them too."));
    }
    if unreadable > 0 {
        headless::message(&format!("Not listed: {} that cannot be read.", count(unreadable, "record")));
    }
    Ok(Exit::Fine)
}

async fn show(settings: &Settings, store: &Store, key: &str, json: bool) -> Result<Exit> {
    let since = settings::memory_since(settings);
    let (_, book) = under(store, key).await?;
    if json {
        let records: Vec<_> =
            book.records.iter().map(|kept| headless::record_json(kept, since.as_deref())).collect::<Result<_, _>>()?;
        headless::data(&serde_json::to_string_pretty(&records)?)?;
        return Ok(Exit::Fine);
    }
    for kept in &book.records {
        headless::data(&headless::record_text(kept, since.as_deref()))?;
    }
    Ok(Exit::Fine)
}

async fn strike(settings: &Settings, store: &Store, key: &str, reason: &str) -> Result<Exit> {
    let reason = sanitise::clean(reason).trim().to_owned();
    if sanitise::is_blank(&reason) {
        return Err(WrongUse("Striking a record needs a reason, which stays in the log: --reason TEXT".into()).into());
    }
    let (key, _) = under(store, key).await?;
    let strike = Strike { by: settings.editor.clone(), at: clock::now(), reason };
    headless::message(&match store.strike(&key, strike).await? {
        0 => format!("{key} is already struck. Nothing was changed."),
        _ => format!(
            "Struck {key}: it is not reused again. Verdicts that came from it stay until you overrule them. \
             `copydesk memory restore {key}` restores it."
        ),
    });
    Ok(Exit::Fine)
}

async fn restore(settings: &Settings, store: &Store, key: &str) -> Result<Exit> {
    let (key, _) = under(store, key).await?;
    let restored = store.restore(&key, &settings.editor, &clock::now()).await?;
    let state = store
        .book_under(&key)
        .await?
        .records
        .first()
        .map(|kept| kept.state(settings::memory_since(settings).as_deref()));
    headless::message(&match (restored, state) {
        (0, _) => format!("{key} is not struck. Nothing was changed."),
        (_, Some("offered")) => format!("Restored {key}: it can be reused again."),
        (_, state) => format!("Restored {key}. It is {}, so it is not reused.", state.unwrap_or("gone")),
    });
    Ok(Exit::Fine)
}

/// The key that a person means, with its records.
async fn under(store: &Store, key: &str) -> Result<(String, Book)> {
    let meant = key.trim().to_lowercase();
    let book = if meant.is_empty() { Book::default() } else { store.book_under(&meant).await? };
    let mut keys: Vec<&str> = book.records.iter().map(|kept| kept.record.cache_key_hash()).collect();
    keys.sort_unstable();
    keys.dedup();
    match keys.as_slice() {
        [one] => Ok(((*one).to_owned(), book)),
        [] => {
            Err(WrongUse(format!("The memory has no record {key}. `copydesk memory list --all` lists its records"))
                .into())
        }
        several => Err(WrongUse(format!(
            "{key} matches several keys: {}. Type more of the key",
            several.iter().take(5).copied().collect::<Vec<_>>().join(", ")
        ))
        .into()),
    }
}
