//! One lock a story keeps two programs apart; it is gone with the program that held it, however that ended. On one machine it is the
//! operating system's, of a file; on a desk that machines share, the server's too.
//!
//! A program that hangs keeps its lock, but its story is passed on. From then on the database refuses that program's
//! commits, by the generation of its lease. The lock's file is removed, so that the next program locks a new one; the server's lock
//! has the generation in its name.

use std::{
    fs::{File, TryLockError},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use sha2::{Digest, Sha256};

use super::{DeskError, files::private};
use crate::ports::{Queue, SharedDesk, aside};
use copydesk_newsroom::StoryKey;

/// A program that only looks whether a story is held, holds it for a moment. One that opens a run anew under changed
/// settings holds it until the files are written, while a worker may already take that run. So a taker tries again,
/// this often and this far apart: a second in all.
const TRIES: u32 = 100;
const APART: Duration = Duration::from_millis(10);

/// The locks of a desk's stories.
#[derive(Clone)]
pub struct StoryLocks {
    /// The folder of their files.
    folder: PathBuf,
    /// None if the desk is in a file.
    server: Option<Arc<dyn SharedDesk>>,
}

/// Those of a desk in a file.
impl From<PathBuf> for StoryLocks {
    fn from(folder: PathBuf) -> Self {
        Self::new(folder, None)
    }
}

/// Holds a story as long as it lives.
pub struct StoryLock {
    /// It is dropped before the file's lock: a program that finds the file free asks the server next.
    _on_server: Option<Box<dyn Send + Sync>>,
    _file: File,
}

impl StoryLocks {
    /// The locks in `folder` and, for a desk on a server, those of `server`.
    pub fn new(folder: PathBuf, server: Option<Arc<dyn SharedDesk>>) -> Self {
        Self { folder, server }
    }

    /// Takes the lock of `story`.
    ///
    /// # Errors
    /// [`DeskError::Locked`] if another program holds it, [`DeskError::Folder`] or [`DeskError::Store`] if that cannot be found out.
    pub async fn take(&self, story: &StoryKey) -> Result<StoryLock, DeskError> {
        for _ in 1..TRIES {
            match self.try_once(story).await {
                Err(DeskError::Locked { .. }) => tokio::time::sleep(APART).await,
                result => return result,
            }
        }
        match (self.try_once(story).await, &self.server) {
            (Err(DeskError::Locked { story, .. }), Some(server)) => {
                let holder = server.holders(std::slice::from_ref(&story)).await?.remove(&story.folded());
                Err(DeskError::Locked { story, holder })
            }
            (result, _) => result,
        }
    }

    async fn try_once(&self, story: &StoryKey) -> Result<StoryLock, DeskError> {
        // A folder may be on a disk that is slow to answer: not on the thread that serves every story.
        let (folder, name) = (self.folder.clone(), story.clone());
        let file = aside(move || glance(&folder, &name)).await;
        let file = file.map_err(std::io::Error::other).map_err(|error| DeskError::folder(&self.folder, &error))??;
        let on_server = match &self.server {
            Some(server) => {
                let locked = || DeskError::Locked { story: story.clone(), holder: None };
                Some(server.take_lock(story).await?.ok_or_else(locked)?)
            }
            None => None,
        };
        Ok(StoryLock { _on_server: on_server, _file: file })
    }

    /// Whether programs work on these stories now; each with why that cannot be found out.
    pub async fn held(&self, stories: Vec<StoryKey>) -> Vec<Result<bool, DeskError>> {
        let on_server = match &self.server {
            Some(server) if !stories.is_empty() => server.holders(&stories).await,
            _ => Ok(std::collections::HashMap::new()),
        };
        let folder = self.folder.clone();
        let look = move || {
            let held = |story: &StoryKey| match (glance(&folder, story), &on_server) {
                (Err(DeskError::Locked { .. }), _) => Ok(true),
                (_, Err(error)) => Err(error.clone().into()),
                (Err(error), Ok(_)) => Err(error),
                (Ok(_), Ok(holders)) => Ok(holders.contains_key(&story.folded())),
            };
            stories.iter().map(held).collect()
        };
        aside(look).await.unwrap_or_default()
    }

    /// Takes a story from a program that holds its lock and hangs.
    ///
    /// # Errors
    /// [`DeskError`] if that could not be written. The part done so far does no harm, and the call can be repeated.
    pub(super) async fn pass_on(&self, queue: &dyn Queue, story: &StoryKey) -> Result<(), DeskError> {
        // In this order: once the lock is free, nothing of the other program's work can come in any more.
        queue.pass_on(story).await?;
        let path = path_of(&self.folder, story);
        let file = path.clone();
        let removed = aside(move || std::fs::remove_file(file)).await;
        match removed.map_err(std::io::Error::other).flatten() {
            // A program of another machine has it.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && self.server.is_some() => Ok(()),
            removed => removed.map_err(|error| DeskError::folder(&path, &error)),
        }
    }

    /// The number of commits that the server announced; none if it is not heard, so that the queue must be looked at.
    pub fn commits(&self) -> Option<u64> {
        self.server.as_ref()?.commits()
    }

    /// How often a story must be found free, a second apart, before its program counts as ended. One whose connection to the server was
    /// cut takes its locks again at once.
    pub(super) fn looks(&self) -> u64 {
        if self.server.is_some() { 3 } else { 1 }
    }
}

/// Tries once, and waits for the disk: for callers that let go of the lock at once.
fn glance(folder: &Path, story: &StoryKey) -> Result<File, DeskError> {
    let cannot = |error| DeskError::folder(folder, &error);
    std::fs::create_dir_all(folder).map_err(cannot)?;
    let path = path_of(folder, story);
    let file = private(File::options().create(true).append(true)).open(&path).map_err(cannot)?;
    match file.try_lock() {
        Ok(()) if is_still(&file, &path) => Ok(file),
        // Another program removed the file in this very moment: the next try finds the new one.
        Ok(()) | Err(TryLockError::WouldBlock) => Err(DeskError::Locked { story: story.clone(), holder: None }),
        Err(TryLockError::Error(error)) => Err(cannot(error)),
    }
}

/// A digest, because two names that differ in case must share one file on every system.
fn path_of(folder: &Path, story: &StoryKey) -> PathBuf {
    let name: String = hex::encode(Sha256::digest(story.folded())).chars().take(24).collect();
    folder.join(name)
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
        let locks = StoryLocks::from(folder.path().to_owned());
        let story = opening().topic.story();
        let held = locks.take(&story).await.unwrap();
        assert!(matches!(locks.take(&story).await, Err(DeskError::Locked { .. })));
        drop(held);
        locks.take(&story).await.unwrap();
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn a_lock_whose_file_was_removed_holds_nobody_up_and_whoever_opened_it_before_does_not_have_the_story() {
        let folder = tempfile::tempdir().unwrap();
        let locks = StoryLocks::from(folder.path().to_owned());
        let story = opening().topic.story();
        let hung = locks.take(&story).await.unwrap();
        let path = path_of(folder.path(), &story);
        let late = File::options().append(true).open(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        let next = locks.take(&story).await.unwrap();
        assert!(matches!(glance(folder.path(), &story), Err(DeskError::Locked { .. })));
        drop((hung, next));
        assert!(!is_still(&late, &path), "it locks a file that nobody finds any more");
        let link = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(folder.path().join("elsewhere"), path_of(link.path(), &story)).unwrap();
        assert!(matches!(glance(link.path(), &story), Err(DeskError::Folder { .. })), "a link");
    }

    /// On a runtime of one thread: who looks can only let go while who takes is waiting, since waiting holds nobody up.
    #[tokio::test]
    async fn who_only_looks_stands_in_nobodys_way_and_who_waits_holds_nobody_up() {
        let folder = tempfile::tempdir().unwrap();
        let locks = StoryLocks::from(folder.path().to_owned());
        let story = opening().topic.story();
        let looking = glance(folder.path(), &story).unwrap();
        let (taken, ()) = tokio::join!(locks.take(&story), async move { drop(looking) });
        taken.unwrap();
    }
}
