//! The sources that a draft is held against: files and folders of them, each under a name of its own.

use std::{
    collections::{HashMap, HashSet},
    path::Component,
};

use crate::cli::intake::recordings;
use crate::cli::prelude::*;
use crate::newsroom::{HidingSource, RecordedSource, Secrecy, Source, UnsureBySource};
use crate::{documents, knowledge::reading};
use crate::{ports::TranscribeError, tui::worker::context::AddedFile};

/// The sources, and remarks for the reader, a sentence each.
#[derive(Debug, Default)]
pub(crate) struct GivenSources {
    pub(crate) sources: Vec<Source>,
    /// The file of each.
    pub(crate) paths: Vec<PathBuf>,
    /// Those that have text which no reader sees.
    pub(crate) hidden: Vec<HidingSource>,
    /// Those that were written down from recordings, here or by another program that marks what it was unsure of.
    pub(crate) recorded: Vec<RecordedSource>,
    /// The words that a recogniser was unsure of, by the source's name: of a recording, or of a transcript that marks them.
    pub(crate) unsure: UnsureBySource,
    pub(crate) notes: Vec<String>,
}

/// A file that is to be read.
struct Named {
    path: PathBuf,
    /// Whether it was found in a folder rather than named itself.
    found: bool,
}

/// Reads the files and the folders' files, in their order. `draft` is no source of its own. `say` tells what takes long before it begins;
/// without `settings` no recording can be read.
///
/// # Errors
/// If a named file cannot be read, or if nothing can.
pub(crate) fn read(
    paths: &[PathBuf],
    draft: Option<&Path>,
    settings: Option<&Settings>,
    say: fn(&str),
) -> Result<GivenSources> {
    let mut notes = Vec::new();
    let files = listed(paths, draft, &mut notes)?;
    let mut read: Vec<(PathBuf, Source)> = Vec::new();
    let mut unseen = Vec::new();
    let mut last = None;
    for Named { path, found } in files {
        let shown = shown(&path);
        match recordings::source(&path, settings, say) {
            Ok(document) => {
                notes.extend(document.remarks(&shown));
                let source = Source { name: reading::name(&path), text: document.text };
                read.push((path, source));
                unseen.push((document.hidden, document.unsure));
            }
            Err(error) if found => {
                notes.push(format!("{shown} was left out: {error}"));
                last = Some(error);
            }
            Err(error) if error.is::<TranscribeError>() => return Err(error.context(format!("the source {shown}"))),
            Err(error) => return Err(wrong_use(format!("the source {shown}: {error}"))),
        }
    }
    if read.is_empty() {
        let why = last.map_or_else(String::new, |error: anyhow::Error| format!(": {error}"));
        notes.push(format!("none of the sources could be read{why}"));
        return Err(wrong_use(notes.join("\n")));
    }
    let paths: Vec<PathBuf> = read.iter().map(|(path, _)| path.clone()).collect();
    let sources = distinct(read);
    let (mut hidden, mut recorded, mut unsure_in) = (Vec::new(), Vec::new(), UnsureBySource::new());
    for ((source, path), (texts, unsure)) in sources.iter().zip(&paths).zip(unseen) {
        if !texts.is_empty() {
            hidden.push(HidingSource { source: source.name.clone(), texts });
        }
        if !unsure.is_empty() {
            unsure_in.insert(source.name.clone(), unsure.clone());
        }
        recorded.extend(recordings::recorded(&source.name, path, unsure));
    }
    Ok(GivenSources { sources, paths, hidden, recorded, unsure: unsure_in, notes })
}

/// Reads one file as a source under its own name, and says what a reader should know about it. `say` is as for [`read`].
///
/// # Errors
/// If it is a folder, or cannot be read.
pub(crate) fn one(path: &Path, settings: &Settings, secrecy: &Secrecy, say: fn(&str)) -> Result<AddedFile> {
    if path.is_dir() {
        return Err(wrong_use(format!("{} is a folder: add its files one by one", shown(path))));
    }
    let read = || read(&[path.to_owned()], None, Some(settings), say);
    let GivenSources { sources, hidden, recorded, notes, .. } = recordings::in_confidence(secrecy, read)?;
    let source = sources.into_iter().next().ok_or_else(|| WrongUse(format!("{} is no source", shown(path))))?;
    let hidden = hidden.into_iter().flat_map(|hiding| hiding.texts).collect();
    let recorded = recorded.into_iter().next();
    Ok(AddedFile { source, hidden, recorded, notes })
}

fn shown(path: &Path) -> String {
    sanitise::one_line(&path.display().to_string())
}

/// The files to be read, each once.
fn listed(paths: &[PathBuf], draft: Option<&Path>, notes: &mut Vec<String>) -> Result<Vec<Named>> {
    let same = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let draft = draft.map(same);
    let mut seen = HashSet::new();
    let mut files = Vec::new();
    for path in paths {
        let inside = if path.is_dir() { Some(folder(path, notes)?) } else { None };
        let found = inside.is_some();
        for file in inside.unwrap_or_else(|| vec![path.clone()]) {
            let whole = same(&file);
            if draft.as_ref() == Some(&whole) {
                let shown = shown(&file);
                if !found {
                    return Err(wrong_use(format!("{shown} is the draft. A draft cannot be its own source")));
                }
                notes.push(format!("{shown} was left out: it is the draft"));
            } else if seen.insert(whole) {
                files.push(Named { path: file, found });
            } else {
                notes.push(format!("{} was named twice; it is read once", shown(&file)));
            }
        }
    }
    Ok(files)
}

/// The end of the names of copies with findings, before the ending of the file. Such a copy is neither a draft nor a source.
pub(crate) const CHECKED: &str = ".checked";

/// What lies in a folder, by name, without hidden files.
pub(crate) struct Inside {
    pub(crate) documents: Vec<PathBuf>,
    /// What is no source, or has to be named itself.
    left: Vec<PathBuf>,
}

/// Looks into a folder.
///
/// # Errors
/// If it cannot be read.
pub(crate) fn inside(folder: &Path) -> std::io::Result<Inside> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        all.push(entry?.path());
    }
    all.sort();
    all.retain(|path| !path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b".")));
    let is_source = |path: &PathBuf| !path.is_dir() && !is_copy(path) && documents::is_known(&reading::name(path));
    let (documents, left) = all.into_iter().partition(is_source);
    Ok(Inside { documents, left })
}

/// Whether a file is a copy with findings by its name.
pub(crate) fn is_copy(path: &Path) -> bool {
    path.file_stem().is_some_and(|stem| stem.to_string_lossy().ends_with(CHECKED))
}

/// The documents of a folder, by name. A note names each file that is left out.
fn folder(path: &Path, notes: &mut Vec<String>) -> Result<Vec<PathBuf>> {
    let unread = |error: std::io::Error| WrongUse(format!("the folder {} cannot be read: {error}", shown(path)));
    let Inside { documents: files, left } = inside(path).map_err(unread)?;
    if files.is_empty() {
        let what = documents::ENDINGS;
        return Err(wrong_use(format!("the folder {} holds no document ({what})", shown(path))));
    }
    for path in left {
        let why = if path.is_dir() {
            "it is a folder; name it as a --source of its own"
        } else if is_copy(&path) {
            "it is a copy of a draft with findings"
        } else if documents::is_recording(&reading::name(&path)) {
            "it is a recording; name it as a --source of its own"
        } else {
            "no document by its name"
        };
        notes.push(format!("{} was left out: {why}", shown(&path)));
    }
    Ok(files)
}

/// The sources, those of one name with as many of their folders before it as tell them apart.
fn distinct(read: Vec<(PathBuf, Source)>) -> Vec<Source> {
    let mut depth = 1;
    let mut names: Vec<String> = read.iter().map(|(_, source)| source.name.clone()).collect();
    let deepest = read.iter().map(|(path, _)| path.components().count()).max().unwrap_or(1);
    while depth < deepest {
        depth += 1;
        let mut counts: HashMap<String, usize> = HashMap::new();
        for name in &names {
            *counts.entry(name.clone()).or_default() += 1;
        }
        for (name, (path, _)) in names.iter_mut().zip(&read) {
            if counts.get(name).is_some_and(|count| *count > 1) {
                *name = tail(path, depth);
            }
        }
    }
    let mut taken = HashSet::new();
    let sources = read.into_iter().zip(names).map(|((_, source), name)| {
        // Names that differ only in what cannot be shown.
        let mut own = name.clone();
        let mut number = 2;
        while !taken.insert(own.clone()) {
            own = format!("{name} ({number})");
            number += 1;
        }
        Source { name: own, ..source }
    });
    sources.collect()
}

/// The last parts of a path.
fn tail(path: &Path, parts: usize) -> String {
    let all: Vec<String> = path
        .components()
        .filter(|part| !matches!(part, Component::CurDir | Component::RootDir))
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect();
    sanitise::one_line(&all.get(all.len().saturating_sub(parts)..).unwrap_or_default().join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_of_one_name_are_told_apart_by_their_folders() {
        let source = |path: &str| {
            let path = PathBuf::from(path);
            let name = reading::name(&path);
            (path, Source { name, text: "x".into() })
        };
        let names: Vec<String> = distinct(vec![
            source("a/one/notes.txt"),
            source("b/one/notes.txt"),
            source("./two/notes.txt"),
            source("b/log.txt"),
        ])
        .into_iter()
        .map(|source| source.name)
        .collect();
        assert_eq!(names, ["a/one/notes.txt", "b/one/notes.txt", "two/notes.txt", "log.txt"]);
        let same: Vec<String> = distinct(vec![source("a/n\u{1}.txt"), source("a/n\u{2}.txt")])
            .into_iter()
            .map(|source| source.name)
            .collect();
        assert_eq!(same, ["a/n.txt", "a/n.txt (2)"]);
    }
}
