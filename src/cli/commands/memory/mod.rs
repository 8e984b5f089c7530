//! `copydesk memory`: what the desk remembers of earlier checks.

mod import;

use crate::cli::prelude::*;
use crate::ports::{Book, Memory, Strike};
use crate::text::count;

#[derive(Debug, Subcommand)]
pub(crate) enum MemoryCommand {
    /// List the records that can be reused when the same is asked again; with a key, show its records whole.
    List {
        /// The record's key, or the beginning of one.
        key: Option<String>,
        /// List expired, outdated, overruled and struck records too.
        #[arg(long, conflicts_with = "key")]
        all: bool,
        /// Print a JSON array; under a key the latest record comes first.
        #[arg(long)]
        json: bool,
    },
    /// Strike a record: it is not reused again. Verdicts that came from it stay.
    Strike {
        /// The record's key, or the beginning of one.
        key: String,
        /// Your reason. The audit log keeps it with your name.
        #[arg(long, value_name = "TEXT", required_unless_present = "undo")]
        reason: Option<String>,
        /// Restore a record that was struck.
        #[arg(long, conflicts_with = "reason")]
        undo: bool,
    },
    /// Read records from files such as a desk leaves below its `data/institutional_memory`.
    Import {
        /// JSON files, or folders of them.
        #[arg(required = true, value_name = "DIR|FILE")]
        paths: Vec<PathBuf>,
    },
}

pub(crate) async fn memory(config: Option<&Path>, command: MemoryCommand) -> Result<Exit> {
    let (settings, store) = wiring::open(config)?;
    match command {
        MemoryCommand::List { key: None, all, json } => list(&settings, &store, all, json).await,
        MemoryCommand::List { key: Some(key), json, .. } => show(&settings, &store, &key, json).await,
        MemoryCommand::Strike { key, undo: true, .. } => restore(&settings, &store, &key).await,
        MemoryCommand::Strike { key, reason, .. } => strike(&settings, &store, &key, &reason.unwrap_or_default()).await,
        MemoryCommand::Import { paths } => import::import(&settings, &store, paths).await,
    }
}

async fn list(settings: &Settings, store: &Store, all: bool, json: bool) -> Result<Exit> {
    let since = settings::memory_since(settings);
    let since = since.as_deref();
    let Book { mut records, unreadable } = store.book("").await?;
    let held = records.len();
    if !all {
        records.retain(|kept| kept.state(since) == "offered");
    }
    if json {
        headless::json(&headless::memory_json(&records, since))?;
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
        headless::json(&records)?;
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
        return Err(wrong_use("Striking a record needs a reason, which stays in the log: --reason TEXT"));
    }
    let (key, _) = under(store, key).await?;
    let strike = Strike { by: settings.editor.clone(), at: clock::now(), reason };
    headless::message(&match store.strike(&key, strike).await? {
        0 => format!("{key} is already struck. Nothing was changed."),
        _ => format!(
            "Struck {key}: it is not reused again. Verdicts that came from it stay until you overrule them. \
             `copydesk memory strike {key} --undo` restores it."
        ),
    });
    Ok(Exit::Fine)
}

async fn restore(settings: &Settings, store: &Store, key: &str) -> Result<Exit> {
    let (key, _) = under(store, key).await?;
    let restored = store.restore(&key, &settings.editor, &clock::now()).await?;
    let state =
        store.book(&key).await?.records.first().map(|kept| kept.state(settings::memory_since(settings).as_deref()));
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
    let book = if meant.is_empty() { Book::default() } else { store.book(&meant).await? };
    let mut keys: Vec<&str> = book.records.iter().map(|kept| kept.record.cache_key_hash()).collect();
    keys.sort_unstable();
    keys.dedup();
    match keys.as_slice() {
        [one] => Ok(((*one).to_owned(), book)),
        [] => Err(wrong_use(format!("The memory has no record {key}. `copydesk memory list --all` lists its records"))),
        several => Err(wrong_use(format!(
            "{key} matches several keys: {}. Type more of the key",
            several.iter().take(5).copied().collect::<Vec<_>>().join(", ")
        ))),
    }
}
