//! `copydesk gc`: takes away what the configured retention lets go; without `--yes` it only says what that would be.

use crate::cli::prelude::*;
use crate::desk::{self, Policy, Really};
use crate::editorial::expiry;

#[derive(Debug, Args)]
pub(crate) struct GcArgs {
    /// Delete. Without this, only list what would be deleted.
    #[arg(long)]
    yes: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(crate) async fn gc(config: Option<&Path>, arguments: GcArgs) -> Result<Exit> {
    let (settings, store) = wiring::open(config)?;
    let policy = policy(&settings);
    let really = if arguments.yes { Really::Yes } else { Really::No };
    let (outputs, locks) = (wiring::outputs(&settings), wiring::locks(&settings, &store));
    let bar = headless::Bar::new(if arguments.yes { "deleting" } else { "looking" }, "stories");
    let (by, at, progress) = (&settings.editor, clock::now(), bar.progress());
    let swept = desk::sweep(&store, &outputs, &locks, &policy, (by, &at), really, &progress).await?;
    drop(bar);
    let table = headless::swept_table(&swept);
    if arguments.json {
        headless::json(&headless::swept_json(&swept, !arguments.yes))?;
    } else if let Some(table) = &table {
        headless::data(table)?;
    }
    headless::messages(swept.missed.iter().map(|sentence| format!("Left: {sentence}.")));
    headless::message(match (&table, really) {
        (None, _) if policy == Policy::default() => {
            "Nothing to delete: every retention setting is null (or, for the memory, nothing expires)."
        }
        (None, _) => "Nothing is old enough to delete.",
        (Some(_), Really::No) => "Nothing was changed. `copydesk gc --yes` deletes this; it cannot be undone.",
        (Some(_), Really::Yes) => {
            "Deleted. Drafts, verdicts, decisions and articles are kept; the audit log says what was deleted. Backups are yours to \
             delete."
        }
    });
    let unwiped = (swept.texts.texts > 0 && !swept.texts.wiped) || (swept.memory.texts > 0 && !swept.memory.wiped);
    if arguments.yes && unwiped {
        headless::message(wiring::left_behind(&settings.database));
    }
    Ok(if swept.missed.is_empty() { Exit::Fine } else { Exit::Failed })
}

/// The limits of deletion now, as the settings give them.
fn policy(settings: &Settings) -> Policy {
    let now = clock::SystemClock.now();
    let retention = settings.retention;
    let expires = settings.article_generation.institutional_memory.expires_after_days;
    let memory = expires.zip(retention.expired_memory_days).map(|(expires, more)| expires.saturating_add(more));
    Policy {
        calls_before: expiry::since(now, retention.calls_days),
        vectors_before: expiry::since(now, retention.vectors_days),
        artifacts_before: expiry::since(now, retention.artifacts_days),
        memory_before: expiry::since(now, memory),
    }
}
