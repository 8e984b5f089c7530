//! One operating-system lock a story keeps two programs apart; it is gone with the program that held it, however that ended.

use std::{
    fs::{File, TryLockError},
    path::{Path, PathBuf},
    time::Duration,
};

use sha2::{Digest, Sha256};

use super::DeskError;
use crate::newsroom::StoryKey;

/// Who only looks whether a story is held, holds it for a glance; who opens a run anew under changed settings, until its files are written,
/// while a worker may already take that run from the queue. So often, and so long apart, a taker tries again: a second in all.
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
        match tokio::task::spawn_blocking(move || Self::glance(&folder, &story)).await {
            Ok(result) => result,
            Err(error) => Err(DeskError::Folder { path, detail: error.to_string() }),
        }
    }

    /// Tries once, and waits for the disk: for who lets go of it at once.
    pub(super) fn glance(folder: &Path, story: &StoryKey) -> Result<Self, DeskError> {
        let cannot =
            |error: std::io::Error| DeskError::Folder { path: folder.display().to_string(), detail: error.to_string() };
        std::fs::create_dir_all(folder).map_err(cannot)?;
        // A digest, because two names that differ in case must share one file on every system.
        let name: String = hex::encode(Sha256::digest(story.folded())).chars().take(24).collect();
        let file = File::options().create(true).append(true).open(folder.join(name)).map_err(cannot)?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file }),
            Err(TryLockError::WouldBlock) => Err(DeskError::Locked { story: story.clone() }),
            Err(TryLockError::Error(error)) => Err(cannot(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::next_steps::tests::opening;

    #[tokio::test]
    async fn a_story_is_held_by_one_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let story = opening().topic.story();
        let held = StoryLock::take(folder.path(), &story).await.unwrap();
        assert!(matches!(StoryLock::take(folder.path(), &story).await, Err(DeskError::Locked { .. })));
        drop(held);
        StoryLock::take(folder.path(), &story).await.unwrap();
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
