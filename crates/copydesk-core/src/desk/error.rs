//! Why a story could not be worked on.

use std::{io, path::Path};

use crate::{
    editorial::{aliasing::AliasError, choices::Refused},
    ports::StoreError,
};
use copydesk_newsroom::StoryKey;

impl DeskError {
    /// Whether another program has the story, or the database's server is away: this needs no person's help.
    pub fn is_elsewhere(&self) -> bool {
        matches!(self, Self::Locked { .. } | Self::Store(StoreError::TakenOver { .. } | StoreError::Away { .. }))
    }

    /// Whether a disk is full: there is no use in going on with other stories.
    pub fn has_no_room(&self) -> bool {
        matches!(self, Self::Full { .. } | Self::Store(StoreError::Full { .. } | StoreError::Refused { .. }))
    }

    /// Whether the story itself has not failed, and can continue once the cause is gone.
    pub fn passes(&self) -> bool {
        self.has_no_room() || matches!(self, Self::Store(StoreError::Busy { .. }))
    }

    /// That the aliases of a story cannot be used.
    pub(super) fn aliases(story: &StoryKey, errors: &[AliasError]) -> Self {
        let detail = errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
        Self::Aliases { story: story.clone(), detail }
    }

    /// That a folder cannot be used.
    pub(super) fn folder(folder: &Path, error: &io::Error) -> Self {
        let (path, detail) = (folder.display().to_string(), error.to_string());
        if is_full(error) { Self::Full { path, detail } } else { Self::Folder { path, detail } }
    }

    /// That a file cannot be written.
    pub(super) fn file(path: &Path, error: &io::Error) -> Self {
        let (path, detail) = (path.display().to_string(), error.to_string());
        if is_full(error) { Self::Full { path, detail } } else { Self::Output { path, detail } }
    }
}

fn where_it_runs(holder: Option<&str>) -> String {
    holder.map_or_else(String::new, |holder| format!(" ({holder})"))
}

fn is_full(error: &io::Error) -> bool {
    use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    matches!(error.kind(), StorageFull | QuotaExceeded | FileTooLarge)
}

/// The reason why a story could not be worked on. Its commits stay; each message names the remedy.
#[derive(Debug, thiserror::Error)]
pub enum DeskError {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file could not be written.
    #[error(
        "{path} cannot be written: {detail}; the work is safe in the database, and `copydesk resume` writes the file later"
    )]
    Output { path: String, detail: String },
    /// The story hides names that it cannot hide.
    #[error("the aliases of {story} cannot be used: {detail}")]
    Aliases { story: StoryKey, detail: String },
    /// The disk takes no more.
    #[error("{path} cannot be written: {detail}; the disk may be full: free some space, then run `copydesk resume`")]
    Full { path: String, detail: String },
    /// Something stands in a file's place that leads out of the desk.
    #[error(
        "{path} is a symbolic link, and Copydesk writes no file through a link there: put a folder or a file in its place, then run `copydesk resume`"
    )]
    Link { path: String },
    /// The file of a record that was imported.
    #[error(
        "{path} cannot be written: {detail}; the record is safe in the database: import it again to write its file"
    )]
    MemoryFile { path: String, detail: String },
    /// The output folder cannot be used, found before anything was spent.
    #[error(
        "the folder {path} cannot be used: {detail}; nothing was started: check the keys below article_generation.editor.output"
    )]
    Folder { path: String, detail: String },
    /// A file of a story that is being deleted.
    #[error("{path} cannot be deleted: {detail}; the story is still in the database: fix this, then delete it again")]
    Delete { path: String, detail: String },
    /// Another program has the story.
    #[error("{story} is being worked on by another copydesk{}: wait for it, or stop it there", where_it_runs(holder.as_deref()))]
    Locked {
        story: StoryKey,
        /// Its machine and process, if the desk is on a server that knows them.
        holder: Option<String>,
    },
    /// A new run would take a story away from the editor who is asked.
    #[error("{story} waits for {what}: decide it first (`copydesk` opens it), or start it again with `run --replace`")]
    Waits { story: StoryKey, what: String },
    /// A new run would supersede an article that a person has signed.
    #[error(
        "{story} is already signed off by {by}: it stays as it is (`copydesk` opens it; `run --replace` starts a new version)"
    )]
    Signed { story: StoryKey, by: String },
    /// The worker is not there any more.
    #[error("this program has stopped working on stories; start it again")]
    Ended,
    /// A part of the program broke off.
    #[error(
        "the work on run {run} failed unexpectedly; its finished steps are safe: `copydesk resume` tries again, and please report this"
    )]
    BrokeOff { run: i64 },
    /// An editor's decision that is not possible now.
    #[error("{story}: {reason}")]
    Refused { story: StoryKey, reason: Refused },
    /// A failed step that another program has dealt with.
    #[error("{story} does not have this failed step any more: somebody has retried or dropped it")]
    NoFailedStep { story: StoryKey },
    /// A step that the run has not done.
    #[error("{run} has no step {step}; its steps are {steps}")]
    NoSuchStep { run: String, step: String, steps: String },
    /// A journal that does not fit this version.
    #[error("{story} cannot continue at {step}: {detail}; please report this with the topic")]
    Journal { story: StoryKey, step: String, detail: String },
}
