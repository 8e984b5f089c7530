//! Lists a folder for the file browser: subfolders, and the files that a story can begin with.

use std::{fs, path::Path};

use crate::app::{FolderEntry, FolderListing};
use crate::screens::forms::model::expanded;
use copydesk_documents::{DocumentKind, is_recording};
use copydesk_text::sanitise;

/// Most entries of a folder that are listed.
const MOST: usize = 5000;

/// The entries of a folder, or why it cannot be read. It blocks.
pub(crate) fn list(folder: String) -> FolderListing {
    let (entries, trouble) = match read(&folder) {
        Ok(entries) => (entries, None),
        Err(error) => (Vec::new(), Some(format!("{} cannot be read: {error}", sanitise::one_line(&folder)))),
    };
    FolderListing { folder, entries, trouble }
}

fn read(folder: &str) -> std::io::Result<Vec<FolderEntry>> {
    let path = if folder.is_empty() { Path::new(".").to_owned() } else { expanded(folder) };
    let mut entries: Vec<FolderEntry> = Vec::new();
    for entry in fs::read_dir(path)?.take(MOST) {
        let Ok(entry) = entry else { continue };
        // A name that is no text cannot be typed.
        let Ok(name) = entry.file_name().into_string() else { continue };
        let is_folder = fs::metadata(entry.path()).is_ok_and(|about| about.is_dir());
        if let Some(what) = if is_folder { Some("a folder") } else { kind(&name) } {
            entries.push(FolderEntry { name, is_folder, what: what.to_owned() });
        }
    }
    entries.sort_by(|one, other| (one.is_folder, &one.name).cmp(&(other.is_folder, &other.name)));
    Ok(entries)
}

/// The kind of a file, by its name; none if no story can begin with it.
fn kind(name: &str) -> Option<&'static str> {
    if name.to_lowercase().ends_with(".json") {
        return Some("a topic (JSON)");
    }
    if is_recording(name) {
        return Some("a recording");
    }
    DocumentKind::by_name(name).map(DocumentKind::name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_lists_what_a_story_can_begin_with() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["notes.txt", "park.JSON", "scan.pdf", "talk.mp3", "program.exe"] {
            fs::write(folder.path().join(name), "x").unwrap();
        }
        fs::create_dir(folder.path().join("archive")).unwrap();
        let typed = format!("{}/", folder.path().display());
        let found: Vec<(String, String)> =
            read(&typed).unwrap().into_iter().map(|entry| (entry.name, entry.what)).collect();
        let expected = [
            ("notes.txt", "a text"),
            ("park.JSON", "a topic (JSON)"),
            ("scan.pdf", "a PDF"),
            ("talk.mp3", "a recording"),
            ("archive", "a folder"),
        ];
        assert_eq!(found, expected.map(|(name, what)| (name.to_owned(), what.to_owned())));
        assert!(read("/no such folder/").is_err());
    }
}
