//! Why a server of tools cannot be used.

/// Why a server of tools cannot be used, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum McpError {
    /// The program could not be started.
    #[error("{command} cannot be started ({detail}); {setting}.command names it")]
    NotStarted { command: String, detail: String, setting: String },
    /// The program or the connection ended.
    #[error("it ended before it answered ({detail})")]
    Ended {
        /// Its last message.
        detail: String,
    },
    #[error("it did not answer within {seconds} s; {setting}.timeout_seconds is the limit")]
    TimedOut { seconds: u64, setting: String },
    /// It speaks a version of the protocol that this program does not know.
    #[error(
        "it speaks version {theirs} of the protocol, and this program speaks {ours}; update the server or copydesk"
    )]
    Version { theirs: String, ours: String },
    /// It speaks the transport that streamable HTTP replaced.
    #[error(
        "it speaks the old transport HTTP+SSE, which copydesk does not support: use the address of its streamable HTTP (often /mcp), or \
         start it as a program with `command`"
    )]
    OldTransport,
    /// It answered, but not as a server of tools does.
    #[error("it cannot be used: {detail}; {setting} names it")]
    Unusable { detail: String, setting: String },
    /// A message of it is larger than what may be held.
    #[error("it sent a message of more than {limit_kb} KB; {setting}.longest_result_kb sets the limit")]
    TooLarge { limit_kb: usize, setting: String },
}
