//! The findings of a check of the whole desk: damage, and changes that were made behind the desk's back.

/// A sign-off as a file outside the database has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedOff {
    /// The run's id.
    pub run: String,
    /// The editor.
    pub by: String,
    /// The last link of the audit log before it, hex.
    pub chain: String,
}

/// The result of a check.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Audit {
    pub stories: u64,
    /// Events of the audit log.
    pub events: u64,
    /// Everything that is not as it was written; empty if all is.
    pub flaws: Vec<Flaw>,
}

/// Something that is not as it was written. Each says what, for a person.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    #[error("it is damaged: {0}")]
    Damaged(String),
    #[error("it has {0}, which Copydesk did not make")]
    Foreign(String),
    #[error("it lacks {0}, or somebody changed it")]
    Lacking(String),
    /// With the event's number.
    #[error("the chain of its audit log is broken at event {0}")]
    Broken(i64),
    #[error("its audit log ends at event {last}, and event {once} was written: somebody cut off its end")]
    CutOff { last: u64, once: u64 },
    #[error("its audit log was written anew: {0} has another event at its place")]
    Rewritten(String),
    #[error("the file {0}, which holds the end of its audit log, is missing or was changed")]
    HeadGone(String),
    #[error("the text of event {0} is gone, and nobody deleted its story")]
    Emptied(i64),
    #[error("stories are missing, and no event says who deleted them")]
    StoriesGone,
    #[error("{count} of its texts are not as they were stored; they belong to {of}")]
    Texts { count: usize, of: String },
    /// With the run's id.
    #[error("the row of the run {run} was changed: its {what} is not what its journal and the audit log say")]
    Run { run: String, what: &'static str },
    #[error("the run {run} is listed as signed off by {by}, and the audit log has no such sign-off")]
    Signature { run: String, by: String },
    #[error("the run {run} was signed off by {by}, as its artifacts say, and the database does not have that")]
    SignatureGone { run: String, by: String },
    /// With what is wrong.
    #[error("its outbox was changed: {0}")]
    Outbox(String),
    /// With the story.
    #[error("the embargo of {0} was changed")]
    Embargo(String),
    /// With the story.
    #[error("the list of those whom {0} asked for a reply was changed")]
    Replies(String),
    /// With the request's number.
    #[error("the ledger of its requests is not as it was written at request {0}")]
    Ledger(i64),
    /// With the story.
    #[error("somebody changed that {0} is confidential, or whose names it hides")]
    Secrecy(String),
    #[error("{0} records of the memory were changed")]
    Memory(usize),
}
