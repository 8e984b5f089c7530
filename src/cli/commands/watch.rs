//! `copydesk watch`: a folder in which every draft that lands beside its sources gets a copy with the findings: a Word document with
//! comments, any other draft a page.

use std::{collections::HashMap, fs, time::Duration};

use crate::cli::commands::check::{checked, page, word_copy};
use crate::cli::intake::{
    belonging::{self, DraftFacts},
    files,
    house_style::{self, ReadStyle},
    sources::{CHECKED, is_copy},
    watch::{self, FilesSeen},
};
use crate::cli::prelude::*;
use crate::proof::Gravity;

/// How often the folder is looked at.
const LOOK: Duration = Duration::from_secs(1);

/// Most drafts of a folder.
const MOST: usize = 1_000;

#[derive(Debug, Clone, Args)]
pub(crate) struct WatchArgs {
    /// The folder. A draft's sources are named in its front matter, lie in a folder NAME.sources beside it, or are named in a
    /// .copydesk.yaml.
    folder: PathBuf,
    /// Check the drafts that are there, and end.
    #[arg(long)]
    once: bool,
    #[command(flatten)]
    style: house_style::StyleArgs,
}

/// A draft as it was found last.
struct FoundDraft {
    /// Its file and what the file says.
    file: FilesSeen,
    facts: DraftFacts,
    sources: FilesSeen,
    is_checked: bool,
}

pub(crate) async fn watch(config: Option<&Path>, arguments: WatchArgs) -> Result<Exit> {
    let WatchArgs { folder, once, style } = arguments;
    let settings = style.configured(config)?;
    let style = style.read(settings.as_ref())?;
    let watching = move || -> Result<Exit> {
        let mut known = HashMap::new();
        loop {
            let mut found = HashMap::new();
            for draft in drafts(&folder)? {
                let before = known.remove(&draft);
                let mut now = draft_seen(&draft, before.as_ref());
                let is_same = before.as_ref().is_some_and(|old| old.file == now.file && old.sources == now.sources);
                now.is_checked = is_same && before.is_some_and(|old| old.is_checked);
                // A save is not over at its first byte.
                if (is_same || once) && !now.is_checked {
                    now.is_checked = true;
                    tell(&draft, copied(&draft, style.as_ref(), settings.as_ref()));
                }
                found.insert(draft, now);
            }
            if once {
                return Ok(Exit::Fine);
            }
            known = found;
            std::thread::sleep(LOOK);
        }
    };
    tokio::select! {
        ended = tokio::task::spawn_blocking(watching) => ended?,
        _ = tokio::signal::ctrl_c() => Ok(Exit::Interrupted),
    }
}

/// How a draft and its sources stand. Its file is read only if it differs from `before`.
fn draft_seen(draft: &Path, before: Option<&FoundDraft>) -> FoundDraft {
    let file = watch::files_seen([draft]);
    let facts = match before {
        Some(before) if before.file == file => before.facts.clone(),
        // Whoever checks it says what is wrong with it.
        _ => DraftFacts::in_file(draft).unwrap_or_default(),
    };
    FoundDraft { sources: belonging::sources_seen(draft, &facts), file, facts, is_checked: false }
}

/// The drafts of the folder, by name.
fn drafts(folder: &Path) -> Result<Vec<PathBuf>> {
    let shown = folder.display();
    let entries = fs::read_dir(folder).map_err(|error| wrong_use(format!("the folder {shown}: {error}")))?;
    let mut found = Vec::new();
    for entry in entries.flatten() {
        let path = entry.path();
        let is_draft = files::is(&path, &["md", "txt", "docx"]);
        let is_hidden = entry.file_name().to_string_lossy().starts_with(['.', '~']);
        if is_draft && !is_hidden && !is_copy(&path) && path.is_file() {
            found.push(path);
        }
    }
    if found.len() > MOST {
        return Err(wrong_use(format!("the folder {shown} has more than {MOST} drafts")));
    }
    found.sort();
    Ok(found)
}

/// Checks a draft and writes its copy. Returns the copy and the number of findings; nothing if no sources belong to it.
fn copied(draft: &Path, style: Option<&ReadStyle>, settings: Option<&Settings>) -> Result<Option<(PathBuf, usize)>> {
    let Some(sources) = belonging::sources_if_any(draft, &DraftFacts::in_file(draft)?)? else { return Ok(None) };
    let checked = checked::checked(draft, &sources, Gravity::Concern, style, settings)?;
    headless::messages(&checked.notes);
    let is_word = files::is(draft, &["docx"]);
    let stem = draft.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let copy = draft.with_file_name(format!("{stem}{CHECKED}.{}", if is_word { "docx" } else { "html" }));
    if is_word {
        headless::messages(word_copy::write(&copy, draft, &checked)?);
    } else {
        page::write(&copy, &page::page(&checked))?;
    }
    Ok(Some((copy, checked.ledger.findings().count())))
}

/// One line on a draft; a draft that cannot be checked holds no other one up.
fn tell(draft: &Path, copied: Result<Option<(PathBuf, usize)>>) {
    let shown = draft.display();
    match copied {
        Ok(Some((copy, findings))) => {
            headless::message(&format!("{shown}: {}, see {}", crate::text::count(findings, "finding"), copy.display()));
        }
        Ok(None) => headless::message(&format!("{shown}: no sources belong to it, so it is not checked")),
        Err(error) => headless::message(&format!("{shown}: {error:#}")),
    }
}
