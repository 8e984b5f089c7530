//! `copydesk audit`: whether the desk's record is as it was written, and the record as lines for others.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::{Args, Subcommand};
use serde_json::json;

use crate::{
    cli::{
        commands::publish::mendable,
        exit::{Exit, WrongUse},
        intake::story,
        wiring::{self, settings, targets},
        work::{audited::audited, signing},
    },
    config::Settings,
    headless,
    ports::{Archive as _, RequestLedger as _},
    store::Store,
    text::count,
};

#[derive(Debug, Args)]
pub(crate) struct AuditArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Check the database, the audit log from its first to its last event, texts, runs and sign-offs. Exit code 1 if something was
    /// changed.
    Verify {
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// Check a control record that was exported with its signature beside it. Exit code 1 if it was changed.
    Record {
        /// The record, as `export --format record --out` wrote it.
        file: PathBuf,
        /// The public key of the editor, a PEM file [default: that of the configured private key].
        #[arg(long, value_name = "FILE")]
        key: Option<PathBuf>,
    },
    /// Print the last link of the log, or hand it to a target of `publish`, so that it is kept outside the database.
    Head {
        /// A target of `publisher.targets`: a folder, a mail, a webhook, a tool.
        #[arg(long, value_name = "TARGET")]
        to: Option<String>,
    },
    /// Ask a time-stamping authority (RFC 3161) for the date of the log, or check its answer.
    Timestamp {
        /// Up to the last event of this story [default: of all].
        story: Option<String>,
        /// Write the query into this file. Send it to an authority of your choice; nothing is sent here.
        #[arg(long, value_name = "FILE", required_unless_present = "check", conflicts_with = "check")]
        request: Option<PathBuf>,
        /// Check the authority's answer in this file. Exit code 1 if it is about no state of this log.
        #[arg(long, value_name = "FILE")]
        check: Option<PathBuf>,
        /// The authority's certificate that you trust, PEM or DER [default: the one in the answer].
        #[arg(long, value_name = "FILE", requires = "check")]
        certificate: Option<PathBuf>,
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

pub(crate) async fn audit(config: Option<&Path>, arguments: AuditArgs) -> Result<Exit> {
    let settings = settings::load(config)?;
    if let What::Record { file, key } = &arguments.what {
        return record(&settings, file, key.as_deref());
    }
    let store = wiring::store_to_look(&settings)?;
    if let What::Requests { story, left, json } = &arguments.what {
        return requests(&store, story.as_deref(), *left, *json).await;
    }
    if let What::Head { to } = &arguments.what {
        return head(&settings, &store, to.as_deref()).await;
    }
    if let What::Timestamp { story, request, check, certificate } = &arguments.what {
        return match check {
            None => timestamps::ask(&store, story.as_deref(), request.as_deref()).await,
            Some(check) => timestamps::check(&settings, &store, check, certificate.as_deref()).await,
        };
    }
    let found = audited(&settings, &store).await?;
    let whole = found.flaws.is_empty();
    match arguments.what {
        What::Verify { json: true } => {
            let flaws: Vec<String> = found.flaws.iter().map(ToString::to_string).collect();
            let head = store.chain_head().await?;
            headless::data(
                &json!({"whole": whole, "stories": found.stories, "events": found.events, "head": head, "flaws": flaws})
                    .to_string(),
            )?;
        }
        What::Verify { json: false } if whole => headless::data(&format!(
            "{} of {} are as they were written, from the first to the last; so are their texts, runs and sign-offs.",
            count(found.events, "event"),
            stories(found.stories)
        ))?,
        What::Verify { json: false } => {
            for flaw in &found.flaws {
                headless::data(&format!("The database is not as it was written: {flaw}."))?;
            }
            headless::message("If you did not do this, `copydesk restore` puts a backup in its place.");
        }
        // They are answered before.
        What::Record { .. } | What::Head { .. } | What::Requests { .. } | What::Timestamp { .. } => {}
        What::Export => {
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
        }
    }
    Ok(if whole { Exit::Fine } else { Exit::Failed })
}

/// Prints the end of the log, or hands it over.
async fn head(settings: &Settings, looked: &Store, to: Option<&str>) -> Result<Exit> {
    // Only what leaves this machine is written down.
    let store = if to.is_some() { wiring::store(settings)? } else { looked.clone() };
    let distribution = targets::distribution(settings, &store, settings.editor.clone());
    let sent = distribution.head(to).await.map_err(mendable)?;
    headless::data(&json!({"events": sent.events, "head": sent.head}).to_string())?;
    if let (Some(target), Some(answer)) = (to, sent.answer) {
        headless::message(&format!("{target} has it. {answer}"));
    }
    Ok(Exit::Fine)
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
    for line in headless::request_lines(&requests) {
        headless::data(&line)?;
    }
    Ok(Exit::Fine)
}

/// Checks the signature of a record.
fn record(settings: &Settings, file: &Path, key: Option<&Path>) -> Result<Exit> {
    let trusted = match (key, &settings.publisher.signing_key) {
        (Some(key), _) => signing::public_key(key)?,
        (None, Some(own)) => signing::public_half(own)?,
        (None, None) => {
            let why = "no key is configured (publisher.signing_key). Name the editor's public key with --key";
            return Err(WrongUse(why.to_owned()).into());
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

fn stories(number: u64) -> String {
    if number == 1 { "1 story".to_owned() } else { format!("{number} stories") }
}

#[cfg(feature = "timestamp")]
mod timestamps {
    use std::path::Path;

    use anyhow::{Context as _, Result};

    use crate::{
        cli::{
            commands::export::write,
            exit::{Exit, WrongUse},
            intake::story,
            work::{
                audited::audited,
                timestamps::{LONGEST, TimeStamp, certificate, query, read},
            },
        },
        config::Settings,
        headless,
        newsroom::local_time,
        ports::Archive as _,
        store::Store,
    };

    /// Writes a query about the link of the log's last event, or a story's.
    pub(super) async fn ask(store: &Store, named: Option<&str>, file: Option<&Path>) -> Result<Exit> {
        let of = match named {
            Some(named) => Some(story::story(store, named).await?.0),
            None => None,
        };
        let link = store.last_link(of.as_ref()).await?;
        let Some((event, link)) = link else { return Err(WrongUse("the log has no event yet".to_owned()).into()) };
        if let Some(file) = file {
            write(file, &query(&link)?, false)?;
            headless::message(&format!(
                "{} asks for the date of the log up to event {event} ({link}). Send it to a time-stamping authority, such as: curl -H \
                 'Content-Type: application/timestamp-query' --data-binary @{0} https://AUTHORITY > answer.tsr",
                file.display()
            ));
        }
        Ok(Exit::Fine)
    }

    /// Says what an answer proves.
    pub(super) async fn check(settings: &Settings, store: &Store, file: &Path, trusted: Option<&Path>) -> Result<Exit> {
        let bytes = |file: &Path| {
            let size = file.metadata().with_context(|| format!("{} cannot be read", file.display()))?.len();
            if size > LONGEST {
                return Err(WrongUse(format!("{} is larger than {} kB", file.display(), LONGEST >> 10)).into());
            }
            std::fs::read(file).with_context(|| format!("{} cannot be read", file.display()))
        };
        let trusted = match trusted {
            Some(file) => Some(certificate(&bytes(file)?, file)?),
            None => None,
        };
        let stamp = read(&bytes(file)?, trusted.as_ref())
            .map_err(|WrongUse(why)| WrongUse(format!("{}: {why}", file.display())))?;
        let TimeStamp { link, at, by } = stamp;
        let at = local_time(&at.to_string());
        let whole = audited(settings, store).await?.flaws.is_empty();
        let Some(event) = store.event_with_link(&link).await? else {
            headless::data(&format!("{by} has stamped {link} at {at}, and this log never ended with that."))?;
            return Ok(Exit::Failed);
        };
        headless::data(&format!("The log up to event {event} was there at {at}, says {by}."))?;
        if trusted.is_none() {
            headless::message(
                "The certificate is the one in the answer, and nobody has checked whose it is: name one that you trust with --certificate.",
            );
        }
        if !whole {
            headless::message("The record was changed since: `copydesk audit verify` says where.");
        }
        Ok(if whole { Exit::Fine } else { Exit::Failed })
    }
}

/// Without the part that knows how.
#[cfg(not(feature = "timestamp"))]
mod timestamps {
    use std::path::Path;

    use anyhow::Result;

    use crate::{
        cli::exit::{Exit, WrongUse},
        config::Settings,
        store::Store,
    };

    const WHY: &str = "this copydesk was built without time stamps. Build it with `cargo build --release --features timestamp`; the released \
                       binaries have them";

    #[expect(clippy::unused_async, reason = "the same function as with the feature")]
    pub(super) async fn ask(_: &Store, _: Option<&str>, _: Option<&Path>) -> Result<Exit> {
        Err(WrongUse(WHY.to_owned()).into())
    }

    #[expect(clippy::unused_async, reason = "the same function as with the feature")]
    pub(super) async fn check(_: &Settings, _: &Store, _: &Path, _: Option<&Path>) -> Result<Exit> {
        Err(WrongUse(WHY.to_owned()).into())
    }
}
