//! Notes on knowledge files beside the index: the files that stopped their readers, and the files with hidden text.

use std::collections::BTreeMap;

use super::settings::{set_setting, setting};
use crate::database::{Database, DbFault};
use copydesk_core::ports::StoppedFile;
use copydesk_newsroom::HiddenText;

/// Files that stopped their readers: a list in JSON.
const STOPPED: &str = "knowledge.stopped";

/// Hidden text, by file: an object in JSON.
const HIDDEN: &str = "knowledge.hidden";

/// Most files that are remembered as having stopped a reader. Of more, the last ones.
const MOST: usize = 1_000;

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
