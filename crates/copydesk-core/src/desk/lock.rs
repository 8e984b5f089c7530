//! One operating-system lock a story keeps two programs apart; it is gone with the program that held it, however that ended.
//!
//! A program that hangs keeps its lock, but its story is passed on. From then on the database refuses that program's
//! commits, by the generation of its lease. The lock's file is removed, so that the next program locks a new one.

use std::{
    fs::{File, OpenOptions, TryLockError},
    path::{Path, PathBuf},
    time::Duration,
};

use sha2::{Digest, Sha256};

use super::{Desk, DeskError};
use crate::ports::aside;
use copydesk_newsroom::StoryKey;

/// A program that only looks whether a story is held, holds it for a moment. One that opens a run anew under changed
/// settings holds it until the files are written, while a worker may already take that run. So a taker tries again,
/// this often and this far apart: a second in all.
const TRIES: u32 = 100;
const APART: Duration = Duration::from_millis(10);

/// Holds a story as long as it lives.
pub(super) struct StoryLock {
    _file: File,
}

impl StoryLock {
    /// Takes the lock of `story` in `folder`.
    ///
    /// # Errors
    /// [`DeskError::Locked`] if another program holds it, [`DeskError::Folder`] if that cannot be found out.
    pub(super) async fn take(folder: &Path, story: &StoryKey) -> Result<Self, DeskError> {
        for _ in 1..TRIES {
            match Self::try_once(folder.to_owned(), story.clone()).await {
                Err(DeskError::Locked { .. }) => tokio::time::sleep(APART).await,
                result => return result,
            }
        }
        Self::try_once(folder.to_owned(), story.clone()).await
    }

    /// A folder may be on a disk that is slow to answer: not on the thread that serves every story.
    async fn try_once(folder: PathBuf, story: StoryKey) -> Result<Self, DeskError> {
        let path = folder.display().to_string();
        match aside(move || Self::glance(&folder, &story)).await {
            Ok(result) => result,
            Err(error) => Err(DeskError::Folder { path, detail: error.to_string() }),
        }
    }

    /// Tries once, and waits for the disk: for callers that let go of the lock at once.
    pub(super) fn glance(folder: &Path, story: &StoryKey) -> Result<Self, DeskError> {
        let cannot = |error| DeskError::folder(folder, &error);
        std::fs::create_dir_all(folder).map_err(cannot)?;
        let path = path_of(folder, story);
        let file = private(File::options().create(true).append(true)).open(&path).map_err(cannot)?;
        match file.try_lock() {
            Ok(()) if is_still(&file, &path) => Ok(Self { _file: file }),
            // Another program removed the file in this very moment: the next try finds the new one.
            Ok(()) | Err(TryLockError::WouldBlock) => Err(DeskError::Locked { story: story.clone() }),
            Err(TryLockError::Error(error)) => Err(cannot(error)),
        }
    }
}

impl Desk {
    /// Takes a story from a program that holds its lock and hangs.
    ///
    /// # Errors
    /// [`DeskError`] if that could not be written. The part done so far does no harm, and the call can be repeated.
    pub(super) async fn pass_on(&self, story: &StoryKey) -> Result<(), DeskError> {
        // In this order: once the lock is free, nothing of the other program's work can come in any more.
        self.queue.pass_on(story).await?;
        let path = path_of(&self.locks, story);
        let file = path.clone();
        let removed = aside(move || std::fs::remove_file(file)).await;
        removed.map_err(std::io::Error::other).flatten().map_err(|error| DeskError::folder(&path, &error))
    }
}

/// A digest, because two names that differ in case must share one file on every system.
fn path_of(folder: &Path, story: &StoryKey) -> PathBuf {
    let name: String = hex::encode(Sha256::digest(story.folded())).chars().take(24).collect();
    folder.join(name)
}

/// Its owner's alone; a link in its place is not followed.
#[cfg(unix)]
fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    use std::os::unix::fs::OpenOptionsExt as _;
    options.mode(0o600).custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed())
}

#[cfg(not(unix))]
fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

/// Whether the file is the one that stands at its path.
#[cfg(unix)]
fn is_still(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let place = |found: std::fs::Metadata| (found.dev(), found.ino());
    file.metadata().map(place).ok().is_some_and(|own| path.metadata().map(place).is_ok_and(|there| there == own))
}

#[cfg(not(unix))]
fn is_still(_: &File, path: &Path) -> bool {
    path.exists()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::opening;

    #[tokio::test]
    async fn a_story_is_held_by_one_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let story = opening().topic.story();
        let held = StoryLock::take(folder.path(), &story).await.unwrap();
        assert!(matches!(StoryLock::take(folder.path(), &story).await, Err(DeskError::Locked { .. })));
        drop(held);
        StoryLock::take(folder.path(), &story).await.unwrap();
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn a_lock_whose_file_was_removed_holds_nobody_up_and_whoever_opened_it_before_does_not_have_the_story() {
        let folder = tempfile::tempdir().unwrap();
        let story = opening().topic.story();
        let hung = StoryLock::take(folder.path(), &story).await.unwrap();
        let path = path_of(folder.path(), &story);
        let late = File::options().append(true).open(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        let next = StoryLock::take(folder.path(), &story).await.unwrap();
        assert!(matches!(StoryLock::glance(folder.path(), &story), Err(DeskError::Locked { .. })));
        drop((hung, next));
        assert!(!is_still(&late, &path), "it locks a file that nobody finds any more");
        let link = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(folder.path().join("elsewhere"), path_of(link.path(), &story)).unwrap();
        assert!(matches!(StoryLock::glance(link.path(), &story), Err(DeskError::Folder { .. })), "a link");
    }

    /// On a runtime of one thread: who looks can only let go while who takes is waiting, since waiting holds nobody up.
    #[tokio::test]
    async fn who_only_looks_stands_in_nobodys_way_and_who_waits_holds_nobody_up() {
        let folder = tempfile::tempdir().unwrap();
        let story = opening().topic.story();
        let looking = StoryLock::glance(folder.path(), &story).unwrap();
        let (taken, ()) = tokio::join!(StoryLock::take(folder.path(), &story), async move { drop(looking) });
        taken.unwrap();
    }
}
