//! Why something could not be kept or read.

use copydesk_newsroom::StoryKey;

/// Why something could not be kept or read. Each message says what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// Another program writes for longer than we wait.
    #[error(
        "the database {file} has been locked by another program for more than {seconds} s: close that program, or try again"
    )]
    Busy { file: String, seconds: u64 },
    /// No room.
    #[error("the disk that holds {file} is full; free some space, then run `copydesk resume`")]
    Full { file: String },
    /// The disk does not take what is written.
    #[error(
        "the disk that holds {file} cannot be written to ({detail}); it may be full: free some space, then run `copydesk resume`"
    )]
    Refused { file: String, detail: String },
    /// The server of the database cannot be reached any more. The change was not made.
    #[error(
        "the server of the database {file} does not answer ({detail}); nothing was changed: try again once it is back. `copydesk resume` resumes the stories"
    )]
    Away { file: String, detail: String },
    /// Another program works on the story by now.
    #[error(
        "another copydesk has taken {story} over, because this program had stopped answering: its last step is not kept, and the other one continues from the step before"
    )]
    TakenOver { story: StoryKey },
    /// Written by a later version.
    #[error("the database {file} was written by a newer version of copydesk; update this one (nothing was changed)")]
    Newer { file: String },
    /// There is nothing in the database, and there once was.
    #[error(
        "the database {file} is empty, and its audit log once had {events} events: put the file back, or run `copydesk restore` with a backup; if it was emptied on purpose, delete {head}"
    )]
    Emptied { file: String, events: u64, head: String },
    /// On a disk that cannot be written to, and not as it can be read there.
    #[error(
        "the database {file} is on a disk that cannot be written to, and cannot be read there: {detail}; copy its folder to another disk"
    )]
    ReadOnly { file: String, detail: String },
    /// Cannot be opened.
    #[error("the database {file} cannot be opened: {detail}; check the folder's permissions and the key `database`")]
    CannotOpen { file: String, detail: String },
    /// A server on which no desk can be kept, or not by this user.
    #[error("the database {file} cannot be used: {detail} (nothing was changed)")]
    NotUsable { file: String, detail: String },
    /// A backup is never written over another file.
    #[error("the file {file} already exists, and a backup does not overwrite a file: choose another name")]
    Exists { file: String },
    /// A backup that could not be written.
    #[error("the backup {file} cannot be written: {detail}; nothing else has changed")]
    Backup { file: String, detail: String },
    /// Anything else.
    #[error("the database {file} failed: {detail}")]
    Failed { file: String, detail: String },
    /// Vectors of a length that cannot be kept.
    #[error(
        "vectors of {identity} have {length} numbers, and only multiples of 8 can be stored: name another model in knowledge_base.embedding"
    )]
    Length { identity: String, length: usize },
    /// A row that this version cannot read.
    #[error("the record {what} cannot be read: {detail}")]
    Unreadable { what: String, detail: String },
}
