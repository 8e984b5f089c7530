//! One operating-system lock a story keeps two programs apart; it is gone with the program that held it, however that ended.

use std::{
    fs::{File, TryLockError},
    path::Path,
    thread,
    time::Duration,
};

use sha2::{Digest, Sha256};

use super::DeskError;
use crate::newsroom::StoryKey;

/// Who only looks whether a story is held, holds it for a glance: so often, and so long apart, a taker tries again.
const TRIES: u32 = 5;
const APART: Duration = Duration::from_millis(10);

/// Holds a story as long as it lives.
pub(super) struct StoryLock {
    _file: File,
}

impl StoryLock {
    /// Takes the lock of `story` in `folder`.
    ///
    /// # Errors
    /// [`DeskError::Locked`] where another program holds it.
    pub(super) fn take(folder: &Path, story: &StoryKey) -> Result<Self, DeskError> {
        for _ in 1..TRIES {
            match Self::glance(folder, story) {
                Err(DeskError::Locked { .. }) => thread::sleep(APART),
                result => return result,
            }
        }
        Self::glance(folder, story)
    }

    /// As [`StoryLock::take`], for who lets go of it at once.
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

    #[test]
    fn a_story_is_held_by_one_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let story = opening().topic.story();
        let held = StoryLock::take(folder.path(), &story).unwrap();
        assert!(matches!(StoryLock::take(folder.path(), &story), Err(DeskError::Locked { .. })));
        drop(held);
        StoryLock::take(folder.path(), &story).unwrap();
    }

    #[test]
    fn who_only_looks_stands_in_nobodys_way() {
        let folder = tempfile::tempdir().unwrap();
        let story = opening().topic.story();
        let looking = StoryLock::glance(folder.path(), &story).unwrap();
        let looks = thread::spawn(move || {
            thread::sleep(APART);
            drop(looking);
        });
        StoryLock::take(folder.path(), &story).unwrap();
        looks.join().unwrap();
    }
}
