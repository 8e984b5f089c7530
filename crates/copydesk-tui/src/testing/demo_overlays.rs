//! The overlays, for the snapshots.

use crate::{
    app::{
        model::Question,
        news::{FolderEntry, FolderListing},
    },
    screens::files::FileBrowser,
};

/// The file browser on a folder, with two files marked or with a problem.
pub(crate) fn files(typed: &str, marked: bool) -> FileBrowser {
    let entry = |name: &str, is_folder, what: &str| FolderEntry { name: name.into(), is_folder, what: what.into() };
    let entries = vec![
        entry("council minutes.docx", false, "a Word document (DOCX)"),
        entry("minutes.txt", false, "a text"),
        entry("park.json", false, "a topic (JSON)"),
        entry("press conference.vtt", false, "a file of captions"),
        entry("archive", true, "a folder"),
    ];
    let marks = if marked { vec!["minutes.txt".to_owned(), "press conference.vtt".to_owned()] } else { Vec::new() };
    let mut files = FileBrowser { typed: typed.into(), marked: marks, ..FileBrowser::default() };
    files.listing = Some(FolderListing { entries, ..FolderListing::default() });
    files.problem = (!marked).then(|| "minutes.txt: the file is empty".to_owned());
    files
}

pub(crate) fn question() -> Question {
    let text =
        "2 stories stop. Finished steps are safe. To resume them, run `copydesk resume` or open this screen again.";
    Question::new("Quit?", text, "quit", |_| {})
}
