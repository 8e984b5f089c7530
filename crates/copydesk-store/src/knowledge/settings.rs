//! The notes of the index about itself: how its texts were cut, whose vectors it holds, which files stopped their readers or hide text.

use std::collections::BTreeMap;

use crate::database::Database;
use crate::fault::DbFault;
use copydesk_core::ports::StoppedFile;
use copydesk_newsroom::HiddenText;

/// How the knowledge base is cut, as the index was last built.
pub(super) const CHUNKING: &str = "knowledge.chunking";

/// How the stories' texts are cut.
pub(super) const STORY_CHUNKING: &str = "stories.chunking";

/// The embedder of the vectors and their length: `LENGTH IDENTITY`.
const EMBEDDER: &str = "knowledge.embedder";

/// Files that stopped their readers: a list in JSON.
const STOPPED: &str = "knowledge.stopped";

/// Hidden text, by file: an object in JSON.
const HIDDEN: &str = "knowledge.hidden";

/// Most files that are remembered as having stopped a reader. Of more, the last ones.
const MOST: usize = 1_000;

pub(super) fn setting(db: &Database, key: &str) -> Result<Option<String>, DbFault> {
    db.optional("SELECT value FROM setting WHERE key = ?1", [key])
}

pub(super) fn set_setting(db: &Database, key: &str, value: &str) -> Result<(), DbFault> {
    db.write(
        "INSERT INTO setting (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        [key, value],
    )
}

/// The embedder of the vectors, and how long they are.
pub(super) fn embedder(db: &Database) -> Result<Option<(String, usize)>, DbFault> {
    Ok(setting(db, EMBEDDER)?.and_then(|kept| {
        let (length, identity) = kept.split_once(' ')?;
        Some((identity.to_owned(), length.parse().ok()?))
    }))
}

pub(super) fn set_embedder(db: &Database, identity: &str, length: usize) -> Result<(), DbFault> {
    set_setting(db, EMBEDDER, &format!("{length} {identity}"))
}

/// Reads a note; one that is damaged counts as none, and costs a second reading at most.
fn noted<T: serde::de::DeserializeOwned + Default>(db: &Database, key: &str) -> Result<T, DbFault> {
    Ok(setting(db, key)?.and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default())
}

fn note(db: &Database, key: &str, value: &impl serde::Serialize) -> Result<(), DbFault> {
    // Lists of texts always have a form in JSON.
    let json = serde_json::to_string(value).unwrap_or_default();
    set_setting(db, key, &json)
}

pub(super) fn stopped(db: &Database) -> Result<Vec<StoppedFile>, DbFault> {
    noted(db, STOPPED)
}

pub(super) fn note_stopped(db: &Database, file: StoppedFile) -> Result<(), DbFault> {
    let mut all = stopped(db)?;
    all.retain(|known| known.digest != file.digest);
    all.push(file);
    let over = all.len().saturating_sub(MOST);
    all.drain(..over);
    note(db, STOPPED, &all)
}

pub(super) fn forget_stopped(db: &Database) -> Result<(), DbFault> {
    note(db, STOPPED, &Vec::<StoppedFile>::new())
}

/// Of the files that are indexed.
pub(super) fn hidden(db: &Database) -> Result<Vec<(String, Vec<HiddenText>)>, DbFault> {
    let all: BTreeMap<String, Vec<HiddenText>> = noted(db, HIDDEN)?;
    let mut found = Vec::new();
    for (name, texts) in all {
        let known: Option<i64> =
            db.optional("SELECT id FROM document WHERE story IS NULL AND name = ?1", [name.as_str()])?;
        found.extend(known.map(|_| (name, texts)));
    }
    Ok(found)
}

/// Notes what a file that is being indexed hides.
pub(super) fn note_hidden(db: &Database, name: &str, texts: Vec<HiddenText>) -> Result<(), DbFault> {
    let mut all: BTreeMap<String, Vec<HiddenText>> = noted(db, HIDDEN)?;
    let before = all.remove(name);
    if before.is_none() && texts.is_empty() {
        return Ok(());
    }
    if !texts.is_empty() {
        all.insert(name.to_owned(), texts);
    }
    note(db, HIDDEN, &all)
}
