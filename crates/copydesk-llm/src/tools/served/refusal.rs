//! Why a tool gives no answer.

/// Why a tool gives no answer, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ToolRefusal {
    #[error("The arguments cannot be read: {0}. The tool's input schema says what belongs there.")]
    Arguments(String),
    #[error("The texts of this call have {bytes} bytes; at most {most} are read. Send a part of them.")]
    TooLong { bytes: usize, most: usize },
    #[error("A list of this call has {count} entries; at most {most} are read. Send them in several calls.")]
    TooMany { count: usize, most: usize },
    #[error("\"{0}\" is empty. Send a text.")]
    Empty(&'static str),
    #[error("The knowledge base cannot be searched: {0}. `copydesk doctor` says what to do.")]
    Knowledge(String),
    #[error("Nothing was sent: {0}. A person signs a story at the desk, and names the targets in its configuration.")]
    NotSent(String),
    #[error("The check broke off. Send a shorter text, and report this text if it happens again.")]
    BrokeOff,
}
