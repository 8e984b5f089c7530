//! The knowledge base's folder: which files are in it.

use std::{
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use super::regular;
use copydesk_core::ports::KnowledgeFile;
use copydesk_documents as documents;
use copydesk_text::sanitise;

/// How deep folders may be nested; no newsroom nests deeper.
const DEPTH: usize = 16;

/// The contents of a folder.
#[derive(Debug, Default)]
pub(super) struct Listed {
    /// The files that can be indexed, by path, without their digests.
    pub(super) files: Vec<(KnowledgeFile, PathBuf)>,
    /// Files and folders that could not be read, each with the reason.
    pub(super) problems: Vec<String>,
    /// Whether the folder itself could not be listed. Its files then stay in the index.
    pub(super) unreadable: bool,
    /// Subfolders that could not be listed, relative to the folder. Their files stay in the index as well.
    pub(super) unlisted: Vec<String>,
    /// Whether the folder does not exist. Its files then stay in the index, too.
    pub(super) missing: bool,
}

/// Lists the documents of `folder` and of the folders in it, without those whose names begin with a dot. A link to a file stands for that
/// file if that lies in the folder, or if `links_out` says that links may lead out of it. A link to a folder is not followed, because it may
/// lead in a circle or to the whole disk.
pub(super) fn list(folder: &Path, links_out: bool) -> Listed {
    let mut listed = Listed::default();
    let inside = folder.canonicalize().ok().filter(|_| !links_out);
    look_into(folder, inside.as_deref(), "", 0, &mut listed);
    listed.files.sort_by(|(a, _), (b, _)| a.path.cmp(&b.path));
    listed
}

fn look_into(folder: &Path, inside: Option<&Path>, below: &str, depth: usize, listed: &mut Listed) {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if below.is_empty() && error.kind() == std::io::ErrorKind::NotFound => {
            listed.missing = true;
            return;
        }
        Err(error) => {
            let shown = sanitise::one_line(&folder.display().to_string());
            listed.problems.push(format!("the folder {shown} cannot be read: {error}; its files stay in the index"));
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
        let mut left_out = |why: &str| {
            listed.problems.push(format!("{}: {why} (left out)", sanitise::visible(&relative)));
        };
        let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
        let metadata = match std::fs::metadata(&path) {
            Ok(metadata) => metadata,
            Err(error) if is_link && error.kind() == std::io::ErrorKind::NotFound => {
                left_out("its link has no target");
                continue;
            }
            Err(error) => {
                let what = if is_link { "its link cannot be followed" } else { "it cannot be read" };
                left_out(&format!("{what}: {error}"));
                continue;
            }
        };
        if metadata.is_dir() {
            if is_link {
                left_out("links to folders are not followed; put the folder itself here");
            } else if depth == DEPTH {
                left_out(&format!("it is more than {DEPTH} folders deep; move it up"));
            } else {
                look_into(&path, inside, &format!("{relative}/"), depth + 1, listed);
            }
            continue;
        }
        if !metadata.is_file() {
            match regular::check(&path) {
                _ if is_link => left_out("its link leads to something that is not a file"),
                Err(what) if documents::is_known(&name) => left_out(&what.to_string()),
                _ => {}
            }
            continue;
        }
        if !documents::is_known(&name) {
            continue;
        }
        let leads_out = |inside: &Path| !path.canonicalize().is_ok_and(|whole| whole.starts_with(inside));
        if is_link && inside.is_some_and(leads_out) {
            left_out(
                "its link leads out of the folder; put the file itself here, or set knowledge_base.links_out_of_folder to true",
            );
            continue;
        }
        let modified = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let modified = modified.and_then(|time| i64::try_from(time.as_nanos()).ok()).unwrap_or(0);
        let file = KnowledgeFile { path: relative, size: metadata.len(), modified, digest: String::new() };
        listed.files.push((file, path));
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use super::*;

    #[test]
    fn a_link_to_a_file_is_followed_and_every_other_link_is_named() {
        let newsroom = tempfile::tempdir().unwrap();
        let folder = newsroom.path().join("knowledge");
        fs::create_dir_all(folder.join("2026")).unwrap();
        fs::write(newsroom.path().join("report.md"), "Text.").unwrap();
        fs::write(folder.join("2026/a.md"), "Text.").unwrap();
        for (to, link) in [
            ("../report.md", "linked.md"),
            (".", "self"),
            ("..", "2026/out"),
            ("gone.md", "dangling.md"),
            ("loop.md", "loop.md"),
            ("/dev/null", "nothing.md"),
            ("gone.md", ".hidden.md"),
        ] {
            symlink(to, folder.join(link)).unwrap();
        }
        // The folder itself may be a link, because the newsroom has configured it.
        symlink(&folder, newsroom.path().join("link")).unwrap();
        let out = list(&newsroom.path().join("link"), false);
        assert_eq!(out.files.len(), 1);
        let why = "linked.md: its link leads out of the folder; put the file itself here, or set knowledge_base.links_out_of_folder to true (left out)";
        assert!(out.problems.iter().any(|problem| problem == why), "{:?}", out.problems);
        let mut listed = list(&newsroom.path().join("link"), true);
        let files: Vec<&str> = listed.files.iter().map(|(file, _)| file.path.as_str()).collect();
        assert_eq!(files, ["2026/a.md", "linked.md"]);
        assert_eq!(listed.files[1].0.size, 5);
        listed.problems.sort();
        assert_eq!(
            listed.problems,
            [
                "2026/out: links to folders are not followed; put the folder itself here (left out)",
                "dangling.md: its link has no target (left out)",
                "loop.md: its link cannot be followed: Too many levels of symbolic links (os error 40) (left out)",
                "nothing.md: its link leads to something that is not a file (left out)",
                "self: links to folders are not followed; put the folder itself here (left out)",
            ]
        );
    }

    #[test]
    fn folders_that_lie_too_deep_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let deepest = ["d"; DEPTH].join("/");
        fs::create_dir_all(folder.path().join(format!("{deepest}/below"))).unwrap();
        fs::write(folder.path().join(format!("{deepest}/a.md")), "Text.").unwrap();
        let listed = list(folder.path(), false);
        assert_eq!(listed.files.len(), 1);
        assert_eq!(
            listed.problems,
            [format!("{deepest}/below: it is more than 16 folders deep; move it up (left out)")]
        );
    }
}
