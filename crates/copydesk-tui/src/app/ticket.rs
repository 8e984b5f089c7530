//! Connects an answer with its request.

/// Connects an answer with its request: a form with its outcome, an opened story with the key that opened it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Ticket(u64);

impl Ticket {
    /// The one after this.
    pub(crate) fn next(self) -> Self {
        Self(self.0.wrapping_add(1))
    }
}
