//! `copydesk audit`: whether the desk's record is as it was written, and the record as lines for others.

use serde_json::json;

use crate::cli::prelude::*;
use crate::cli::work::signing;
use crate::ports::{Archive as _, Audit, RequestLedger as _, StoreError};
use crate::text::count;

#[derive(Debug, Subcommand)]
pub(crate) enum AuditCommand {
    /// Check the database, the audit log from its first to its last event, texts, runs and sign-offs. Exit code 1 if something was
    /// changed.
    Verify {
        /// Check this control record instead, as `export --format record --out` wrote it with its signature beside it.
        #[arg(long, value_name = "FILE", conflicts_with = "json")]
        record: Option<PathBuf>,
        /// The public key of the record's editor, a PEM file [default: that of the configured private key].
        #[arg(long, value_name = "FILE", requires = "record")]
        key: Option<PathBuf>,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// List the requests that were sent: when, where, why, how much. None of them is kept with what it said.
    Requests {
        /// channel/slug, or a slug [default: all stories, and what was sent for none].
        story: Option<String>,
        /// Only those that went to other machines.
        #[arg(long)]
        left: bool,
        /// Print one JSON object per request.
        #[arg(long)]
        json: bool,
    },
    /// Print every event of every story, one JSON object a line, and the last link of the chain.
    Export,
}

pub(crate) async fn audit(config: Option<&Path>, command: AuditCommand) -> Result<Exit> {
    let settings = settings::load(config)?;
    if let AuditCommand::Verify { record: Some(file), key, .. } = &command {
        return record(&settings, file, key.as_deref());
    }
    let store = wiring::store_to_look(&settings)?;
    match command {
        AuditCommand::Verify { json, .. } => verify(&settings, &store, json).await,
        AuditCommand::Requests { story, left, json } => requests(&store, story.as_deref(), left, json).await,
        AuditCommand::Export => export(&settings, &store).await,
    }
}

/// Checks the whole database, and shows how far it is.
pub(crate) async fn audited(settings: &Settings, store: &Store) -> Result<Audit, StoreError> {
    let bar = headless::Bar::new("checking the database", "events and texts");
    store.audit_with(wiring::outputs(settings).witnesses().await, bar.progress()).await
}

async fn verify(settings: &Settings, store: &Store, json: bool) -> Result<Exit> {
    let found = audited(settings, store).await?;
    let whole = found.flaws.is_empty();
    if json {
        let flaws: Vec<String> = found.flaws.iter().map(ToString::to_string).collect();
        let head = store.chain_head().await?;
        headless::data(
            &json!({"whole": whole, "stories": found.stories, "events": found.events, "hidden": found.hidden, "head": head, "flaws": flaws})
                .to_string(),
        )?;
    } else if whole {
        headless::data(&format!(
            "{} of {} are as they were written, from the first to the last; so are their texts, runs and sign-offs.",
            count(found.events, "event"),
            count(found.stories, "story")
        ))?;
    } else {
        for flaw in &found.flaws {
            headless::data(&format!("The database is not as it was written: {flaw}."))?;
        }
        headless::message("If you did not do this, `copydesk restore` puts a backup in its place.");
    }
    if found.hidden > 0 && !json {
        headless::message(&format!(
            "{} of confidential stories that you may not see: their places in the log were checked, their texts were not.",
            count(found.hidden, "event")
        ));
    }
    Ok(if whole { Exit::Fine } else { Exit::Failed })
}

async fn export(settings: &Settings, store: &Store) -> Result<Exit> {
    let whole = audited(settings, store).await?.flaws.is_empty();
    let mut last = 0;
    loop {
        let events = store.events_after(last).await?;
        let Some(end) = events.last().map(|logged| logged.seq) else { break };
        last = end;
        for logged in events {
            let mut line = serde_json::to_value(&logged.record)?;
            if let Some(fields) = line.as_object_mut() {
                fields.insert("seq".to_owned(), logged.seq.into());
            }
            headless::data(&line.to_string())?;
        }
    }
    headless::data(&json!({"head": store.chain_head().await?, "whole": whole}).to_string())?;
    if !whole {
        headless::message("The record was changed: `copydesk audit verify` says where.");
    }
    Ok(if whole { Exit::Fine } else { Exit::Failed })
}

/// Lists the requests of a story, or all.
async fn requests(store: &Store, named: Option<&str>, left: bool, json: bool) -> Result<Exit> {
    let of = match named {
        Some(named) => Some(story::story(store, named).await?.0),
        None => None,
    };
    let mut requests = store.requests(of.as_ref()).await?;
    requests.retain(|request| request.left || !left);
    if json {
        for request in &requests {
            headless::data(&serde_json::to_string(request)?)?;
        }
        return Ok(Exit::Fine);
    }
    headless::data(&headless::request_lines(&requests).join("\n"))?;
    Ok(Exit::Fine)
}

/// Checks the signature of a record.
fn record(settings: &Settings, file: &Path, key: Option<&Path>) -> Result<Exit> {
    let trusted = match (key, &settings.publisher.signing_key) {
        (Some(key), _) => signing::public_key(key)?,
        (None, Some(own)) => signing::public_half(own)?,
        (None, None) => {
            let why = "no key is configured (publisher.signing_key). Name the editor's public key with --key";
            return Err(wrong_use(why.to_owned()));
        }
    };
    match signing::check(file, &trusted)? {
        Ok(()) => {
            headless::data(&format!("{} is as it was signed.", file.display()))?;
            Ok(Exit::Fine)
        }
        Err(why) => {
            headless::data(&format!("{} is not as it was signed: {why}.", file.display()))?;
            Ok(Exit::Failed)
        }
    }
}
