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
        "{path} cannot be written: {detail}; the work is safe in the database, and `copydesk resume` writes the file later"
    )]
    Output { path: String, detail: String },
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
    #[error("{story} is being worked on by another copydesk: wait for it, or stop it there")]
    Locked { story: StoryKey },
    /// A new run would take a story away from the editor who is asked.
    #[error("{story} waits for {what}: decide it first (`copydesk` opens it), or start it again with `run --replace`")]
    Waits { story: StoryKey, what: String },
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
    /// A failed step that somebody else has dealt with.
    #[error("{story} does not have this failed step any more: somebody has retried or dropped it")]
    NoFailedStep { story: StoryKey },
    /// A step that the run has not done.
    #[error("{run} has no step {step}; its steps are {steps}")]
    NoSuchStep { run: String, step: String, steps: String },
    /// A journal that does not fit this version.
    #[error("{story} cannot continue at {step}: {detail}; please report this with the topic")]
    Journal { story: StoryKey, step: String, detail: String },
}
