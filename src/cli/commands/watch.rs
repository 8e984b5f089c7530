//! `copydesk watch`: a folder in which every draft that lands beside its sources gets a copy with the findings: a Word document with
//! comments, any other draft a page.

use std::{
    collections::HashMap,
    fs,
    time::{Duration, SystemTime},
};

use crate::cli::commands::check::{checked, page, word_copy};
use crate::cli::intake::{
    belonging::{self, DraftFacts},
    house_style::{self, ReadStyle},
};
use crate::cli::prelude::*;
use crate::proof::Gravity;

/// How often the folder is looked at.
const LOOK: Duration = Duration::from_secs(1);

/// The end of the names of copies. No such file is a draft.
const CHECKED: &str = ".checked";

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

/// A file as it stood when it was looked at.
type Standing = (u64, Option<SystemTime>);

pub(crate) async fn watch(config: Option<&Path>, arguments: WatchArgs) -> Result<Exit> {
    let WatchArgs { folder, once, style } = arguments;
    let settings = style.configured(config)?;
    let style = style.read(settings.as_ref())?;
    let watching = move || -> Result<Exit> {
        // When a draft was found last, and when it was checked.
        let (mut found, mut done) = (HashMap::new(), HashMap::new());
        loop {
            let now = drafts(&folder)?;
            for (draft, standing) in &now {
                // A save is not over at its first byte.
                let is_still = once || found.get(draft) == Some(standing);
                if is_still && done.get(draft) != Some(standing) {
                    done.insert(draft.clone(), *standing);
                    tell(draft, copied(draft, style.as_ref(), settings.as_ref()));
                }
            }
            if once {
                return Ok(Exit::Fine);
            }
            found = now;
            std::thread::sleep(LOOK);
        }
    };
    tokio::select! {
        ended = tokio::task::spawn_blocking(watching) => ended?,
        _ = tokio::signal::ctrl_c() => Ok(Exit::Interrupted),
    }
}

/// The drafts of the folder.
fn drafts(folder: &Path) -> Result<HashMap<PathBuf, Standing>> {
    let shown = folder.display();
    let entries = fs::read_dir(folder).map_err(|error| wrong_use(format!("the folder {shown}: {error}")))?;
    let mut found = HashMap::new();
    for entry in entries.flatten() {
        let path = entry.path();
        let ending = path.extension().map(std::ffi::OsStr::to_ascii_lowercase);
        let is_draft = ending.is_some_and(|ending| ["md", "txt", "docx"].iter().any(|known| ending == *known));
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let is_own = stem.ends_with(CHECKED) || stem.starts_with(['.', '~']);
        let Ok(file) = entry.metadata() else { continue };
        if is_draft && !is_own && file.is_file() {
            found.insert(path, (file.len(), file.modified().ok()));
        }
    }
    if found.len() > MOST {
        return Err(wrong_use(format!("the folder {shown} has more than {MOST} drafts")));
    }
    Ok(found)
}

/// Checks a draft and writes its copy. Returns the copy and the number of findings; nothing if no sources belong to it.
fn copied(draft: &Path, style: Option<&ReadStyle>, settings: Option<&Settings>) -> Result<Option<(PathBuf, usize)>> {
    let text = fs::read(draft)?;
    let facts = DraftFacts::of(&String::from_utf8_lossy(&text))?;
    let Some(sources) = belonging::found(draft, &facts)? else { return Ok(None) };
    let checked = checked::checked(draft, &sources, Gravity::Concern, style, false, settings)?;
    for note in &checked.notes {
        headless::message(note);
    }
    let is_word = draft.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("docx"));
    let stem = draft.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let copy = draft.with_file_name(format!("{stem}{CHECKED}.{}", if is_word { "docx" } else { "html" }));
    if is_word {
        if let Some(note) = word_copy::write(&copy, draft, &checked)? {
            headless::message(&note);
        }
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
