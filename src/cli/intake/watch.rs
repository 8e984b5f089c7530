//! Says when a draft or a source has been saved, for `copydesk check --watch` and for editors.
//!
//! The files' dates and sizes are looked at four times a second. The system's own notices would come sooner, but they
//! differ by system and miss network drives. They also lose a file that an editor replaces by renaming another over it,
//! which many do.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use crate::cli::intake::sources;

/// How often the files are looked at.
const LOOK: Duration = Duration::from_millis(250);

/// How the files stand; of a folder also each document in it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FilesSeen(Vec<(PathBuf, Option<Standing>)>);

/// A file that is there.
#[derive(Debug, PartialEq, Eq)]
struct Standing {
    bytes: u64,
    saved: Option<SystemTime>,
}

impl FilesSeen {
    /// The same, without a file.
    pub(crate) fn without(mut self, file: &Path) -> Self {
        self.0.retain(|(path, _)| path != file);
        self
    }
}

/// Looks at the files and folders. Of a folder only its documents count: editors keep files of their own in it.
pub(crate) fn files_seen<'p>(paths: impl IntoIterator<Item = &'p Path>) -> FilesSeen {
    let mut seen = Vec::new();
    for path in paths {
        let files = match sources::inside(path) {
            Ok(inside) => {
                seen.push((path.to_owned(), None));
                inside.documents
            }
            Err(_) => vec![path.to_owned()],
        };
        seen.extend(files.into_iter().map(|file| {
            let standing = fs::metadata(&file).ok();
            let standing = standing.map(|file| Standing { bytes: file.len(), saved: file.modified().ok() });
            (file, standing)
        }));
    }
    FilesSeen(seen)
}

/// Waits until the files differ from `before` and have stayed as they are for one look: a save is not over at its first byte.
pub(crate) async fn changed(paths: &[PathBuf], before: &FilesSeen) {
    let mut last = files_seen(paths.iter().map(PathBuf::as_path));
    loop {
        tokio::time::sleep(LOOK).await;
        let now = files_seen(paths.iter().map(PathBuf::as_path));
        if now == last && now != *before {
            return;
        }
        last = now;
    }
}
