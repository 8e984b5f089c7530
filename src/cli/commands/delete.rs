//! `copydesk delete`: a story goes, with everything that it left.

use crate::cli::prelude::*;
use crate::config::DatabasePlace;
use crate::desk::{self, Deletion};
use crate::{newsroom::ListedRun, ports::Archive, text::count};

#[derive(Debug, Args)]
pub(crate) struct DeleteArgs {
    /// channel/slug, or a slug.
    story: String,
    /// Delete without asking.
    #[arg(long)]
    yes: bool,
}

pub(crate) async fn delete(config: Option<&Path>, arguments: DeleteArgs) -> Result<Exit> {
    let (settings, store) = wiring::open(config)?;
    let (key, _, current) = story::story(&store, &arguments.story).await?;
    let locks = wiring::locks(&settings, &store);
    // The question is not asked if the deletion is impossible.
    drop(locks.take(&key).await?);
    if !arguments.yes {
        let runs = store.runs_of(&current.story).await?.len();
        if !confirmed(&current, runs)? {
            headless::message("Nothing was deleted.");
            return Ok(Exit::Fine);
        }
    }
    let outputs = wiring::outputs(&settings);
    let deleted = desk::delete(&store, &outputs, &locks, &key, &settings.editor, &clock::now()).await?;
    match deleted {
        Some(deleted) => say(&current, &deleted, &settings.database),
        None => headless::message(&format!("{} was deleted by another program meanwhile.", current.story)),
    }
    Ok(Exit::Fine)
}

/// Asks the person at the terminal.
fn confirmed(current: &ListedRun, runs: usize) -> Result<bool> {
    let runs = if runs == 1 { "its run".to_owned() } else { format!("its {runs} runs") };
    let about = format!(
        "{} ({}): its article, {runs} with every draft, prompt and answer, and its records in the memory will be gone. \
         This cannot be undone.",
        current.story, current.title
    );
    let answer = headless::asked(&about, "Delete it? Type yes: ")?.ok_or_else(|| {
        wrong_use(format!(
            "deleting {} cannot be undone, and nobody can be asked here: add --yes (nothing was deleted)",
            current.story
        ))
    })?;
    Ok(answer == "yes")
}

fn say(current: &ListedRun, Deletion { records, paths, missed }: &Deletion, place: &DatabasePlace) {
    headless::message(&format!(
        "Deleted {}: {}, {}, {}, {}, {} that nothing else uses.",
        current.story,
        count(records.runs, "run"),
        count(records.entries, "step"),
        count(records.calls, "call"),
        count(records.memory, "memory record"),
        count(records.texts, "text")
    ));
    headless::messages(paths.iter().map(|path| format!("Deleted {}", path.display())));
    headless::messages(missed.iter().map(|sentence| format!("Not found: {sentence}.")));
    if !records.wiped {
        headless::message(wiring::left_behind(place));
    }
    headless::message("The audit log records the deletion, not the story. Backups are yours to delete.");
}
