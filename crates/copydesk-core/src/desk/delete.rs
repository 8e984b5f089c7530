//! Deleting a story: its files, then its rows.
//!
//! Files first, because only the database knows which they are: a deletion that stops in between can be repeated.

use std::path::{Path, PathBuf};

use super::{Desk, DeskError, Outputs, lock::StoryLock, outputs::Removed};
use crate::ports::{Deleted, Stories};
use copydesk_newsroom::StoryKey;

/// The records and files that were deleted with a story.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deletion {
    pub records: Deleted,
    /// Files, and folders with all that was in them.
    pub paths: Vec<PathBuf>,
    /// Files that may still be on the disk because the database could not be read for their places: sentences for a person.
    pub missed: Vec<String>,
}

impl Desk {
    /// As [`delete`], in the name of the desk's editor. None if there is no such story.
    ///
    /// # Errors
    /// As [`delete`].
    pub async fn delete(&self, story: &StoryKey) -> Result<Option<Deletion>, DeskError> {
        delete(&*self.stories, &self.outputs, &self.locks, story, &self.editor, &self.now()).await
    }
}

/// Deletes a story wholly: canonical file, artifacts, files of the institutional memory, and everything that the database has of
/// it. `by` and `at` (ISO 8601, UTC) stay in the audit log. None if there is no such story. It needs no desk: a newsroom with
/// broken prompts or a damaged database can still delete. [`Deletion::missed`] reports files that a damaged database hides.
///
/// # Errors
/// [`DeskError::Locked`] if a program works on it, [`DeskError::Delete`] if a file cannot be deleted: the database then
/// still has the story.
pub async fn delete(
    stories: &dyn Stories,
    outputs: &Outputs,
    locks: &Path,
    story: &StoryKey,
    by: &str,
    at: &str,
) -> Result<Option<Deletion>, DeskError> {
    let _lock = StoryLock::take(locks, story).await?;
    let Some(holdings) = stories.holdings(story).await? else { return Ok(None) };
    let Removed { gone: paths, missed } = outputs.remove(story, &holdings).await?;
    let records = stories.delete_story(story, by, at).await?;
    Ok(records.map(|records| Deletion { records, paths, missed }))
}

/// Whether a program works on the story now.
///
/// # Errors
/// [`DeskError::Folder`] if that cannot be found out.
pub fn is_held(locks: &Path, story: &StoryKey) -> Result<bool, DeskError> {
    match StoryLock::glance(locks, story) {
        Ok(_) => Ok(false),
        Err(DeskError::Locked { .. }) => Ok(true),
        Err(error) => Err(error),
    }
}
