//! Why something could not be kept or read.

/// Why something could not be kept or read. Each message says what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// Another program writes for longer than we wait.
    #[error(
        "the database {file} is locked by another program for more than {seconds} s: close that program, or try again"
    )]
    Busy { file: String, seconds: u64 },
    /// No room.
    #[error("the disk that holds {file} is full; free some space, then run `copydesk resume`")]
    Full { file: String },
    /// The disk does not take what is written.
    #[error(
        "the disk that holds {file} refuses what is written ({detail}); it may be full: free some space, then run `copydesk resume`"
    )]
    Refused { file: String, detail: String },
    /// Written by a later version.
    #[error("the database {file} was written by a newer version of copydesk; update this one (nothing was changed)")]
    Newer { file: String },
    /// Cannot be opened.
    #[error("the database {file} cannot be opened: {detail}; check the folder's permissions and the key `database`")]
    CannotOpen { file: String, detail: String },
    /// A backup is never written over another file.
    #[error("the file {file} exists, and a backup replaces no file: choose another name")]
    Exists { file: String },
    /// A backup that could not be written.
    #[error("the backup {file} cannot be written: {detail}; nothing else has changed")]
    Backup { file: String, detail: String },
    /// Anything else.
    #[error("the database {file} failed: {detail}")]
    Failed { file: String, detail: String },
    /// Vectors of a length that cannot be kept.
    #[error(
        "vectors of {identity} have {length} numbers, and only whole multiples of 8 can be kept: name another model in knowledge_base.embedding"
    )]
    Length { identity: String, length: usize },
    /// A row that this version cannot read.
    #[error("the record {what} cannot be read: {detail}")]
    Unreadable { what: String, detail: String },
}
