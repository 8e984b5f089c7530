//! Why nothing was sent.

use crate::{
    desk::DeskError,
    editorial::distribution::{NotReleased, NotWithdrawn},
    ports::StoreError,
};

/// The reason why nothing was sent, and the remedy.
#[derive(Debug, thiserror::Error)]
pub enum DistributionError {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Among others, another program has the story.
    #[error(transparent)]
    Desk(#[from] DeskError),
    #[error(transparent)]
    NotReleased(#[from] NotReleased),
    #[error(
        "nothing was sent: the database is not as it was written ({flaw}). `copydesk audit verify` says what was changed, and \
         `copydesk restore` puts a backup in its place"
    )]
    Tampered { flaw: String },
    #[error("there is no target to publish to: add one to `publisher.targets` in the configuration")]
    NoTargets,
    #[error("there is no target {name:?} in `publisher.targets`; there are: {known}")]
    NoSuchTarget { name: String, known: String },
    #[error(transparent)]
    NotWithdrawn(#[from] NotWithdrawn),
    #[error("{story} was withdrawn, and no target has it, so nobody is to be told")]
    NobodyHasIt { story: String },
    #[error("{story} was withdrawn, and {target} never had it, so there is nothing to tell it")]
    NeverHad { story: String, target: String },
    #[error(
        "{target} ({place}) has {story}, which was withdrawn, and is not in `publisher.targets` any more. Add it again, or tell them \
         yourself and name the other targets with --to"
    )]
    HolderGone { story: String, target: String, place: String },
    #[error("{target} did not take it: {detail}")]
    NotCarried { target: String, detail: String },
    #[error("the run {run} was deleted meanwhile")]
    RunGone { run: String },
    #[error("{story} cannot be written as a file: {detail}")]
    Unwritable { story: String, detail: String },
    #[error("another copydesk has just dealt with {target}: look at `copydesk show {story}`, then try again")]
    Overtaken { story: String, target: String },
}
