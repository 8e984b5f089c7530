//! The knowledge base's folder: which files are in it.

use std::{
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use crate::{documents, ports::KnowledgeFile, text::sanitise};

/// How many folders deep is looked: no newsroom nests deeper, and a folder that links to itself has no end.
const DEPTH: usize = 16;

/// What a folder holds.
#[derive(Debug, Default)]
pub(super) struct Listed {
    /// The files that can be indexed, by path, without their digests.
    pub(super) files: Vec<(KnowledgeFile, PathBuf)>,
    /// What could not be looked at, each with its reason.
    pub(super) problems: Vec<String>,
    /// Whether the folder itself could not be listed: then what is indexed of it stays.
    pub(super) unreadable: bool,
    /// Folders within it that could not be listed, relative to it: what is indexed of these stays as well.
    pub(super) unlisted: Vec<String>,
    /// Whether there is no such folder: then what is indexed of it stays, too.
    pub(super) missing: bool,
}

/// Lists the documents of `folder` and of the folders in it; those whose names begin with a dot are nobody's.
pub(super) fn list(folder: &Path) -> Listed {
    let mut listed = Listed::default();
    look_into(folder, "", 0, &mut listed);
    listed.files.sort_by(|(a, _), (b, _)| a.path.cmp(&b.path));
    listed
}

fn look_into(folder: &Path, below: &str, depth: usize, listed: &mut Listed) {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if below.is_empty() && error.kind() == std::io::ErrorKind::NotFound => {
            listed.missing = true;
            return;
        }
        Err(error) => {
            let shown = sanitise::one_line(&folder.display().to_string());
            listed.problems.push(format!("the folder {shown} cannot be read: {error}; what is indexed of it stays"));
            if below.is_empty() {
                listed.unreadable = true;
            } else {
                listed.unlisted.push(below.to_owned());
            }
            return;
        }
    };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') {
            continue;
        }
        let path = entry.path();
        let relative = format!("{below}{name}");
        // Follows links: a newsroom may keep its files elsewhere.
        let Ok(metadata) = std::fs::metadata(&path) else {
            listed.problems.push(format!("{}: it cannot be looked at", sanitise::one_line(&relative)));
            continue;
        };
        if metadata.is_dir() {
            if depth < DEPTH {
                look_into(&path, &format!("{relative}/"), depth + 1, listed);
            }
            continue;
        }
        if !metadata.is_file() || !documents::is_known(&name) {
            continue;
        }
        let modified = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let modified = modified.and_then(|time| i64::try_from(time.as_nanos()).ok()).unwrap_or(0);
        let file = KnowledgeFile { path: relative, size: metadata.len(), modified, digest: String::new() };
        listed.files.push((file, path));
    }
}
