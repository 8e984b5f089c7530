//! Connects an answer with its request.

/// Connects an answer with its request: a form with its outcome, an opened story with the key that opened it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Ticket(pub(crate) u64);
