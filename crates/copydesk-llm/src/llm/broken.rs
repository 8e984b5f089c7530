//! Why an answer could not be read.

use super::{answer::Failed, overflow::Overflow, patience::Late};
use copydesk_core::ports::CallError;

/// Most bytes of an answer's text, and of one line of a stream. No article comes near it.
pub(super) const MOST_TEXT: usize = 2 << 20;

/// Why an answer could not be read.
#[derive(Debug, PartialEq)]
pub(super) enum Broken {
    /// The connection ended before the answer.
    CutOff,
    /// Too large.
    TooLarge,
    /// It is not in the format of such a server.
    Unreadable(String),
    /// It ends in the middle of a message, though the connection was closed in good order.
    Closed(String),
    /// Nothing at all.
    Empty,
    /// Its calls of tools break their form, or it repeats itself.
    Unusable(String),
    /// The server said that it failed.
    Failed(Failed),
    /// It did not come in time.
    Late(Late),
    /// It has far more tokens than were asked for.
    TooLong { max_tokens: u64 },
}

impl Broken {
    pub(super) fn into_error(self, host: String, hide: impl Fn(&str) -> String) -> CallError {
        match self {
            Self::CutOff => CallError::CutOff { host },
            Self::TooLarge => CallError::AnswerTooLarge { host, limit_mb: MOST_TEXT >> 20 },
            Self::Unreadable(detail) => CallError::Unreadable { host, detail: hide(&detail) },
            Self::Closed(detail) => CallError::Closed { host, detail: hide(&detail) },
            Self::Empty => CallError::Closed {
                host,
                detail:
                    "it sent an empty stream, as some servers do if the prompt is longer than their context: check \
                         context_window"
                        .to_owned(),
            },
            Self::Unusable(detail) => CallError::Unusable { detail: hide(&detail) },
            Self::Failed(Failed { message, overflow: Some(Overflow { sent, window }), .. }) => {
                CallError::Overflow { host, sent, window, detail: hide(&message) }
            }
            Self::Failed(Failed { status, message, overflow: None }) => {
                CallError::Status { host, status, message: hide(&message), retry_after: None }
            }
            Self::Late(Late { seconds, wait }) => CallError::TimedOut { host, seconds, wait },
            Self::TooLong { max_tokens } => CallError::EndedEarly { max_tokens },
        }
    }
}
