//! Why a story could not be worked on.

use crate::{editorial::choices::Refused, newsroom::StoryKey, ports::StoreError};

/// Why a story could not be worked on. What is committed stays; each message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum DeskError {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file could not be written.
    #[error(
        "{path} cannot be written: {detail}; the work is safe in the database, and `copydesk resume` writes the file once it can"
    )]
    Output {
        /// The file or folder.
        path: String,
        /// What the system said.
        detail: String,
    },
    /// The file of a record that was imported.
    #[error(
        "{path} cannot be written: {detail}; the record is in the database, and importing it again writes its file"
    )]
    MemoryFile {
        /// The file.
        path: String,
        /// What the system said.
        detail: String,
    },
    /// The output folder cannot be used, found before anything was spent.
    #[error(
        "the folder {path} cannot be used: {detail}; check the keys below article_generation.editor.output (nothing was started)"
    )]
    Folder {
        /// The folder.
        path: String,
        /// What the system said.
        detail: String,
    },
    /// A file of a story that is being deleted.
    #[error(
        "{path} cannot be deleted: {detail}; the story is still in the database: delete it again once that is mended"
    )]
    Delete {
        /// The file or folder.
        path: String,
        /// What is in the way.
        detail: String,
    },
    /// Another program has the story.
    #[error("{story} is being worked on by another copydesk; wait for it, or stop it there")]
    Locked {
        /// The story.
        story: StoryKey,
    },
    /// A new run would take a story away from the editor who is asked.
    #[error(
        "{story} waits for its editor at {gate}: decide it first (`copydesk` opens it), or `run --replace` begins it anew"
    )]
    Waits {
        /// The story.
        story: StoryKey,
        /// Where it waits.
        gate: String,
    },
    /// The worker is not there any more.
    #[error("this program works on no stories any more")]
    Ended,
    /// A part of the program broke off.
    #[error(
        "the work on run {run} broke off; what is committed is safe; please report this, and `copydesk resume` tries again"
    )]
    BrokeOff {
        /// Its key.
        run: i64,
    },
    /// An editor's decision that is not possible now.
    #[error("{story}: {reason}")]
    Refused {
        /// The story.
        story: StoryKey,
        /// Why.
        reason: Refused,
    },
    /// A dead letter that somebody else has dealt with.
    #[error("{story} has no such dead letter any more: it was tried again or dropped meanwhile")]
    NoLetter {
        /// The story.
        story: StoryKey,
    },
    /// A step that the run has not done.
    #[error("{run} has no step {step}; its steps are {steps}")]
    NoSuchStep {
        /// The run.
        run: String,
        /// The step that was asked for.
        step: String,
        /// The steps that it has.
        steps: String,
    },
    /// A journal that does not fit this version.
    #[error("the journal of {story} cannot go on at {step}: {detail}")]
    Journal {
        /// The story.
        story: StoryKey,
        /// The step.
        step: String,
        /// What is wrong.
        detail: String,
    },
}
